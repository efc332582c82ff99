import { z } from 'zod';

export const lemmatizerOptions = z.strictObject({
  epochs: z.int().min(1).max(1000).default(8).describe('passes over the distinct words of the training data'),
  cutoff: z
    .int()
    .min(1)
    .max(255)
    .default(2)
    .describe('minimum number of distinct training words for a rule to apply to unknown words'),
  bits: z.int().min(10).max(26).default(20).describe('log2 of the number of weights'),
});
export type LemmatizerOptions = z.infer<typeof lemmatizerOptions>;
