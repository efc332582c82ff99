import type { DependencyTree, Sentence } from '../treebank/sentence.ts';
import type { ComparedTree } from './alignment/counterpart.ts';
import { tagOf } from './breakdowns/buckets.ts';

/** A gold sentence with several parsers' trees. */
export interface ComparedSentence {
  readonly gold: Sentence;
  /** One tree per parser, over the gold words. */
  readonly trees: readonly ComparedTree[];
  /** scored[d] is 0 if the punctuation rule excludes token d, else 1. */
  readonly scored: Uint8Array;
  /** By parser, the number of its scored words that gold lacks; absent if there are none. */
  readonly extra?: readonly number[] | undefined;
}

/** Whether token d has the right head and, if `labelled`, the right label. */
export const isRight = (gold: DependencyTree, tree: DependencyTree, d: number, labelled: boolean): boolean =>
  tree.heads[d] === gold.heads[d] && (!labelled || tree.labels[d] === gold.labels[d]);

/** Conditions on a word, all of which must hold. Parsers are given by index. */
export interface WordConditions {
  /** Parsers that have the right head and, if gold has labels, the right label. */
  readonly right?: readonly number[] | undefined;
  /** Parsers that do not. */
  readonly wrong?: readonly number[] | undefined;
  readonly label?: string | undefined;
  readonly tag?: string | undefined;
}

/** A word that fulfils the conditions: token d of the sentence with this number. */
export interface FoundWord {
  readonly number: number;
  readonly sentence: ComparedSentence;
  readonly d: number;
}

/** Yields the scored words that fulfil all conditions; without `labelled`, only heads are compared. */
export async function* findWords(
  sentences: AsyncIterable<ComparedSentence>,
  { right = [], wrong = [], label, tag }: WordConditions,
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
