import { z } from 'zod';
import { epochsOption, sentenceOptions } from '../../../src/training/network/options.ts';
import { encodingOptions, maxLengthOption, shuffleOption } from '../../../src/training/options.ts';
import { tagSources } from '../pcfg-parser.ts';

export const bounds = { steps: 14_000, leastEpochs: 12, mostEpochs: 50 };

/** Training options of span parsing, with all defaults. */
export const spansOptions = z.strictObject({
  epochs: epochsOption(bounds),
  tags: z
    .enum(tagSources)
    .default('own')
    .describe("tag words itself, or take the sentences' tags (xpos), which are then features, too"),
  ...sentenceOptions({ units: 144, dropout: 0.25, rate: 0.004, characters: 32 }),
  normalize: encodingOptions.normalize,
  shuffle: shuffleOption,
  maxLength: maxLengthOption(300),
});

export type SpansOptions = z.infer<typeof spansOptions>;
