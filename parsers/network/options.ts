import { z } from 'zod';
import { decoderNames } from '../../src/decode/registry.ts';
import { LANES } from '../../src/learn/network/memory.ts';
import { encodingOptions, maxLengthOption, shuffleOption } from '../../src/training/options.ts';
import { MOST_LAYERS, MOST_UNITS } from './settings.ts';

/** Training options of the network: the only place that knows their defaults. */
export const networkOptions = z.strictObject({
  epochs: z
    .int()
    .min(1)
    .max(1000)
    .default(16)
    .describe('passes over the training sentences; steps become shorter up to the last'),
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
  rate: z.number().min(1e-5).max(1).default(0.002).describe('how far the first steps of learning go'),
  batch: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe('tokens, at least, that each step learns from (default: for 500 steps in an epoch, 50 to 400)'),
  ...encodingOptions,
  shuffle: shuffleOption,
  maxLength: maxLengthOption(1000),
});

export type NetworkOptions = z.infer<typeof networkOptions>;
