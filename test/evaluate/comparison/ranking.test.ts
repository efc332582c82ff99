import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ranked } from '../../../src/evaluate/comparison/ranking.ts';
import { pairsOf } from '../../../src/evaluate/significance/resampling.ts';

/** Tests of every pair, of which the named ones are significant. */
function tests(scores: readonly number[], significant: readonly string[]) {
  return pairsOf(scores.length).map(([a, b]) => {
    const p = significant.includes(`${a}${b}`) ? 0.01 : 0.5;
    return { a, b, test: { difference: scores[a] - scores[b], shuffling: { p, corrected: p } } };
  });
}

const groups = (scores: readonly number[], ...significant: string[]) =>
  ranked(scores, tests(scores, significant)).groups;

describe('parsers in the order of their scores', () => {
  test('begin with the best, of equal ones with the one given first', () => {
    expect(ranked([70, 80, 80, 90], tests([70, 80, 80, 90], [])).order).toEqual([3, 1, 2, 0]);
  });

  test('form one group if no two differ, and a group each if all differ', () => {
    expect(groups([70, 80, 90])).toEqual([[2, 1, 0]]);
    expect(groups([70, 80, 90], '01', '02', '12')).toEqual([[2], [1], [0]]);
  });

  test('belong to two groups if they lie between two parsers that differ', () => {
    expect(groups([90, 80, 70], '02')).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  test('share a group if and only if they do not differ significantly; no group is part of another', () => {
    const cases = fc
      .integer({ min: 2, max: 7 })
      .chain((n) =>
        fc.tuple(fc.array(fc.integer({ max: 9 }), { minLength: n, maxLength: n }), fc.subarray(pairsOf(n))),
      );
    fc.assert(
      fc.property(cases, ([scores, differing]) => {
        const names = differing.map(([a, b]) => `${a}${b}`);
        const found = groups(scores, ...names);
        for (const [a, b] of pairsOf(scores.length)) {
          const together = found.some((group) => group.includes(a) && group.includes(b));
          expect(together).toBe(!names.includes(`${a}${b}`));
        }
        expect(new Set(found.flat()).size).toBe(scores.length);
        for (const one of found) {
          const within = found.filter((other) => one.every((parser) => other.includes(parser)));
          expect(within).toEqual([one]);
        }
      }),
    );
  });
});
