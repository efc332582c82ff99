import type { DependencyTree, Sentence } from '../treebank/sentence.ts';
import type { ComparedTree } from './alignment/counterpart.ts';

/** A sentence whose tree is known, and several parsers' trees of it: what they are compared, and voted, on. */
export interface ComparedSentence {
  readonly gold: Sentence;
  /** In the order of the parsers; of gold's words, however a parser has split the text. */
  readonly trees: readonly ComparedTree[];
  /** scored[d] is 0 where token d does not count: a punctuation rule leaves it out. */
  readonly scored: Uint8Array;
  /** How many words that gold does not have each parser has, those that do not count left out; absent: none. */
  readonly extra?: readonly number[] | undefined;
}

/** Whether token d has the right head and, where gold is labelled, the right label. */
export function isRight(gold: DependencyTree, tree: DependencyTree, d: number, labelled: boolean): boolean {
  return tree.heads[d] === gold.heads[d] && (!labelled || tree.labels[d] === gold.labels[d]);
}
