import type { Paradigm } from '../parser.ts';
import { type PcfgOptions, pcfgOptions } from './options.ts';
import { PcfgParser } from './pcfg-parser.ts';
import { train } from './train.ts';

/** Constituency parsing with a grammar read off the trees of a treebank. */
export const pcfg: Paradigm<PcfgOptions> = {
  name: 'pcfg',
  summary: 'Reads a grammar off bracketed trees, and takes the most probable tree (Klein & Manning 2003).',
  needsPhrases: true,
  options: pcfgOptions,
  keepsState: ({ splitMerge = 0 }) => splitMerge > 0,
  train,
  load: PcfgParser.load,
};
