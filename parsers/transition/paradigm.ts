import { judgesEpochs } from '../../src/training/options.ts';
import type { Paradigm } from '../parser.ts';
import { transitionTemplates } from './learning/training-data.ts';
import { type TransitionOptions, transitionOptions } from './options.ts';
import { linear, train } from './train.ts';
import { TransitionParser } from './transition-parser.ts';

/** Transition-based dependency parsing. */
export const transition: Paradigm<TransitionOptions> = {
  name: 'transition',
  summary: 'Builds the tree step by step, by transitions that a classifier chooses (Nivre 2008).',
  options: transitionOptions,
  templates: transitionTemplates,
  takesGuides: true,
  takesSilver: ({ learner }) => learner !== 'svm',
  keepsState: ({ learner }) => learner !== 'svm',
  needsHeldOut: judgesEpochs,
  train,
  load: TransitionParser.load,
  linear,
};
