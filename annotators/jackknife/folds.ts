import { OptionError } from '../../src/errors.ts';
import { countOf, type PackedSentences, unpack } from '../../src/treebank/packed-sentences.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';

/** A range of sentences: `from` up to `to` (exclusive). */
export interface SentenceRange {
  readonly from: number;
  readonly to: number;
}

export const DEFAULT_FOLDS = 10;

/**
 * Divides sentences into folds of nearly equal size. Folds are contiguous, so that sentences of one text, which share
 * words and topics, stay together.
 *
 * @throws OptionError for less than two folds, and for more folds than sentences
 */
export function foldRanges(sentences: number, folds: number, file: string): SentenceRange[] {
  if (!Number.isInteger(folds) || folds < 2) {
    throw new OptionError((option) => `${option('folds', folds)}: expected 2 or more`);
  }
  if (sentences < folds) {
    const has = sentences === 1 ? '1 sentence' : `${sentences} sentences`;
    throw new OptionError((option) => `${option('folds', folds)}: ${file} has ${has}, fewer than folds`);
  }
  const start = (fold: number) => Math.floor((fold * sentences) / folds);
  return Array.from({ length: folds }, (_, fold) => ({ from: start(fold), to: start(fold + 1) }));
}

/** All sentences outside some ranges, which are given in order. */
export function sentencesOutside(sentences: PackedSentences, ...ranges: readonly SentenceRange[]): Treebank {
  return {
    name: sentences.name,
    async *[Symbol.asyncIterator]() {
      let next = 0;
      for (const { from, to } of ranges) {
        yield* unpack(sentences, next, from);
        next = to;
      }
      yield* unpack(sentences, next, countOf(sentences));
    },
  };
}
