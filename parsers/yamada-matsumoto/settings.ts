import { MOST_CHUNK } from '../../src/encoding/chunks.ts';
import { type NumberingSettings, tagsIn } from '../../src/encoding/numbering.ts';
import { type SvmMulticlass, svmMulticlass } from '../../src/learn/svm/multiclass.ts';
import type { PolynomialDegree } from '../../src/learn/svm/polynomial-features.ts';
import type { HeaderFields } from '../../src/model/header-fields.ts';

/** The most trees to a side that can be asked for. */
export const MOST_CONTEXT = 9;

/** Of which nodes of the window children are looked at: of all, of those to the left of the pair's middle, or right. */
export const childrenPlaces = ['window', 'left', 'right'] as const;
export type ChildrenPlace = (typeof childrenPlaces)[number];

export const degrees = [1, 2, 3] as const satisfies readonly PolynomialDegree[];

/** What a trained parser must know of how it was trained: some options, and what the data decided. */
export interface YamadaMatsumotoSettings extends NumberingSettings {
  /** Of the polynomial kernel. */
  readonly degree: PolynomialDegree;
  /** How actions are told apart; `one-vs-rest` where a model does not say. Labels always are so. */
  readonly multiclass?: SvmMulticlass | undefined;
  /** How many trees to the left and to the right of the two in focus are looked at. */
  readonly context: readonly [left: number, right: number];
  /** Whether the children of nodes are looked at. */
  readonly children: boolean;
  /** Of which of them; of all where a model does not say. */
  readonly childrenOf: ChildrenPlace;
  /** Whether the action before is a feature; not where a model does not say. */
  readonly lastAction: boolean;
  /** Whether there is a classifier for each tag, not one for all. */
  readonly splitByTag: boolean;
  /** Whether there are morphological features to look at. */
  readonly feats: boolean;
  readonly singleRoot: boolean;
  readonly maxLength: number;
}

/** The settings in a model's header; throws `InputError` where they are not such. */
export function yamadaMatsumotoSettings(fields: HeaderFields): YamadaMatsumotoSettings {
  const context = fields.integers('context', 0);
  if (context.length !== 2 || Math.max(...context) > MOST_CONTEXT) {
    fields.refuse('context', `two numbers up to ${MOST_CONTEXT}`);
  }
  return {
    degree: fields.choice('degree', degrees),
    multiclass: fields.has('multiclass') ? fields.choice('multiclass', svmMulticlass) : undefined,
    context: [context[0], context[1]],
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
