import type { DependencyTree, Sentence } from '../treebank/sentence.ts';
import type { ComparedTree } from './alignment/counterpart.ts';
import { tagOf } from './breakdowns/buckets.ts';

/** A gold sentence with several parsers' trees. */
export interface ComparedSentence {
  readonly gold: Sentence;
  /** In the order of the parsers, over gold's words. */
  readonly trees: readonly ComparedTree[];
  /** `scored[d]` is 0 if the punctuation rule excludes token d. */
  readonly scored: Uint8Array;
  /** Number of each parser's scored words that gold does not have; absent: none. */
  readonly extra?: readonly number[] | undefined;
}

/** Whether token d has the right head and, if `labelled`, the right label. */
export const isRight = (gold: DependencyTree, tree: DependencyTree, d: number, labelled: boolean): boolean =>
  tree.heads[d] === gold.heads[d] && (!labelled || tree.labels[d] === gold.labels[d]);

/** Conditions on a word; all must hold. Parsers are given by number. */
export interface WordQuestion {
  /** Parsers that are right about the head and, if gold has labels, the label. */
  readonly right?: readonly number[] | undefined;
  readonly wrong?: readonly number[] | undefined;
  readonly label?: string | undefined;
  readonly tag?: string | undefined;
}

export interface FoundWord {
  readonly number: number;
  readonly sentence: ComparedSentence;
  readonly d: number;
}

/** Yields the scored words that fulfil all conditions; without `labelled`, only heads are compared. */
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
