import { z } from 'zod';
import { svmMulticlass } from '../../src/learn/svm/multiclass.ts';
import type { PolynomialDegree } from '../../src/learn/svm/polynomial-features.ts';
import {
  between,
  encodingOptions,
  maxLengthOption,
  pseudoProjectiveOption,
  whole,
} from '../../src/training/options.ts';
import { childrenPlaces } from './settings.ts';

/** Default of C by degree: kernels of different degrees have different scales. */
const standardCosts: Readonly<Record<PolynomialDegree, number>> = { 1: 0.1, 2: 0.01, 3: 0.01 };

/** Training options of the parser of Yamada & Matsumoto: the only place that knows their defaults. */
export const yamadaMatsumotoOptions = z.strictObject({
  degree: whole(1, 3).default(2).describe('degree of the polynomial kernel'),
  multiclass: z
    .enum(svmMulticlass)
    .optional()
    .describe(
      'support vector machines for actions: one per class, one per pair of classes, or one for all (default: one-vs-rest, as always for labels)',
    ),
  context: z
    .string()
    .regex(/^\d,\d$/, 'expected LEFT,RIGHT, as 2,2')
    .default('2,2')
    .describe('number of nodes to the left and to the right of the focus that features read'),
  children: z.boolean().default(true).describe('no features of the children of nodes'),
  childrenOf: z
    .enum(childrenPlaces)
    .default('window')
    .describe(
      'nodes whose children features read: all, those up to the left one in focus, or those from the right one on',
    ),
  lastAction: z.boolean().default(false).describe('a feature of the previous action'),
  splitByTag: z
    .boolean()
    .default(true)
    .describe('one classifier for all, not one for each tag of the left node'),
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

export function costOf({ cost }: YamadaMatsumotoOptions, degree: PolynomialDegree): number {
  return cost ?? standardCosts[degree];
}
