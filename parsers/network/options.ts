import { z } from 'zod';
import { decoderNames } from '../../src/decode/registry.ts';
import { MOST_FILTERS } from '../../src/learn/network/character-input.ts';
import { LANES } from '../../src/learn/network/layout.ts';
import {
  LEAST_BATCH,
  MOST_BATCH,
  type Schedule,
  STEPS_PER_EPOCH,
  scheduleOf,
} from '../../src/learn/network/training.ts';
import { encoderOption } from '../../src/training/encoder/saved-encoder.ts';
import { encodingOptions, maxLengthOption, shuffleOption } from '../../src/training/options.ts';
import { vectorOptions } from '../../src/training/vectors.ts';
import { MOST_LAYERS, MOST_UNITS } from './settings.ts';

const bounds = { steps: 8000, leastEpochs: 12, mostEpochs: 50 };

/** Training options of the network: the only place that knows their defaults. */
export const networkOptions = z.strictObject({
  epochs: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      `passes over the training sentences; the learning rate falls linearly to 0 over them (default: for about ${bounds.steps} steps in all, ${bounds.leastEpochs} to ${bounds.mostEpochs})`,
    ),
  decoder: z
    .enum(decoderNames)
    .default('chu-liu-edmonds')
    .describe('how the best tree is found; eisner gives projective trees only'),
  layers: z.int().min(1).max(MOST_LAYERS).default(2).describe('bidirectional LSTM layers'),
  units: z
    .int()
    .min(LANES)
    .max(MOST_UNITS)
    .multipleOf(LANES)
    .default(112)
    .describe(`LSTM units per direction, a multiple of ${LANES}`),
  rate: z.number().min(1e-5).max(1).default(0.004).describe('initial learning rate of Adam'),
  batch: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe(
      `minimum number of tokens per batch (default: for ${STEPS_PER_EPOCH} steps per epoch, ${LEAST_BATCH} to ${MOST_BATCH})`,
    ),
  characters: z
    .int()
    .min(0)
    .max(MOST_FILTERS)
    .multipleOf(LANES)
    .default(0)
    .describe(`filters of a convolution over the characters of words, a multiple of ${LANES}; 0: none`),
  ...vectorOptions,
  ...encoderOption,
  ...encodingOptions,
  shuffle: shuffleOption,
  maxLength: maxLengthOption(1000),
});

export type NetworkOptions = z.infer<typeof networkOptions>;

export interface NetworkLearning extends Schedule {
  readonly shuffle: boolean;
  readonly rate: number;
}

export function learningOf(options: NetworkOptions, tokens: number): NetworkLearning {
  const { shuffle, rate } = options;
  return { shuffle, rate, ...scheduleOf(options, tokens, bounds) };
}
