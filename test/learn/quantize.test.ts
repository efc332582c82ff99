import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quantized } from '../../src/learn/quantize.ts';

const weights = fc
  .array(fc.float({ min: -1000, max: 1000, noNaN: true }), { minLength: 1, maxLength: 50 })
  .map((values) => Float32Array.from(values));

describe('quantized weights', () => {
  test('are the weights times one factor, the largest at ±32767, within half a step', () => {
    fc.assert(
      fc.property(weights, (values) => {
        const largest = Math.max(...values.map(Math.abs));
        quantized(values).forEach((value, i) => {
          const exact = largest === 0 ? 0 : (values[i] / largest) * 32767;
          expect(Math.abs(value - exact)).toBeLessThanOrEqual(0.5001);
        });
      }),
    );
  });

  test('of nothing but zeros are zeros', () => {
    expect(quantized(new Float32Array(3))).toEqual(new Int16Array(3));
  });
});
