import fc from 'fast-check';
import { expect, test } from 'vitest';
import { depths } from '../../../src/evaluate/breakdowns/buckets.ts';

/** Climbs from d; n + 1 steps without reaching 0 mean a cycle. */
function climb(heads: Int32Array, d: number): number {
  let steps = 0;
  for (let at = d; at !== 0; at = heads[at]!) if (++steps > heads.length) return -1;
  return steps;
}

const anyHeads = fc
  .integer({ min: 1, max: 12 })
  .chain((n) => fc.array(fc.integer({ min: 0, max: n }), { minLength: n, maxLength: n }))
  .map((heads) => Int32Array.from([-1, ...heads]));

test('a token’s depth is the number of arcs to the artificial root, −1 on or below a cycle', () => {
  fc.assert(
    fc.property(anyHeads, (heads) => {
      expect([...depths(heads)]).toEqual(Array.from(heads, (_, d) => climb(heads, d)));
    }),
  );
});

test('a chain of 100,000 tokens needs neither recursion nor quadratic time', () => {
  const n = 100_000;
  const heads = Int32Array.from({ length: n + 1 }, (_, d) => (d === n ? 0 : d + 1));
  expect(depths(heads)[1]).toBe(n);
});
