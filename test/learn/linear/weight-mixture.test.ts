import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WeightMixture } from '../../../src/learn/linear/weight-mixture.ts';
import { AveragedWeights } from '../../../src/learn/linear/weights.ts';

/** Updates of weights by index, one list per example. */
type Examples = readonly (readonly (readonly [index: number, step: number])[])[];

function learn(weights: AveragedWeights, examples: Examples, onExample: () => void = () => undefined): void {
  for (const steps of examples) {
    for (const [index, step] of steps) weights.add(index, step);
    weights.examples++;
    onExample();
  }
}

/** Trains each shard from the same weights, which the mixture then replaces. */
function mix(mixture: WeightMixture, start: AveragedWeights, shards: readonly Examples[]): void {
  const learnt = shards.map((examples) => {
    const own = new AveragedWeights(start.size, {
      values: start.values.slice(),
      totals: start.totals.slice(),
    });
    own.examples = start.examples;
    learn(own, examples);
    return own;
  });
  for (const own of learnt) mixture.add(own);
  mixture.replace(start);
}

const SIZE = 3;
const step = fc.tuple(fc.integer({ min: 0, max: SIZE - 1 }), fc.integer({ min: -9, max: 9 }));
const examples = fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 5 });
const epochs = fc
  .integer({ min: 1, max: 4 })
  .chain((shards) =>
    fc.array(fc.array(examples, { minLength: shards, maxLength: shards }), { maxLength: 4 }),
  );

describe('a mixture of weights', () => {
  test('has the mean of the shards’ weights, and averages over the examples of all shards', () => {
    const weights = new AveragedWeights(2);
    learn(weights, [[[0, 6]]]);
    const mixture = new WeightMixture(2);
    // From (6, 0) one shard goes to (9, 0) and (8, 0), the other to (6, 5).
    mix(mixture, weights, [[[[0, 3]], [[0, -1]]], [[[1, 5]]]]);
    // (8 + 6) / 2; (0 + 5) / 2 = 2.5, which becomes 3.
    expect([...weights.values]).toEqual([7, 3]);
    // (0 + 6 + 9 + 8 + 6) / 5; (0 + 0 + 0 + 0 + 5) / 5.
    expect(weights.examples).toBe(5);
    expect([...weights.mean()]).toEqual([Math.fround(5.8), 1]);
    // The exact mean was 2.5: with half a step more it is 3.
    mix(mixture, weights, [[[[1, 1]]], []]);
    expect([...weights.values]).toEqual([7, 3]);
    // (29 + 7) / 6; (5 + 4) / 6.
    expect([...weights.mean()]).toEqual([6, 1.5]);
  });

  test('loses no small update, even if most shards do not make it', () => {
    const weights = new AveragedWeights(1);
    const mixture = new WeightMixture(1);
    for (let epoch = 0; epoch < 8; epoch++) mix(mixture, weights, [[[[0, 1]]], [], [], []]);
    expect([...weights.values]).toEqual([2]);
  });

  test('differs from the exact mean only by rounding, and its mean over time is exact', () => {
    fc.assert(
      fc.property(epochs, (all) => {
        const weights = new AveragedWeights(SIZE);
        const mixture = new WeightMixture(SIZE);
        const exact = new Float64Array(SIZE);
        const past = new Float64Array(SIZE);
        let count = 1;
        for (const shards of all) {
          for (const one of shards) {
            const own = new AveragedWeights(SIZE, {
              values: weights.values.slice(),
              totals: new Float64Array(SIZE),
            });
            learn(own, one, () => {
              count++;
              own.values.forEach((value, i) => {
                past[i] += value;
              });
            });
            for (let i = 0; i < SIZE; i++) exact[i] += (own.values[i] - weights.values[i]) / shards.length;
          }
          mix(mixture, weights, shards);
          for (let i = 0; i < SIZE; i++) {
            expect(Math.abs(weights.values[i] - exact[i])).toBeLessThanOrEqual(0.5 + 1e-9);
            expect(weights.mean()[i]).toBeCloseTo(past[i] / count, 4);
          }
        }
      }),
    );
  });

  test('of one shard has the weights and the mean of that shard', () => {
    fc.assert(
      fc.property(examples, examples, (first, second) => {
        const [plain, mixed] = [new AveragedWeights(SIZE), new AveragedWeights(SIZE)];
        const mixture = new WeightMixture(SIZE);
        for (const one of [first, second]) {
          learn(plain, one);
          mix(mixture, mixed, [one]);
        }
        expect({ ...mixed }).toEqual({ ...plain });
      }),
    );
  });
});
