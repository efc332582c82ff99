import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CountingRoom, FeatureDifference } from '../../src/learn/difference.ts';
import { AveragedWeights } from '../../src/learn/weights.ts';

const SIZE = 16;
const answer = fc.array(fc.integer(), { maxLength: 2000 });

/** The vector that two lists of features stand for, literally. */
function dense(right: readonly number[], wrong: readonly number[]): number[] {
  const vector = Array<number>(SIZE).fill(0);
  for (const hash of right) vector[hash & (SIZE - 1)]++;
  for (const hash of wrong) vector[(hash ^ 5) & (SIZE - 1)]--;
  return vector;
}

describe('the difference of two answers', () => {
  test('has the squared length of the vector, and moves weights by its multiple', () => {
    const weights = new AveragedWeights(SIZE);
    const difference = new FeatureDifference(weights);
    fc.assert(
      fc.property(answer, answer, (right, wrong) => {
        difference.clear();
        difference.add(Int32Array.from(right), right.length, 0, 1);
        difference.add(Int32Array.from(wrong), wrong.length, 5, -1);
        const expected = dense(right, wrong);
        expect(difference.squaredNorm()).toBe(expected.reduce((sum, value) => sum + value ** 2, 0));
        weights.values.fill(0);
        difference.apply(3);
        expect([...weights.values]).toEqual(expected.map((value) => 3 * value || 0));
      }),
    );
  });

  test('has inner products with others that share its room to count', () => {
    const weights = new AveragedWeights(SIZE);
    const room = new CountingRoom(SIZE);
    fc.assert(
      fc.property(fc.array(fc.tuple(answer, answer), { minLength: 1, maxLength: 4 }), (pairs) => {
        const vectors = pairs.map(([right, wrong]) => {
          const difference = new FeatureDifference(weights, room);
          difference.add(Int32Array.from(right), right.length, 0, 1);
          difference.add(Int32Array.from(wrong), wrong.length, 5, -1);
          return difference;
        });
        const expected = pairs.map(([right, wrong]) => dense(right, wrong));
        vectors.forEach((vector, i) => {
          const products = new Float64Array(vectors.length + 1).fill(99);
          vector.products(vectors, vectors.length, products, 1);
          const literal = expected.map((other) =>
            other.reduce((sum, value, at) => sum + value * expected[i][at], 0),
          );
          expect([...products]).toEqual([99, ...literal]);
        });
        expect(room.counts.every((count) => count === 0)).toBe(true);
      }),
    );
  });
});
