import { MOST_FILTERS } from '../../learn/network/layers/characters.ts';
import { LANES } from '../../learn/network/layout.ts';
import { MOST_DROPOUT, MOST_LAYERS, MOST_UNITS } from '../../learn/network/sentence-layers.ts';
import type { Schedule, ScheduleBounds } from '../../learn/network/training.ts';
import { LEAST_BATCH, MOST_BATCH, STEPS_PER_EPOCH, scheduleOf } from '../../learn/network/training.ts';
import type { SilverExamples } from '../examples.ts';
import { between, whole } from '../options.ts';
import { inputOptions } from './inputs.ts';

export function epochsOption({ steps, leastEpochs, mostEpochs }: ScheduleBounds) {
  return whole(1, 1000)
    .optional()
    .describe(
      `passes over the training sentences; the learning rate falls linearly to 0 over them (default: for about ${steps} steps in all, ${leastEpochs} to ${mostEpochs})`,
    );
}

/** Options of `SentenceLayers`, of their inputs, and of their training. */
export function sentenceOptions(
  standard: Readonly<Record<'units' | 'dropout' | 'rate' | 'characters', number>>,
) {
  return {
    layers: whole(1, MOST_LAYERS).default(2).describe('bidirectional LSTM layers'),
    units: whole(LANES, MOST_UNITS, LANES)
      .default(standard.units)
      .describe(`LSTM units per direction, a multiple of ${LANES}`),
    dropout: between(0, MOST_DROPOUT)
      .default(standard.dropout)
      .describe('dropout of the inputs and of the outputs of each layer, in training'),
    rate: between(1e-5, 1).default(standard.rate).describe('initial learning rate of Adam'),
    batch: whole(1, 100_000)
      .optional()
      .describe(
        `minimum number of tokens per batch (default: for ${STEPS_PER_EPOCH} steps per epoch, ${LEAST_BATCH} to ${MOST_BATCH})`,
      ),
    characters: whole(0, MOST_FILTERS, LANES)
      .default(standard.characters)
      .describe(`filters of a convolution over the characters of words, a multiple of ${LANES}; 0: none`),
    ...inputOptions,
  };
}

export interface NetworkLearning extends Schedule {
  readonly shuffle: boolean;
  readonly rate: number;
  readonly silver?: SilverExamples | undefined;
}

/** Resolves the options of learning for these sentences. */
export function learningOf(
  options: { readonly [Name in keyof Schedule]?: number | undefined } & Omit<NetworkLearning, keyof Schedule>,
  sentences: readonly { readonly length: number }[],
  bounds: ScheduleBounds,
): NetworkLearning {
  const { shuffle, rate } = options;
  const tokens = sentences.reduce((sum, { length }) => sum + length, 0);
  return { shuffle, rate, ...scheduleOf(options, tokens, bounds) };
}
