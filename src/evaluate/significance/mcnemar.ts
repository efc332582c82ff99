import { InputError } from '../../errors.ts';
import type { PValues } from './paired-tests.ts';

export interface McNemarResult extends PValues {
  /** Tokens that A alone gets right. */
  readonly onlyA: number;
  /** Tokens that B alone gets right. */
  readonly onlyB: number;
}

/**
 * McNemar's test (McNemar 1947) on tokens that two parsers get right (1) or wrong (0), the same tokens in the
 * same order: were A and B equally good, of those that one alone gets right each would be A's with
 * probability ½.
 *
 * The p-values are exact, by the binomial distribution, whatever the number of such tokens; the chi-square
 * statistic with continuity correction (Edwards 1948) approximates the two-sided one for 25 and more. Tokens
 * count as independent, which those of one sentence are not: p is too small where errors come together.
 *
 * Throws `InputError` where the numbers of tokens differ.
 */
export function mcnemar(a: Uint8Array, b: Uint8Array): McNemarResult {
  if (a.length !== b.length) {
    throw new InputError(`expected answers for the same tokens, found ${a.length} and ${b.length} tokens`);
  }
  let onlyA = 0;
  let onlyB = 0;
  for (let i = 0; i < a.length; i++) {
    if (a[i] > b[i]) onlyA++;
    else if (a[i] < b[i]) onlyB++;
  }
  return mcnemarOf(onlyA, onlyB);
}

/** The same where the tokens that one parser alone gets right are counted. */
export function mcnemarOf(onlyA: number, onlyB: number): McNemarResult {
  const n = onlyA + onlyB;
  return {
    onlyA,
    onlyB,
    oneSided: headsAtLeast(onlyA, n),
    twoSided: Math.min(1, 2 * headsAtLeast(Math.max(onlyA, onlyB), n)),
  };
}

/**
 * The probability of at least k heads in n tosses of a fair coin. By logarithms: 2⁻ⁿ is 0 for n over 1,074.
 */
function headsAtLeast(k: number, n: number): number {
  let probability = 0;
  let logTerm = -n * Math.LN2; // of n heads, then of ever fewer
  for (let heads = n; heads >= k; heads--) {
    probability += Math.exp(logTerm);
    logTerm += Math.log(heads) - Math.log(n - heads + 1);
  }
  return Math.min(1, probability);
}
