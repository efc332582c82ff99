import { z } from 'zod';

/** How a tagger is learnt. */
export const taggerOptions = z.strictObject({
  epochs: z.int().min(1).max(1000).default(10).describe('passes over the training data'),
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
});
export type TaggerOptions = z.infer<typeof taggerOptions>;
