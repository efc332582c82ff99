import { z } from 'zod';

/** How a lemmatizer is learnt. */
export const lemmatizerOptions = z.strictObject({
  epochs: z
    .int()
    .min(1)
    .max(1000)
    .default(8)
    .describe('passes over the different words of the training data'),
  cutoff: z
    .int()
    .min(1)
    .max(255)
    .default(2)
    .describe('unknown words are not lemmatized by rules that fewer different words follow'),
  bits: z.int().min(10).max(26).default(20).describe('weights have indices of this many bits'),
});
export type LemmatizerOptions = z.infer<typeof lemmatizerOptions>;
