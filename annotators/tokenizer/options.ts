import { z } from 'zod';
import { between, givenFileOption, whole } from '../../src/training/options.ts';

export const tokenizerOptions = z.strictObject({
  epochs: whole(1, 1000).default(8).describe('passes over the training data'),
  bits: whole(10, 24).default(19).describe('log2 of the number of weights: more bits, larger model'),
  joined: between(0, 1)
    .default(0.05)
    .describe(
      'share of paragraphs joined to the previous one, so that the sentence ends between them are learnt',
    ),
  text: givenFileOption(
    'raw text (maybe gzip), for languages without blanks between words: the association of neighbouring characters or syllables in it becomes a feature',
  ),
});
export type TokenizerOptions = z.infer<typeof tokenizerOptions>;
