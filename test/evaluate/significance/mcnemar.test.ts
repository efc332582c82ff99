import { expect, test } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { mcnemar } from '../../../src/evaluate/significance/mcnemar.ts';

/** Tokens that both, A alone, B alone and neither get right. */
function tokens(both: number, onlyA: number, onlyB: number, neither: number): [Uint8Array, Uint8Array] {
  const kinds = [
    [both, 1, 1],
    [onlyA, 1, 0],
    [onlyB, 0, 1],
    [neither, 0, 0],
  ];
  const answers = kinds.flatMap(([times, a, b]) => Array.from({ length: times }, () => [a, b]));
  return [Uint8Array.from(answers, ([a]) => a), Uint8Array.from(answers, ([, b]) => b)];
}

test('only tokens that exactly one parser gets right count', () => {
  expect(mcnemar(...tokens(100, 3, 1, 7))).toEqual(mcnemar(...tokens(0, 3, 1, 0)));
  expect(mcnemar(...tokens(100, 3, 1, 7))).toMatchObject({ onlyA: 3, onlyB: 1 });
});

test('p is the share of the 2ⁿ assignments of n differing tokens that are at least as extreme', () => {
  for (let n = 0; n <= 12; n++) {
    const given = Array.from({ length: 2 ** n }, (_, way) => way.toString(2).replaceAll('0', '').length);
    for (let onlyA = 0; onlyA <= n; onlyA++) {
      const { oneSided, twoSided } = mcnemar(...tokens(5, onlyA, n - onlyA, 5));
      const share = (test: (toA: number) => boolean) => given.filter(test).length / given.length;
      expect(oneSided).toBeCloseTo(
        share((toA) => toA >= onlyA),
        12,
      );
      expect(twoSided).toBeCloseTo(
        share((toA) => Math.abs(2 * toA - n) >= Math.abs(2 * onlyA - n)),
        12,
      );
    }
  }
});

/**
 * The upper tail of the chi-square distribution with one degree of freedom, by Simpson’s rule on the normal
 * density.
 */
function chiSquareTail(x: number): number {
  const density = (z: number) => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  const steps = 1000;
  const width = Math.sqrt(x) / steps;
  let area = 0;
  for (let i = 0; i <= steps; i++) {
    area += density(i * width) * (i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2);
  }
  return 1 - (2 * area * width) / 3;
}

test('from 25 differing tokens on, chi-square with continuity correction gives the two-sided p within 0.004', () => {
  for (const n of [25, 40, 101, 1000, 5000]) {
    for (const deviations of [0, 0.5, 1, 1.5, 2, 3]) {
      const onlyA = Math.round(n / 2 + (deviations * Math.sqrt(n)) / 2);
      const apart = Math.max(0, Math.abs(2 * onlyA - n) - 1);
      const { twoSided } = mcnemar(...tokens(0, onlyA, n - onlyA, 0));
      expect(Math.abs(twoSided - chiSquareTail(apart ** 2 / n))).toBeLessThan(0.004);
    }
  }
});

test('100,000 differing tokens give exact p-values, although 2 to the power of −100,000 rounds to 0', () => {
  const even = mcnemar(...tokens(0, 50_000, 50_000, 0));
  expect(even.oneSided).toBeCloseTo(0.5 + 1 / Math.sqrt(2 * Math.PI * 100_000), 6);
  expect(even.twoSided).toBe(1);
  const { oneSided } = mcnemar(...tokens(0, 50_500, 49_500, 0));
  expect(oneSided).toBeCloseTo(chiSquareTail(999 ** 2 / 100_000) / 2, 6);
});

test('two parsers that are right on the same tokens have one- and two-sided p = 1', () => {
  expect(mcnemar(...tokens(4, 0, 0, 2))).toEqual({ onlyA: 0, onlyB: 0, oneSided: 1, twoSided: 1 });
});

test('answers for different numbers of tokens are refused', () => {
  expect(() => mcnemar(new Uint8Array(3), new Uint8Array(4))).toThrow(
    new InputError('expected answers for the same tokens, found 3 and 4 tokens'),
  );
});
