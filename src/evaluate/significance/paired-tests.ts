import { InputError, UsageError } from '../../errors.ts';
import { giveWay } from '../../threads/turns.ts';
import { percent } from '../percent.ts';

/**
 * What one parser's score is made of, one entry a sentence: the score of some sentences is Σ correct / Σ
 * total, so that any such metric can be compared. UAS: right heads, scored tokens; complete rate: 1 or 0, 1;
 * PARSEVAL's F1: twice the matched brackets, gold and predicted brackets together.
 */
export interface SentenceCounts {
  readonly correct: Int32Array;
  readonly total: Int32Array;
}

/** p-values of the null hypothesis that A and B are equally good. */
export interface PValues {
  /** Against “A is better than B”; near 1 where B is. */
  readonly oneSided: number;
  /** Against “one is better than the other”. */
  readonly twoSided: number;
}

export interface ResamplingOptions {
  /** Random samples drawn; default 10,000. */
  readonly rounds?: number | undefined;
  /** The same seed gives the same p-values on every machine; default 1. */
  readonly seed?: number | undefined;
}

/** Numbers that differ by less are equal: the difference comes from rounding. */
export const rounding = 1e-10;

/** Σ correct / Σ total in percent; of nothing 0, as neither of two parsers is the better one there. */
export function score(correct: number, total: number): number {
  return total === 0 ? 0 : percent(correct, total);
}

export function sum(counts: Int32Array): number {
  return counts.reduce((a, b) => a + b, 0);
}

/** Fills in the defaults; throws `UsageError` where there is no round to draw. */
export function resampling({ rounds = 10_000, seed = 1 }: ResamplingOptions) {
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new UsageError(`the number of rounds is ${rounds}, expected a whole number from 1`);
  }
  return { rounds, seed };
}

/**
 * Throws `InputError` where the counts are of different numbers of sentences, or nothing is there to score.
 */
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
 * Holm's correction for several comparisons (Holm 1979): adjusted p-values, in the order given. To reject
 * where the adjusted p is at most α keeps the chance of even one false rejection at α. The i-th smallest of m
 * is multiplied by m − i + 1, is at most 1, and at least the one before it.
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

/** Many rounds of random draws in slices: after each, it yields how many rounds are done. */
export type Slices<T> = Generator<number, T, void>;

/** Sentences drawn in a slice: some hundredths of a second for most comparisons. */
const DRAWS = 1_000_000;

/** Rounds in a slice, where each draws so many sentences. */
export function sliceOf(sentences: number): number {
  return Math.ceil(DRAWS / Math.max(1, sentences));
}

/** Does all the slices at once. */
export function finish<T>(slices: Slices<T>): T {
  for (;;) {
    const { done, value } = slices.next();
    if (done) return value;
  }
}

/** Does a slice at a time, so that others have their turn: who shows the progress, and who wants to stop it. */
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

/** Every pair of so many parsers: (0, 1), (0, 2), …, (1, 2), … */
export function pairsOf(parsers: number): [number, number][] {
  const pairs: [number, number][] = [];
  for (let a = 0; a < parsers; a++) for (let b = a + 1; b < parsers; b++) pairs.push([a, b]);
  return pairs;
}
