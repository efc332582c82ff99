import { z } from 'zod';

/** How a tokenizer is learnt. */
export const tokenizerOptions = z.strictObject({
  epochs: z.int().min(1).max(1000).default(8).describe('passes over the training data'),
  bits: z
    .int()
    .min(10)
    .max(24)
    .default(19)
    .describe(
      'features have indices of this many bits: more bits make a larger model that holds more features',
    ),
  joined: z
    .number()
    .min(0)
    .max(1)
    .default(0.05)
    .describe(
      'share of the paragraphs that are joined with the one before, so that their ends are learnt, too',
    ),
});
export type TokenizerOptions = z.infer<typeof tokenizerOptions>;
