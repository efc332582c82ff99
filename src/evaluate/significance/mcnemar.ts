import { InputError } from '../../errors.ts';
import type { PValues } from './resampling.ts';

/** `onlyA` and `onlyB` are the numbers of tokens that only one of the parsers gets right. */
export interface McNemarResult extends PValues, Readonly<Record<'onlyA' | 'onlyB', number>> {}

/**
 * McNemar's test (McNemar 1947) on the same tokens, right (1) or wrong (0): under the null hypothesis, a
 * token that only one parser gets right is A's with probability ½.
 *
 * p-values are exact (binomial); the chi-square statistic with continuity correction (Edwards 1948)
 * approximates the two-sided one from 25 tokens on. Tokens are assumed independent; p is too small where
 * errors of a sentence depend on each other.
 * @throws InputError if the numbers of tokens differ
 */
export function mcnemar(a: Uint8Array, b: Uint8Array): McNemarResult {
  if (a.length !== b.length)
    throw new InputError(`expected answers for the same tokens, found ${a.length} and ${b.length} tokens`);
  let onlyA = 0;
  let onlyB = 0;
  for (let i = 0; i < a.length; i++) {
    if (a[i] > b[i]) onlyA++;
    else if (a[i] < b[i]) onlyB++;
  }
  return mcnemarOf(onlyA, onlyB);
}

/** McNemar's test from the numbers of tokens that only one of the parsers gets right. */
export function mcnemarOf(onlyA: number, onlyB: number): McNemarResult {
  const n = onlyA + onlyB;
  return {
    onlyA,
    onlyB,
    oneSided: headsAtLeast(onlyA, n),
    twoSided: Math.min(1, 2 * headsAtLeast(Math.max(onlyA, onlyB), n)),
  };
}

/** P(at least k heads in n tosses of a fair coin), in logarithms since 2⁻ⁿ underflows for n > 1,074. */
function headsAtLeast(k: number, n: number): number {
  let probability = 0;
  let logTerm = -n * Math.LN2; // of n heads, then n − 1, …
  for (let heads = n; heads >= k; heads--) {
    probability += Math.exp(logTerm);
    logTerm += Math.log(heads) - Math.log(n - heads + 1);
  }
  return Math.min(1, probability);
}
