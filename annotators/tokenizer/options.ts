import { z } from 'zod';

export const tokenizerOptions = z.strictObject({
  epochs: z.int().min(1).max(1000).default(8).describe('passes over the training data'),
  bits: z
    .int()
    .min(10)
    .max(24)
    .default(19)
    .describe('log2 of the number of weights: more bits, larger model'),
  joined: z
    .number()
    .min(0)
    .max(1)
    .default(0.05)
    .describe(
      'share of paragraphs joined with the previous one, so that sentence ends at paragraph ends are learned',
    ),
});
export type TokenizerOptions = z.infer<typeof tokenizerOptions>;
