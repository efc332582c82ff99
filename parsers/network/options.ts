import { z } from 'zod';
import { decoderNames } from '../../src/decode/registry.ts';
import { LANES } from '../../src/learn/network/memory.ts';
import { encodingOptions, maxLengthOption, shuffleOption } from '../../src/training/options.ts';
import { MOST_LAYERS, MOST_UNITS } from './settings.ts';

const STEPS = 8000;
const LEAST_EPOCHS = 12;
const MOST_EPOCHS = 50;
const STEPS_AN_EPOCH = 500;
const LEAST_BATCH = 50;
const MOST_BATCH = 400;

/** Training options of the network: the only place that knows their defaults. */
export const networkOptions = z.strictObject({
  epochs: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      `passes over the training sentences; steps become shorter up to the last (default: for about ${STEPS} steps in all, ${LEAST_EPOCHS} to ${MOST_EPOCHS})`,
    ),
  decoder: z
    .enum(decoderNames)
    .default('chu-liu-edmonds')
    .describe('how the best tree is found; eisner gives projective trees only'),
  layers: z
    .int()
    .min(1)
    .max(MOST_LAYERS)
    .default(2)
    .describe('recurrent layers, one upon the other, that read the sentence'),
  units: z
    .int()
    .min(LANES)
    .max(MOST_UNITS)
    .multipleOf(LANES)
    .default(112)
    .describe('numbers that each layer remembers in each direction: a multiple of four'),
  rate: z.number().min(1e-5).max(1).default(0.004).describe('how far the first steps of learning go'),
  batch: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe(
      `tokens, at least, that each step learns from (default: for ${STEPS_AN_EPOCH} steps in an epoch, ${LEAST_BATCH} to ${MOST_BATCH})`,
    ),
  ...encodingOptions,
  shuffle: shuffleOption,
  maxLength: maxLengthOption(1000),
});

export type NetworkOptions = z.infer<typeof networkOptions>;

/** How a network learns. */
export interface NetworkLearning {
  readonly epochs: number;
  readonly shuffle: boolean;
  readonly rate: number;
  /** Tokens, at least, of a step. */
  readonly batch: number;
}

/** Fills in what was left open, by how many tokens there are to learn from. */
export function learningOf(options: NetworkOptions, tokens: number): NetworkLearning {
  const { shuffle, rate } = options;
  const { batch = within(tokens / STEPS_AN_EPOCH, LEAST_BATCH, MOST_BATCH) } = options;
  const { epochs = within((STEPS * batch) / tokens, LEAST_EPOCHS, MOST_EPOCHS) } = options;
  return { epochs, shuffle, rate, batch };
}

/** The nearest whole number that is not below one bound, nor above another. */
function within(number: number, least: number, most: number): number {
  return Math.min(Math.max(Math.round(number), least), most);
}
