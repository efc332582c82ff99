import type { Paradigm } from '../../parser.ts';
import { type SpansOptions, spansOptions } from './options.ts';
import { SpansParser } from './spans-parser.ts';
import { train } from './train.ts';

export const spans: Paradigm<SpansOptions> = {
  name: 'spans',
  summary:
    'A recurrent network scores spans of words, and the best phrase-structure tree is taken (Zhang et al. 2020).',
  needsPhrases: true,
  options: spansOptions,
  takesVectors: true,
  keepsState: () => true,
  train,
  load: SpansParser.load,
};
