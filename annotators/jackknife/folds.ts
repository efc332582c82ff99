import { OptionError } from '../../src/errors.ts';
import { countOf, type PackedSentences, unpack } from '../../src/treebank/packed-sentences.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';

/** Sentences that follow each other, by their numbers: from one up to another. */
export interface Block {
  readonly from: number;
  readonly to: number;
}

export const DEFAULT_FOLDS = 10;

/**
 * Cuts so many sentences into blocks of nearly one size, the folds. They are contiguous, so that sentences of one text,
 * which have words and subjects in common, stay together.
 *
 * @throws OptionError for less than two folds, and for more than there are sentences
 */
export function foldBlocks(sentences: number, folds: number, file: string): Block[] {
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

/** All sentences but those of some blocks, which are given in order. */
export function sentencesOutside(sentences: PackedSentences, ...blocks: readonly Block[]): Treebank {
  return {
    name: sentences.name,
    async *[Symbol.asyncIterator]() {
      let next = 0;
      for (const { from, to } of blocks) {
        yield* unpack(sentences, next, from);
        next = to;
      }
      yield* unpack(sentences, next, countOf(sentences));
    },
  };
}
