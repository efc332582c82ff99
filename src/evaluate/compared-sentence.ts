import type { DependencyTree, Sentence } from '../treebank/sentence.ts';

/** A sentence whose tree is known, and several parsers' trees of it: what they are compared, and voted, on. */
export interface ComparedSentence {
  readonly gold: Sentence;
  /** In the order of the parsers. */
  readonly trees: readonly DependencyTree[];
  /** scored[d] is 0 where token d does not count: a punctuation rule leaves it out. */
  readonly scored: Uint8Array;
}

/** Whether token d has the right head and, where gold is labelled, the right label. */
export function isRight(gold: DependencyTree, tree: DependencyTree, d: number, labelled: boolean): boolean {
  return tree.heads[d] === gold.heads[d] && (!labelled || tree.labels[d] === gold.labels[d]);
}
