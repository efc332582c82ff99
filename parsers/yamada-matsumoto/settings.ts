import { MOST_CHUNK } from '../../src/encoding/chunks.ts';
import { type NumberingSettings, tagsIn } from '../../src/encoding/numbering.ts';
import { type SvmMulticlass, svmMulticlass } from '../../src/learn/svm/multiclass.ts';
import type { PolynomialDegree } from '../../src/learn/svm/polynomial-features.ts';
import type { HeaderFields } from '../../src/model/header-fields.ts';

/** Limit on the nodes of the window on either side of the focus. */
const MOST_CONTEXT = 9;

/** The nodes of the window whose children are features: all, or those on one side of the middle of the focus. */
export const childrenPlaces = ['window', 'left', 'right'] as const;
export type ChildrenPlace = (typeof childrenPlaces)[number];

/** The features of actions: those of the paper, or more. */
export const featureSets = ['paper', 'extended'] as const;

/** How classifiers learn; the first is the default. */
export const classifierLearners = ['svm', 'averaged-perceptron'] as const;
export type ClassifierLearner = (typeof classifierLearners)[number];

export const degrees = [1, 2, 3] as const satisfies readonly PolynomialDegree[];

/** Settings saved in the model: options that parsing needs, and values derived from the training data. */
export interface YamadaMatsumotoSettings extends NumberingSettings {
  readonly degree: PolynomialDegree;
  /** The multi-class method of action classifiers; absent: `one-vs-rest`, as always for labels. */
  readonly multiclass?: SvmMulticlass | undefined;
  /** Number of nodes in the window to the left and to the right of the two in focus. */
  readonly context: readonly [left: number, right: number];
  /** `paper` if a model does not say. */
  readonly features: (typeof featureSets)[number];
  readonly children: boolean;
  /** The nodes whose children are features; `window` if a model does not say. */
  readonly childrenOf: ChildrenPlace;
  /** Whether the previous action is a feature; false if a model does not say. */
  readonly lastAction: boolean;
  readonly splitByTag: boolean;
  readonly feats: boolean;
  readonly singleRoot: boolean;
  readonly maxLength: number;
}

/** Reads the settings in a model's header; throws `InputError` for malformed ones. */
export function yamadaMatsumotoSettings(fields: HeaderFields): YamadaMatsumotoSettings {
  const context = fields.integers('context', 0);
  if (context.length !== 2 || Math.max(...context) > MOST_CONTEXT)
    fields.refuse('context', `two numbers up to ${MOST_CONTEXT}`);
  return {
    degree: fields.choice('degree', degrees),
    multiclass: fields.has('multiclass') ? fields.choice('multiclass', svmMulticlass) : undefined,
    context: [context[0], context[1]],
    features: fields.has('features') ? fields.choice('features', featureSets) : 'paper',
    children: fields.flag('children'),
    childrenOf: fields.has('childrenOf') ? fields.choice('childrenOf', childrenPlaces) : 'window',
    lastAction: fields.has('lastAction') && fields.flag('lastAction'),
    splitByTag: fields.flag('splitByTag'),
    tags: tagsIn(fields),
    feats: fields.flag('feats'),
    normalize: fields.flag('normalize'),
    stem: 'none',
    singleRoot: fields.flag('singleRoot'),
    maxLength: fields.integer('maxLength', 1, MOST_CHUNK),
  };
}
