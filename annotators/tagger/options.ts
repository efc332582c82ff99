import { z } from 'zod';
import { LANES } from '../../src/learn/network/memory.ts';
import { MOST_UNITS } from './network/learnt-network.ts';

/** How long a network learns that nothing else is said of. */
export const networkBounds = { steps: 3500, leastEpochs: 7, mostEpochs: 40 };

/** How a tagger is learnt. */
export const taggerOptions = z.strictObject({
  epochs: z
    .int()
    .min(1)
    .max(1000)
    .default(6)
    .describe('passes over the training data, of all but the network'),
  cutoff: z
    .int()
    .min(1)
    .max(255)
    .default(2)
    .describe('features seen less often than this in the training data are left out'),
  bits: z
    .int()
    .min(10)
    .max(26)
    .default(22)
    .describe('the weights of language-specific tags and features have indices of this many bits'),
  rate: z.number().min(0.001).max(10).default(0.1).describe('size of the first steps of gradient descent'),
  dropout: z
    .number()
    .min(0)
    .max(0.9)
    .default(0.3)
    .describe('share of the features that are left out in training, drawn anew for every word'),
  units: z
    .int()
    .min(0)
    .max(MOST_UNITS)
    .multipleOf(LANES)
    .default(96)
    .describe(
      'numbers that a network, which reads the sentence first, remembers in each direction: a multiple of four; 0: no network, less accurate, learnt in a seventh of the time',
    ),
  networkEpochs: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      `passes of the network over the training data (default: for about ${networkBounds.steps} steps in all, ${networkBounds.leastEpochs} to ${networkBounds.mostEpochs})`,
    ),
});
export type TaggerOptions = z.infer<typeof taggerOptions>;
