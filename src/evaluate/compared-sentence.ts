import type { DependencyTree, Sentence } from '../treebank/sentence.ts';
import type { ComparedTree } from './alignment/counterpart.ts';
import { tagOf } from './breakdowns/buckets.ts';

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

/** What is asked of words: all of it must hold. Parsers go by number. */
export interface WordQuestion {
  /** Parsers that are right about the word's head and, where gold has labels, its label. */
  readonly right?: readonly number[] | undefined;
  /** Parsers that are not. */
  readonly wrong?: readonly number[] | undefined;
  /** The word's label in gold. */
  readonly label?: string | undefined;
  /** The word's tag in gold: UPOS, or XPOS where there is none. */
  readonly tag?: string | undefined;
}

/** A word for which all holds that is asked. */
export interface FoundWord {
  /** The number of its sentence, from 1. */
  readonly number: number;
  readonly sentence: ComparedSentence;
  /** Its index in the sentence, from 1. */
  readonly d: number;
}

/**
 * The words for which all holds that is asked, in their order; those that a punctuation rule leaves out are none.
 *
 * @param labelled whether gold has labels: without, a right head is enough
 */
export async function* findWords(
  sentences: AsyncIterable<ComparedSentence>,
  { right = [], wrong = [], label, tag }: WordQuestion,
  labelled: boolean,
): AsyncGenerator<FoundWord> {
  let number = 0;
  for await (const sentence of sentences) {
    number++;
    const { gold, trees, scored } = sentence;
    const isRightIn = (parser: number, d: number) => isRight(gold, trees[parser], d, labelled);
    for (let d = 1; d <= gold.length; d++) {
      if (scored[d] === 0) continue;
      if (label !== undefined && gold.labels[d] !== label) continue;
      if (tag !== undefined && tagOf(gold, d) !== tag) continue;
      if (!right.every((parser) => isRightIn(parser, d))) continue;
      if (wrong.some((parser) => isRightIn(parser, d))) continue;
      yield { number, sentence, d };
    }
  }
}
