import { expect, test } from 'vitest';
import { precisionRecall } from '../../src/evaluate/percent.ts';

const none = Number.NaN;

test.each([
  { found: 3, gold: 4, right: 3, predicted: 6, precision: 50, recall: 75, f1: 60 },
  { found: 0, gold: 4, right: 0, predicted: 6, precision: 0, recall: 0, f1: 0 },
  { found: 0, gold: 4, right: 0, predicted: 0, precision: none, recall: 0, f1: 0 },
  { found: 0, gold: 0, right: 0, predicted: 6, precision: 0, recall: none, f1: 0 },
  { found: 1, gold: 4, right: 0, predicted: 0, precision: none, recall: 25, f1: none },
  { found: 0, gold: 0, right: 3, predicted: 6, precision: 50, recall: none, f1: none },
  { found: 1, gold: 4, right: 0, predicted: 6, precision: 0, recall: 25, f1: 0 },
  { found: 0, gold: 0, right: 0, predicted: 0, precision: none, recall: none, f1: none },
])(
  '$found of $gold gold items found, $right of $predicted predicted ones right: F1 $f1',
  ({ found, gold, right, predicted, ...figures }) => {
    expect(precisionRecall(found, gold, right, predicted)).toEqual(figures);
  },
);
