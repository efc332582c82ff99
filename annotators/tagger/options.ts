import { z } from 'zod';
import { LANES } from '../../src/learn/network/layout.ts';
import { inputOptions } from '../../src/training/network/inputs.ts';
import { between, whole } from '../../src/training/options.ts';
import { MOST_UNITS } from './network/tag-network.ts';

export const networkBounds = { steps: 3500, leastEpochs: 7, mostEpochs: 40 };

export const taggerOptions = z.strictObject({
  epochs: whole(1, 1000).default(6).describe('passes of the linear models over the training data'),
  cutoff: whole(1, 255)
    .default(2)
    .describe('minimum number of occurrences of a feature in the training data'),
  bits: whole(10, 26)
    .default(22)
    .describe('bits of the hashed indices of weights for language-specific tags and features'),
  rate: between(0.001, 10).default(0.1).describe('initial learning rate of AdaGrad, for the linear models'),
  dropout: between(0, 0.9)
    .default(0.3)
    .describe('dropout of features of the linear models, drawn anew for every word'),
  units: whole(0, MOST_UNITS, LANES)
    .default(96)
    .describe(
      `LSTM units per direction, a multiple of ${LANES}; 0: no network, which is less accurate but trains in a seventh of the time`,
    ),
  ...inputOptions,
  networkEpochs: whole(1, 1000)
    .optional()
    .describe(
      `passes of the network over the training data (default: for about ${networkBounds.steps} steps in all, ${networkBounds.leastEpochs} to ${networkBounds.mostEpochs})`,
    ),
});
export type TaggerOptions = z.infer<typeof taggerOptions>;
