import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AveragedWeights, FeatureDifference } from '../../../src/learn/linear/weights.ts';

/** Large enough for more features than the initial capacity of a vector. */
const SIZE = 4096;
const answer = fc.array(fc.nat(SIZE - 1), { maxLength: 2500, size: 'max' });

/** The difference of two lists of features as a dense vector. */
function dense(right: readonly number[], wrong: readonly number[]): number[] {
  const vector = Array<number>(SIZE).fill(0);
  for (const index of right) vector[index]++;
  for (const index of wrong) vector[index]--;
  return vector;
}

function addTo(difference: FeatureDifference, right: readonly number[], wrong: readonly number[]): void {
  for (const index of right) difference.add(index, 1);
  for (const index of wrong) difference.add(index, -1);
}

describe('the difference of two answers', () => {
  test('has the same squared norm, update of the weights and score as a dense vector', () => {
    const weights = new AveragedWeights(SIZE);
    const difference = new FeatureDifference(weights);
    fc.assert(
      fc.property(answer, answer, (right, wrong) => {
        difference.clear();
        addTo(difference, right, wrong);
        const expected = dense(right, wrong);
        const squaredNorm = expected.reduce((sum, value) => sum + value ** 2, 0);
        expect(difference.squaredNorm()).toBe(squaredNorm);
        weights.values.fill(0);
        difference.apply(3);
        expect([...weights.values]).toEqual(expected.map((value) => 3 * value || 0));
        expect(difference.score()).toBe(3 * squaredNorm);
      }),
    );
  });

  test('has the same inner product with another difference as dense vectors', () => {
    const weights = new AveragedWeights(SIZE);
    // Reused, as in training: cleared features must not count.
    const differences = [new FeatureDifference(weights), new FeatureDifference(weights)] as const;
    const fill = (i: 0 | 1, [right, wrong]: readonly [readonly number[], readonly number[]]) => {
      const difference = differences[i];
      difference.clear();
      addTo(difference, right, wrong);
      return difference;
    };
    fc.assert(
      fc.property(fc.tuple(answer, answer), fc.tuple(answer, answer), (one, other) => {
        const literal = dense(...other);
        const expected = dense(...one).reduce((sum, value, i) => sum + value * literal[i], 0);
        expect(fill(0, one).product(fill(1, other))).toBe(expected);
      }),
    );
  });
});
