import { describe, expect, test } from 'vitest';
import { wilsonInterval } from '../../../src/evaluate/significance/resampling.ts';

describe('Wilson’s interval', () => {
  test('is that of the published example: 15 of 148 (Newcombe 1998, table I)', () => {
    const { low, high } = wilsonInterval((100 * 15) / 148, 148);
    expect([low, high].map((end) => Number((end / 100).toFixed(4)))).toEqual([0.0624, 0.1605]);
  });

  test('stays between 0 and 100 per cent, and has a length above 0 at either end', () => {
    expect(wilsonInterval(100, 20).high).toBeCloseTo(100, 10);
    expect(wilsonInterval(100, 20).low).toBeLessThan(90);
    for (let total = 1; total < 200; total++) expect(wilsonInterval(0, total).low).toBe(0);
    expect(wilsonInterval(0, 29).high / 100).toBeCloseTo(0.117, 3);
  });
});
