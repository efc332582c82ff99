import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AveragedWeights, quantized, quantizedUnscaled } from '../../../src/learn/linear/weights.ts';
import { expectClose } from '../../support/close.ts';

const SIZE = 8;
const step = fc.record({
  index: fc.integer({ min: 0, max: SIZE - 1 }),
  step: fc.integer({ min: -3, max: 3 }),
});
const training = fc.array(fc.array(step, { maxLength: 4 }), { minLength: 1, maxLength: 30 });

describe('averaged weights', () => {
  test('have the mean of their values over all examples', () => {
    fc.assert(
      fc.property(training, (examples) => {
        const weights = new AveragedWeights(SIZE);
        const sums = Float64Array.from(weights.values);
        for (const changes of examples) {
          for (const change of changes) weights.add(change.index, change.step);
          weights.examples++;
          weights.values.forEach((value, i) => {
            sums[i] += value;
          });
        }
        const means = weights.mean();
        expectClose(
          means,
          sums.map((sum) => sum / (examples.length + 1)),
          4,
        );
      }),
    );
  });

  test('stop at ±32,767 instead of overflowing, also in their mean', () => {
    const weights = new AveragedWeights(2);
    weights.add(0, 32_767);
    weights.add(0, 5);
    weights.add(1, -40_000);
    expect([...weights.values]).toEqual([32_767, -32_767]);
    weights.examples++;
    expect(weights.mean()[1]).toBe(-32_767 / 2);
  });
});

describe('quantized weights', () => {
  const vector = fc.array(fc.float({ min: -1000, max: 1000, noNaN: true }), { minLength: 1, maxLength: 30 });

  test('are the nearest whole numbers to the weights times the largest whole factor that fits ±32,767', () => {
    fc.assert(
      fc.property(vector, (values) => {
        const weights = Float32Array.from(values);
        const largest = Math.max(...weights.map(Math.abs));
        const factor = largest === 0 ? 1 : Math.floor(32_767 / largest);
        const exact = Array.from(weights, (weight) => weight * factor);
        for (const [i, value] of quantized(weights).entries()) {
          expect(Math.abs(value - exact[i])).toBeLessThanOrEqual(0.5);
        }
      }),
    );
  });

  test('are exact for whole weights', () => {
    expect([...quantized(Float32Array.of(1, -3, 0, 2))]).toEqual([10_922, -32_766, 0, 21_844]);
    expect([...quantized(new Float32Array(2))]).toEqual([0, 0]);
  });
});

test('weights quantized without a scale are the nearest whole numbers', () => {
  expect([...quantizedUnscaled(Float32Array.of(1.4, -3.6, 0.25, 200.75))]).toEqual([1, -4, 0, 201]);
});
