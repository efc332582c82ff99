import { z } from 'zod';
import { MOST_LAYERS, MOST_UNITS, MOST_WORDS, UNIT_STEP } from '../../learn/encoder/settings.ts';

/** Training options of a language model: the only place that knows their defaults. */
export const encoderOptions = z.strictObject({
  units: z
    .int()
    .min(UNIT_STEP)
    .max(MOST_UNITS)
    .multipleOf(UNIT_STEP)
    .default(256)
    .describe(`LSTM units per direction, a multiple of ${UNIT_STEP}`),
  layers: z.int().min(1).max(MOST_LAYERS).default(1).describe('LSTM layers per direction'),
  vocabulary: z
    .int()
    .min(1)
    .max(MOST_WORDS / 2)
    .default(40_000)
    .describe('most frequent words with an embedding; others are known by their characters'),
  negatives: z
    .int()
    .min(1)
    .max(100_000)
    .default(2000)
    .describe('different words per batch from which the next words are told, drawn by frequency'),
  epochs: z
    .int()
    .min(1)
    .max(1000)
    .default(1)
    .describe('passes over the text; the learning rate falls linearly to 0 over them'),
  rate: z.number().min(1e-5).max(1).default(0.003).describe('initial learning rate of Adam'),
});

export type EncoderOptions = z.infer<typeof encoderOptions>;
