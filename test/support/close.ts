import { expect } from 'vitest';

/**
 * Expects all numbers to equal the expected ones, up to half a unit of the last of `digits` decimals. It calls `expect`
 * only once, since a call for each number would be slow.
 */
export function expectClose(found: ArrayLike<number>, expected: ArrayLike<number>, digits: number): void {
  const isClose = (i: number) =>
    found[i] === expected[i] || Math.abs(found[i]! - expected[i]!) < 10 ** -digits / 2;
  expect(found).toHaveLength(expected.length);
  let i = 0;
  while (i < expected.length && isClose(i)) i++;
  if (i < expected.length) expect(found[i], `number ${i}`).toBeCloseTo(expected[i]!, digits);
}
