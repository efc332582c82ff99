import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holm } from '../../../src/evaluate/significance/resampling.ts';

test('the i-th smallest p of m is multiplied by m − i + 1, and is at least the p before it', () => {
  expect(holm([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
});

test('an adjusted p is at most 1', () => {
  expect(holm([0.7, 0.6])).toEqual([1, 1]);
});

test('one comparison is not corrected, and no comparisons give an empty list', () => {
  expect(holm([0.04])).toEqual([0.04]);
  expect(holm([])).toEqual([]);
});

test('equal p-values stay equal', () => {
  expect(holm([0.02, 0.02, 0.02])).toEqual([0.06, 0.06, 0.06]);
});

/**
 * The closed test, of which Holm’s is a shortcut: the largest p of all sets of hypotheses with this one, where the
 * p of a set is its smallest p times its size.
 */
function closedBonferroni(pValues: readonly number[]): number[] {
  const adjusted = pValues.map(() => 0);
  for (let set = 1; set < 2 ** pValues.length; set++) {
    const members = [...pValues.keys()].filter((i) => (set >> i) & 1);
    const p = Math.min(1, members.length * Math.min(...members.map((i) => pValues[i])));
    for (const i of members) adjusted[i] = Math.max(adjusted[i], p);
  }
  return adjusted;
}

test('a comparison is rejected when Bonferroni rejects every set of comparisons that it is in', () => {
  const p = fc.oneof(fc.constantFrom(0, 0.01, 0.02, 0.5, 1), fc.double({ min: 0, max: 1, noNaN: true }));
  fc.assert(
    fc.property(fc.array(p, { maxLength: 8 }), (pValues) => {
      const expected = closedBonferroni(pValues);
      holm(pValues).forEach((adjusted, i) => {
        expect(adjusted).toBeCloseTo(expected[i], 12);
      });
    }),
  );
});
