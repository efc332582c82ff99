import { expect, test } from 'vitest';
import { SparseExamples } from '../../../src/learn/svm/examples.ts';
import { predict } from '../../../src/learn/svm/linear-model.ts';

/** The predicted class of each list of features, with values of 1. The model has two features and three classes. */
function predicted(bias: number | undefined, ...examples: readonly (readonly number[])[]): number[] {
  const sparse = new SparseExamples();
  for (const features of examples) sparse.add(Int32Array.from(features), features.length, 0);
  const weights = Float32Array.of(1, 2, 0, 0, 0, 3, 0, 0, 1);
  return [...predict({ classes: 3, size: 2, bias, weights }, sparse)];
}

test('the predicted class is the one with the highest sum of weights', () => {
  expect(predicted(undefined, [0], [1], [0, 1])).toEqual([1, 2, 2]);
});

test('the first of several classes with equal scores is predicted', () => {
  expect(predicted(undefined, [])).toEqual([0]);
});

test('the bias is a feature that every example has', () => {
  expect(predicted(1, [], [0])).toEqual([2, 1]);
  expect(predicted(4, [0])).toEqual([2]);
});

test('features that the model does not know are ignored', () => {
  expect(predicted(1, [0, 2], [0, 7])).toEqual([1, 1]);
});

test('weights are multiplied by the values of features', () => {
  const sparse = new SparseExamples();
  sparse.addWithValues(Int32Array.of(0, 1), Float32Array.of(2, 1), 2, 0);
  const weights = Float32Array.of(1, 2, 0, 0, 0, 3);
  expect([...predict({ classes: 3, size: 2, bias: undefined, weights }, sparse)]).toEqual([1]);
});
