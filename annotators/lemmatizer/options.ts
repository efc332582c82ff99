import { z } from 'zod';
import { whole } from '../../src/training/options.ts';

export const lemmatizerOptions = z.strictObject({
  epochs: whole(1, 1000).default(8).describe('passes over the distinct words of the training data'),
  cutoff: whole(1, 255)
    .default(2)
    .describe('minimum number of distinct training words for a rule to apply to unknown words'),
  bits: whole(10, 26).default(20).describe('log2 of the number of weights'),
});
export type LemmatizerOptions = z.infer<typeof lemmatizerOptions>;
