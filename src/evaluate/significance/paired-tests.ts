import { InputError, UsageError } from '../../errors.ts';
import { giveWay } from '../../threads/scheduling.ts';
import { percent } from '../percent.ts';

/**
 * One parser's counts per sentence; its score is Σ correct / Σ total. UAS: right heads, scored tokens;
 * complete rate: 0 or 1, 1; PARSEVAL F1: 2 · matched, gold + predicted brackets.
 */
export type SentenceCounts = Readonly<Record<'correct' | 'total', Int32Array>>;

/** p-values of the null hypothesis that A and B are equally good. */
export interface PValues {
  /** Against “A is better than B”; near 1 if B is better. */
  readonly oneSided: number;
  /** Against “one is better than the other”. */
  readonly twoSided: number;
}

export interface ResamplingOptions {
  /** Number of random samples; default 10,000. */
  readonly rounds?: number | undefined;
  /** The same seed gives the same p-values on every machine; default 1. */
  readonly seed?: number | undefined;
}

/** Smaller differences are rounding errors. */
export const rounding = 1e-10;

/** Σ correct / Σ total in percent; 0 for 0 / 0. */
export function score(correct: number, total: number): number {
  return total === 0 ? 0 : percent(correct, total);
}

export function sum(counts: Int32Array): number {
  return counts.reduce((a, b) => a + b, 0);
}

export function resampling({ rounds = 10_000, seed = 1 }: ResamplingOptions) {
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new UsageError(`the number of rounds is ${rounds}, expected a whole number from 1`);
  }
  return { rounds, seed };
}

/** Throws an `InputError` if the numbers of sentences differ or there is nothing to score. */
export function checkPaired(parsers: readonly SentenceCounts[]): void {
  const sizes = new Set(parsers.flatMap(({ correct, total }) => [correct.length, total.length]));
  if (sizes.size > 1) {
    throw new InputError(
      `expected counts of the same sentences, found ${[...sizes].join(' and ')} sentences`,
    );
  }
  if (parsers.every(({ total }) => sum(total) === 0)) throw new InputError('no tokens to compare');
}

/**
 * Holm's correction for multiple comparisons (Holm 1979): adjusted p-values, in the given order. Rejecting
 * where the adjusted p is at most α keeps the probability of any false rejection at α. The i-th smallest of m
 * p-values is multiplied by m − i + 1, capped at 1 and made monotonic.
 */
export function holm(pValues: readonly number[]): number[] {
  const order = [...pValues.keys()].sort((i, j) => pValues[i] - pValues[j]);
  const adjusted = new Array<number>(pValues.length);
  let atLeast = 0;
  order.forEach((i, smaller) => {
    atLeast = Math.max(atLeast, Math.min(1, pValues[i] * (pValues.length - smaller)));
    adjusted[i] = atLeast;
  });
  return adjusted;
}

/** Resampling in slices; yields the number of rounds done after each. */
export type Slices<T> = Generator<number, T, void>;

/** Sentences drawn per slice: some hundredths of a second. */
const DRAWS = 1_000_000;

export function sliceOf(sentences: number): number {
  return Math.ceil(DRAWS / Math.max(1, sentences));
}

export function finish<T>(slices: Slices<T>): T {
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
  }
}

/** Runs the slices, yielding to the event loop between them for progress and interrupts. */
export async function finishInTurns<T>(
  slices: Slices<T>,
  onSlice: (roundsDone: number) => void = () => undefined,
): Promise<T> {
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
    onSlice(value);
    await giveWay();
  }
}

export function pairsOf(parsers: number): [number, number][] {
  const pairs: [number, number][] = [];
  for (let a = 0; a < parsers; a++) for (let b = a + 1; b < parsers; b++) pairs.push([a, b]);
  return pairs;
}
