import type { InputError } from '../../src/errors.ts';
import { FirstSentences } from '../../src/treebank/first-sentences.ts';
import type { TreebankFormat } from '../../src/treebank/reading/format.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';

export interface TrainingDataOptions {
  readonly train: string;
  readonly dev?: string;
  readonly limit?: number;
  readonly format?: TreebankFormat;
  readonly encoding: string;
  readonly skipInvalid?: boolean;
}

export interface TrainingData {
  readonly train: Treebank;
  readonly dev: Treebank | undefined;
}

/** The treebanks to learn from and to score with; they are read, and their faults found, by the training. */
export async function openTrainingData(
  { train, dev, limit, format, encoding, skipInvalid }: TrainingDataOptions,
  onSkip: (error: InputError) => void,
): Promise<TrainingData> {
  const open = (file: string) =>
    openTreebank(file, { format, encoding, skipInvalid, onSkip, expect: 'trees' });
  const all = await open(train);
  return {
    train: limit === undefined ? all : new FirstSentences(all, limit),
    dev: dev === undefined ? undefined : await open(dev),
  };
}
