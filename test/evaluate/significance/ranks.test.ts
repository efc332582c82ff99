import { describe, expect, it } from 'vitest';
import { criticalDifference, ranks } from '../../../src/evaluate/significance/over-treebanks.ts';

describe('ranks', () => {
  it('are 1 for the best, and shared by equal values', () => {
    expect(ranks([0.763, 0.768, 0.771, 0.798])).toEqual([4, 3, 2, 1]);
    expect(ranks([0.5, 0.9, 0.5, 0.1])).toEqual([2.5, 1, 2.5, 4]);
    expect(ranks([3, 1, 2], 'lower')).toEqual([3, 1, 2]);
  });

  it('are shared by means that differ only by rounding errors', () => {
    const [mean, turned] = [(0.1 + 0.2 + 0.3) / 3, (0.3 + 0.2 + 0.1) / 3];
    expect(mean).not.toBe(turned);
    expect(ranks([mean, turned, 0.1])).toEqual([1.5, 1.5, 3]);
  });
});

describe('Nemenyi’s critical difference', () => {
  // Demšar (2006), table 5 (a): q at 0.05 for 2 … 10 classifiers.
  const q = [1.96, 2.343, 2.569, 2.728, 2.85, 2.949, 3.031, 3.102, 3.164];

  it.each(q.map((value, i) => [i + 2, value] as const))('for %i systems has q = %d', (k, value) => {
    const blocks = 10;
    const expected = value * Math.sqrt((k * (k + 1)) / (6 * blocks));
    expect(criticalDifference(k, blocks)).toBeCloseTo(expected, 2);
  });

  it('of four classifiers on fourteen data sets is 1.25 (section 3.2.2)', () => {
    expect(criticalDifference(4, 14)).toBeCloseTo(1.25, 2);
  });
});
