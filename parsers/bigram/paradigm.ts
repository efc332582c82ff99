import type { Paradigm } from '../parser.ts';
import { BigramParser } from './bigram-parser.ts';
import { type BigramOptions, bigramOptions } from './options.ts';
import { bigramTemplates } from './patterns/chosen-templates.ts';
import { train } from './train.ts';

/** Parsing by counts of pairs of words, in seconds: weak alone, another voice in a vote. */
export const bigram: Paradigm<BigramOptions> = {
  name: 'bigram',
  summary: 'Counts pairs of words and tags, and takes the most probable tree (Zeman 1998, Collins 1996).',
  options: bigramOptions,
  templates: bigramTemplates,
  train,
  load: BigramParser.load,
};
