import { checkFields } from '../../checks.ts';
import { InputError, UsageError } from '../../errors.ts';
import { Random } from '../../learn/random.ts';
import { yieldToEvents } from '../../threads/scheduling.ts';
import { percent } from '../percent.ts';

export type Interval = Readonly<Record<'low' | 'high', number>>;

export interface BootstrapResult extends PValues {
  readonly interval: Interval;
}

/**
 * Scores each parser, in percent, on `rounds` samples of sentences drawn with replacement, the same samples for all.
 * @throws InputError if the counts are of different sentences or empty
 */
export function bootstrapScores(
  parsers: readonly SentenceCounts[],
  options: ResamplingOptions = {},
): Float64Array[] {
  checkFields('bootstrapScores', options, resamplingFields);
  return finish(bootstrapSlices(parsers, options));
}

export function* bootstrapSlices(
  parsers: readonly SentenceCounts[],
  options: ResamplingOptions = {},
): Slices<Float64Array[]> {
  const { rounds, seed } = resampling(options);
  checkPaired(parsers);
  const n = parsers[0].correct.length;
  const slice = sliceOf(n);
  const random = new Random(seed);
  const times = new Int32Array(n);
  const scores = parsers.map(() => new Float64Array(rounds));
  // Shared columns (most totals) are summed once per sample.
  const columns = [...new Set(parsers.flatMap(({ correct, total }) => [correct, total]))];
  const sums = new Float64Array(columns.length);
  const places = parsers.map(({ correct, total }) => [columns.indexOf(correct), columns.indexOf(total)]);
  for (let round = 0; round < rounds; round++) {
    times.fill(0);
    for (let i = 0; i < times.length; i++) times[random.below(times.length)]++;
    for (let c = 0; c < columns.length; c++) sums[c] = weightedSum(columns[c], times);
    for (let p = 0; p < parsers.length; p++) scores[p][round] = score(sums[places[p][0]], sums[places[p][1]]);
    if ((round + 1) % slice === 0) yield round + 1;
  }
  return scores;
}

function weightedSum(counts: Int32Array, times: Int32Array): number {
  let total = 0;
  for (let i = 0; i < counts.length; i++) total += counts[i] * times[i];
  return total;
}

/**
 * Paired bootstrap test (Koehn 2004, W04-3250), from two parsers' `bootstrapScores` on the same samples. The
 * one-sided p is (samples in which A is not better + 1) / (samples + 1): Koehn's, with ties and the observed data
 * counted against A. The two-sided p is twice the smaller one-sided p, at most 1. Samples are drawn around the
 * observed difference, not from a null distribution.
 */
export function pairedBootstrap(a: Float64Array, b: Float64Array, confidence = 0.95): BootstrapResult {
  if (a.length !== b.length || a.length === 0)
    throw new UsageError(`${a.length} scores of A and ${b.length} of B, expected those of the same samples`);
  const differences = a.map((scoreOfA, i) => scoreOfA - b[i]);
  let notBetter = 1;
  let notWorse = 1;
  for (const difference of differences) {
    if (difference <= rounding) notBetter++;
    if (difference >= -rounding) notWorse++;
  }
  const samples = differences.length + 1;
  return {
    oneSided: notBetter / samples,
    twoSided: Math.min(1, (2 * Math.min(notBetter, notWorse)) / samples),
    interval: percentileInterval(differences, confidence),
  };
}

/** The percentile interval: k-th smallest to k-th largest of B samples, k = ⌊(B + 1)(1 − confidence) / 2⌋ (Efron & Tibshirani 1993). */
export function percentileInterval(samples: Float64Array, confidence = 0.95): Interval {
  if (!(confidence > 0 && confidence < 1))
    throw new UsageError(`the confidence is ${confidence}, expected a share between 0 and 1`);
  const sorted = samples.toSorted();
  const rank = ((samples.length + 1) * (1 - confidence)) / 2;
  const k = Math.max(1, Math.floor(rank + rounding)); // 1 − 0.9 is a little less than 0.1
  return { low: sorted[k - 1], high: sorted[sorted.length - k] };
}

/** The normal quantile of 95% intervals. */
const z = 1.959963984540054;

/** Wilson's 95% interval (1927) of a share in percent. It is too narrow, as the words of a sentence are not independent. */
export function wilsonInterval(share: number, total: number): Interval {
  const p = share / 100;
  const spread = (z * z) / total;
  const centre = p + spread / 2;
  // Exactly half the spread where the share is 0, so that the interval begins with 0.
  const half = Math.sqrt(spread * p * (1 - p) + (spread / 2) * (spread / 2));
  return { low: (100 * (centre - half)) / (1 + spread), high: (100 * (centre + half)) / (1 + spread) };
}

/**
 * One parser's counts per sentence; its score is Σ correct / Σ total. UAS: right heads, scored tokens;
 * complete rate: 0 or 1, 1; PARSEVAL F1: 2 · matched, gold + predicted brackets.
 */
export type SentenceCounts = Readonly<Record<'correct' | 'total', Int32Array>>;

/** p-values of the null hypothesis that A and B are equally good. */
export interface PValues {
  /** For the alternative “A is better than B”; near 1 if B is better. */
  readonly oneSided: number;
  /** For the alternative “one is better than the other”. */
  readonly twoSided: number;
}

export interface ResamplingOptions {
  /** Number of random samples; default 10,000. */
  readonly rounds?: number | undefined;
  /** The same seed gives the same p-values on every machine; default 1. */
  readonly seed?: number | undefined;
}

/** Smaller differences are rounding errors. */
const rounding = 1e-10;
/** Σ correct / Σ total in percent; 0 for 0 / 0. */
const score = (correct: number, total: number): number => (total === 0 ? 0 : percent(correct, total));
const sum = (counts: Int32Array): number => counts.reduce((a, b) => a + b, 0);

const resamplingFields = ['rounds', 'seed'] as const satisfies readonly (keyof ResamplingOptions)[];

/** The options with defaults; throws `UsageError` if `rounds` is not a positive integer. */
export function resampling({ rounds = 10_000, seed = 1 }: ResamplingOptions) {
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new UsageError(`the number of rounds is ${rounds}, expected a whole number from 1`);
  return { rounds, seed };
}

/** Throws an `InputError` if the numbers of sentences differ or there is nothing to score. */
function checkPaired(parsers: readonly SentenceCounts[]): void {
  const sizes = new Set(parsers.flatMap(({ correct, total }) => [correct.length, total.length]));
  const found = `found ${[...sizes].join(' and ')} sentences`;
  if (sizes.size > 1) throw new InputError(`expected counts of the same sentences, ${found}`);
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

/** A resampling test in slices; yields the number of rounds done after each slice. */
export type Slices<T> = Generator<number, T, void>;
/** Sentences drawn per slice, which takes some hundredths of a second. */
const DRAWS = 1_000_000;
const sliceOf = (sentences: number): number => Math.ceil(DRAWS / Math.max(1, sentences));

/** Runs the slices without a break. */
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
    await yieldToEvents();
  }
}

/** All pairs (a, b) of parsers, a < b. */
export function pairsOf(parsers: number): [number, number][] {
  const pairs: [number, number][] = [];
  for (let a = 0; a < parsers; a++) for (let b = a + 1; b < parsers; b++) pairs.push([a, b]);
  return pairs;
}

export interface ShufflingResult extends PValues {
  /** Score of A − score of B, percentage points. */
  readonly difference: number;
}

/**
 * Stratified shuffling, an approximate randomization test (Noreen 1989; Yeh 2000, C00-2137; Bikel's
 * comparator). Each round swaps every sentence's counts of A and B with probability ½. p = (rounds with at
 * least the observed difference + 1) / (rounds + 1): one-sided of A − B, two-sided of its absolute value.
 * Sentences stay whole because their tokens are not independent.
 * @throws InputError if the counts are of different sentences or empty
 */
export function stratifiedShuffling(
  a: SentenceCounts,
  b: SentenceCounts,
  options: ResamplingOptions = {},
): ShufflingResult {
  checkFields('stratifiedShuffling', options, resamplingFields);
  return finish(shufflingSlices(a, b, options));
}

export function* shufflingSlices(a: SentenceCounts, b: SentenceCounts, options: ResamplingOptions = {}) {
  const { rounds, seed } = resampling(options);
  checkPaired([a, b]);
  const slice = sliceOf(a.correct.length);
  const random = new Random(seed);
  const swaps = new Swaps(a, b);
  const [correctA, totalA, correctB, totalB] = [a.correct, a.total, b.correct, b.total].map(sum);
  const difference = score(correctA, totalA) - score(correctB, totalB);
  let atLeast = 0;
  let asFar = 0;
  for (let round = 0; round < rounds; round++) {
    swaps.draw(random);
    const shuffledA = score(correctA - swaps.correct, totalA - swaps.total);
    const shuffledB = score(correctB + swaps.correct, totalB + swaps.total);
    const shuffled = shuffledA - shuffledB;
    if (shuffled >= difference - rounding) atLeast++;
    if (Math.abs(shuffled) >= Math.abs(difference) - rounding) asFar++;
    if ((round + 1) % slice === 0) yield round + 1;
  }
  return { difference, oneSided: (atLeast + 1) / (rounds + 1), twoSided: (asFar + 1) / (rounds + 1) };
}

/** Random swaps of the sentences on which A and B differ. */
class Swaps {
  correct = 0;
  total = 0;
  /** A − B for each of these sentences. */
  private readonly corrects: Int32Array;
  private readonly totals: Int32Array;

  constructor(a: SentenceCounts, b: SentenceCounts) {
    const correct = a.correct.map((count, i) => count - b.correct[i]);
    const total = a.total.map((count, i) => count - b.total[i]);
    const differs = (_: number, i: number) => correct[i] !== 0 || total[i] !== 0;
    this.corrects = correct.filter(differs);
    this.totals = total.filter(differs);
  }

  draw(random: Random): void {
    const { corrects, totals } = this;
    let correct = 0;
    let total = 0;
    let coins = 0;
    for (let i = 0; i < corrects.length; i++) {
      if ((i & 31) === 0) coins = random.next();
      const mask = -(coins & 1); // all ones: swap
      coins >>>= 1;
      correct += corrects[i] & mask;
      total += totals[i] & mask;
    }
    this.correct = correct;
    this.total = total;
  }
}
