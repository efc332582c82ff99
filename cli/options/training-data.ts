import type { InputError } from '../../src/errors.ts';
import { checkStandardInput } from '../../src/files/text/text-file.ts';
import type { TreebankFormat } from '../../src/treebank/reading/format.ts';
import type { Expectation } from '../../src/treebank/reading/reading-options.ts';
import { openTreebanks } from '../../src/treebank/reading/treebanks.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import { warn } from '../terminal/output.ts';

export interface TrainingDataOptions {
  readonly train: readonly string[];
  readonly dev?: readonly string[];
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
  expect: Expectation,
  onSkip: (error: InputError) => void,
): Promise<TrainingData> {
  checkStandardInput([...train, ...(dev ?? [])]);
  const options = { format, encoding, skipInvalid, onSkip, expect, onDifference: warn } as const;
  return {
    train: await openTreebanks(train, { ...options, limit }),
    dev: dev && (await openTreebanks(dev, options)),
  };
}
