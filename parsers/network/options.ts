import { z } from 'zod';
import { decoderNames } from '../../src/decode/registry.ts';
import { DROPOUT } from '../../src/learn/network/sentence-layers.ts';
import { epochsOption, sentenceOptions } from '../../src/training/network/options.ts';
import { encodingOptions, maxLengthOption, shuffleOption } from '../../src/training/options.ts';
import { morphologyColumns } from '../../src/treebank/columns/names.ts';

export const bounds = { steps: 8000, leastEpochs: 12, mostEpochs: 50 };

/** Training options of the network, with all defaults. */
export const networkOptions = z.strictObject({
  epochs: epochsOption(bounds),
  decoder: z
    .enum(decoderNames)
    .default('chu-liu-edmonds')
    .describe('how the best tree is found; eisner gives projective trees only'),
  ...sentenceOptions({ units: 112, dropout: DROPOUT, rate: 0.004, characters: 0 }),
  tagTask: z
    .array(z.enum(morphologyColumns))
    .min(1)
    .optional()
    .describe(
      'columns that the network predicts as auxiliary tasks, from its first LSTM layer, and does not read (default: none); if they are all the tags of the treebank, lemmas are not read, either',
    ),
  features: z
    .enum(['both', 'whole', 'single'])
    .default('both')
    .describe('how FEATS is read: as one string (whole), feature by feature (single), or both'),
  ...encodingOptions,
  shuffle: shuffleOption,
  maxLength: maxLengthOption(1000),
});

export type NetworkOptions = z.infer<typeof networkOptions>;
