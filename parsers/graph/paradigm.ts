import { judgesEpochs } from '../../src/training/options.ts';
import type { Paradigm } from '../parser.ts';
import { graphTemplates } from './features/template-sets.ts';
import { GraphParser } from './graph-parser.ts';
import { type GraphOptions, graphOptions } from './options.ts';
import { linear } from './train.ts';

/** Graph-based dependency parsing: the primary paradigm. */
export const graph: Paradigm<GraphOptions> = {
  name: 'graph',
  summary: 'Scores every possible arc, and takes the best tree (McDonald, Crammer & Pereira 2005).',
  options: graphOptions,
  templates: graphTemplates,
  takesGuides: true,
  takesSilver: () => true,
  keepsState: () => true,
  needsHeldOut: judgesEpochs,
  train: (treebank, options, run) => linear.train(treebank, options, run),
  load: GraphParser.load,
  linear,
};
