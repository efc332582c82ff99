import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AveragedWeights, quantized } from '../../src/learn/weights.ts';

const SIZE = 8;
const step = fc.record({
  index: fc.integer({ min: 0, max: SIZE - 1 }),
  step: fc.integer({ min: -3, max: 3 }),
});
const training = fc.array(fc.array(step, { maxLength: 4 }), { minLength: 1, maxLength: 30 });

describe('averaged weights', () => {
  test('have the mean of their values, which is quantized so that the largest is ±32,767, within half a step', () => {
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
        const largest = Math.max(...sums.map(Math.abs));
        quantized(weights.mean()).forEach((value, i) => {
          const exact = largest === 0 ? 0 : (sums[i] / largest) * 32_767;
          expect(Math.abs(value - exact)).toBeLessThan(0.51);
        });
      }),
    );
  });

  test('stop at ±32,767 instead of turning into their opposite, and so does what is averaged', () => {
    const weights = new AveragedWeights(2);
    weights.add(0, 32_767);
    weights.add(0, 5);
    weights.add(1, -40_000);
    expect([...weights.values]).toEqual([32_767, -32_767]);
    weights.examples++;
    expect([...quantized(weights.mean())]).toEqual([32_767, -32_767]);
  });
});
