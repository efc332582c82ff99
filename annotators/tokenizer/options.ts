import { z } from 'zod';
import { DEFAULT_ENCODING, encodingNamed } from '../../src/files/encoding.ts';
import { LANES } from '../../src/learn/network/layout.ts';
import { between, givenFileOption, whole } from '../../src/training/options.ts';
import { MOST_UNITS } from '../tagger/network/tag-network.ts';

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
  units: whole(0, MOST_UNITS, LANES)
    .default(0)
    .describe(
      `LSTM units per direction, a multiple of ${LANES}, of a network that reads whole paragraphs and also decides where sentences end; 0: no network`,
    ),
});
export type TokenizerOptions = z.infer<typeof tokenizerOptions>;

/** Sets the encoding of the raw text, if there is one; UTF-8 stays unnamed, so that digests do not depend on it. */
export function withEncoding<Options extends object>(
  options: Options,
  encoding: string | undefined,
): Options {
  const { text } = options as Partial<TokenizerOptions>;
  const named = encodingNamed(encoding);
  return text === undefined || named === DEFAULT_ENCODING
    ? options
    : { ...options, text: { ...text, encoding: named } };
}
