import { MOST_CHUNK } from '../../src/encoding/chunks.ts';
import { type NumberingSettings, tagsIn } from '../../src/encoding/numbering.ts';
import { svmMulticlass } from '../../src/learn/svm/multiclass.ts';
import type { PolynomialDegree } from '../../src/learn/svm/polynomial-features.ts';
import type { HeaderFields } from '../../src/model/header-fields.ts';

/** Limit on the nodes of the window on either side of the focus. */
const MOST_CONTEXT = 9;

/** The nodes of the window whose children are features: all, or those on one side of the middle of the focus. */
export const childrenPlaces = ['window', 'left', 'right'] as const;

/** The features of actions: from the paper, or more. */
export const featureSets = ['paper', 'extended'] as const;

/** How classifiers learn; the first is the default. */
export const classifierLearners = ['svm', 'averaged-perceptron'] as const;
export type ClassifierLearner = (typeof classifierLearners)[number];

export const degrees = [1, 2, 3] as const satisfies readonly PolynomialDegree[];

/** Settings saved in the model: options that parsing needs, and values derived from the training data. */
export type YamadaMatsumotoSettings = NumberingSettings &
  Readonly<Omit<ReturnType<typeof yamadaMatsumotoSettings>, keyof NumberingSettings>>;

/** Reads the settings in a model's header; throws `InputError` for malformed ones. */
export function yamadaMatsumotoSettings(fields: HeaderFields) {
  const context = fields.integers('context', 0);
  if (context.length !== 2 || Math.max(...context) > MOST_CONTEXT)
    fields.refuse('context', `two numbers up to ${MOST_CONTEXT}`);
  return {
    degree: fields.choice('degree', degrees),
    /** The multi-class method of action classifiers; absent: `one-vs-rest`, as always for labels. */
    multiclass: fields.has('multiclass') ? fields.choice('multiclass', svmMulticlass) : undefined,
    /** Number of nodes in the window to the left and to the right of the two in focus. */
    context: [context[0], context[1]] as const,
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
