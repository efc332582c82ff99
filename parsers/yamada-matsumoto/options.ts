import { z } from 'zod';
import { OptionError } from '../../src/errors.ts';
import { svmMulticlass } from '../../src/learn/svm/multiclass.ts';
import type { PolynomialDegree } from '../../src/learn/svm/polynomial-features.ts';
import {
  between,
  encodingOptions,
  maxLengthOption,
  pseudoProjectiveOption,
  whole,
} from '../../src/training/options.ts';
import { childrenPlaces, classifierLearners, featureSets } from './settings.ts';

/** Default of C by degree: kernels of different degrees have different scales. */
export const standardCosts: Readonly<Record<PolynomialDegree, number>> = { 1: 0.1, 2: 0.01, 3: 0.01 };

/** Classifiers are split by tag from this number of sentences on: below, one for all learns better (docs/notes.md). */
export const SPLIT_FROM = 5000;

/** Training options of the parser of Yamada & Matsumoto, with all defaults. */
export const yamadaMatsumotoOptions = z.strictObject({
  degree: whole(1, 3).default(2).describe('degree of the polynomial kernel'),
  learner: z
    .enum(classifierLearners)
    .optional()
    .describe('learner of the classifiers: support vector machine or perceptron (default: svm)'),
  multiclass: z
    .enum(svmMulticlass)
    .optional()
    .describe(
      'multi-class method of the action classifiers: a machine per class, per pair of classes, or one for all classes (default: one-vs-rest, as always for labels)',
    ),
  context: z
    .string()
    .regex(/^\d,\d$/, 'expected LEFT,RIGHT, as 2,2')
    .default('2,2')
    .describe('number of nodes in the window to the left and to the right of the two in focus'),
  features: z
    .enum(featureSets)
    .default('extended')
    .describe(
      'features of actions: as in the paper; or also the words before and after the two nodes in focus, and their morphology',
    ),
  children: z.boolean().default(true).describe('no features of the children of nodes'),
  childrenOf: z
    .enum(childrenPlaces)
    .default('window')
    .describe(
      'nodes of the window whose children are features: all, those up to the left node in focus, or those from the right one on',
    ),
  rare: whole(1, 1000).optional().describe('treat forms seen at most this often as unknown (default: none)'),
  lastAction: z.boolean().default(false).describe('a feature of the previous action'),
  splitByTag: z
    .boolean()
    .optional()
    .describe(
      `a classifier for each tag of the left node (actions) or the dependent (labels), as in the paper: faster (default: from ${SPLIT_FROM} sentences on; below, one for all tags)`,
    ),
  pseudoProjective: pseudoProjectiveOption,
  cost: between(1e-6, 1e6)
    .optional()
    .describe(
      `cost C of errors in training (default: ${standardCosts[2]}, with degree 1 ${standardCosts[1]})`,
    ),
  ...encodingOptions,
  bits: whole(10, 28).default(22).describe('2^n weights'),
  maxLength: maxLengthOption(1000),
});

export type YamadaMatsumotoOptions = z.infer<typeof yamadaMatsumotoOptions>;

/** Throws `OptionError` for options of support vector machines with another learner. */
export function checkLearner({ learner, multiclass, cost }: YamadaMatsumotoOptions): void {
  if (learner !== 'averaged-perceptron') return;
  const stray = Object.entries({ multiclass, cost }).find(([, value]) => value !== undefined);
  if (stray === undefined) return;
  throw new OptionError((option) => `${option(...stray)} does not go with ${option('learner', learner)}`);
}
