import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chosenRuns, mean, standardDeviation } from '../../../experiment/cells/figures.ts';

const several = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 20 });

describe('the statistics of several seeds', () => {
  it('are the mean and the sample standard deviation, over n − 1', () => {
    expect(mean([2, 4, 9])).toBe(5);
    expect(standardDeviation([2, 4, 9])).toBe(Math.sqrt((9 + 1 + 16) / 2));
  });

  it('have no deviation for a single value', () => {
    expect(standardDeviation([5])).toBeUndefined();
  });

  it('have the same deviation if all values are shifted', () => {
    fc.assert(
      fc.property(several, fc.integer({ min: -1000, max: 1000 }), (values, shift) => {
        const shifted = values.map((value) => value + shift);
        expect(standardDeviation(shifted)).toBeCloseTo(standardDeviation(values)!, 6);
      }),
    );
  });

  it('are over all runs for the mean, and from the first extreme run for the best and the worst', () => {
    expect(chosenRuns([3, 5, 5, 1], 'mean', 'higher')).toEqual([0, 1, 2, 3]);
    expect(chosenRuns([3, 5, 5, 1], 'best', 'higher')).toEqual([1]);
    expect(chosenRuns([3, 5, 5, 1], 'worst', 'higher')).toEqual([3]);
    expect(chosenRuns([3, 5, 5, 1], 'best', 'lower')).toEqual([3]);
    expect(chosenRuns([3, 5, 5, 1], 'worst', 'lower')).toEqual([1]);
  });
});
