import { UsageError } from '../../errors.ts';
import { Random } from '../../learn/random.ts';
import {
  checkPaired,
  finish,
  type PValues,
  type ResamplingOptions,
  resampling,
  rounding,
  type SentenceCounts,
  type Slices,
  score,
  sliceOf,
} from './paired-tests.ts';

export type Interval = Readonly<Record<'low' | 'high', number>>;

export interface BootstrapResult extends PValues {
  readonly interval: Interval;
}

/**
 * Scores each parser, in percent, on `rounds` samples of the sentences drawn with replacement; one array per
 * parser. All parsers share the samples, for `pairedBootstrap` and `percentileInterval`.
 * @throws InputError if the counts are of different sentences or empty
 */
export function bootstrapScores(
  parsers: readonly SentenceCounts[],
  options: ResamplingOptions = {},
): Float64Array[] {
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
    drawSample(random, times);
    for (let c = 0; c < columns.length; c++) sums[c] = weightedSum(columns[c], times);
    for (let p = 0; p < parsers.length; p++) scores[p][round] = score(sums[places[p][0]], sums[places[p][1]]);
    if ((round + 1) % slice === 0) yield round + 1;
  }
  return scores;
}

function drawSample(random: Random, times: Int32Array): void {
  times.fill(0);
  for (let i = 0; i < times.length; i++) times[random.below(times.length)]++;
}

function weightedSum(counts: Int32Array, times: Int32Array): number {
  let total = 0;
  for (let i = 0; i < counts.length; i++) total += counts[i] * times[i];
  return total;
}

/**
 * Paired bootstrap resampling (Koehn 2004, W04-3250), from two parsers' `bootstrapScores` on the same
 * samples. The one-sided p is (samples in which A is not better + 1) / (samples + 1): Koehn's, with ties and
 * the observed data counted against A. The two-sided p is twice the smaller one-sided p, at most 1. Samples
 * are drawn around the observed difference, not from a null distribution.
 */
export function pairedBootstrap(a: Float64Array, b: Float64Array, confidence = 0.95): BootstrapResult {
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

/**
 * The percentile interval (Efron & Tibshirani 1993, chapter 13): from the k-th smallest to the k-th largest
 * of B samples, k = max(1, ⌊(B + 1) · (1 − confidence) / 2⌋).
 */
export function percentileInterval(samples: Float64Array, confidence = 0.95): Interval {
  if (!(confidence > 0 && confidence < 1)) {
    throw new UsageError(`the confidence is ${confidence}, expected a share between 0 and 1`);
  }
  const sorted = samples.toSorted();
  const rank = ((samples.length + 1) * (1 - confidence)) / 2;
  const k = Math.max(1, Math.floor(rank + rounding)); // 1 − 0.9 is a little less than 0.1
  return { low: sorted[k - 1], high: sorted[sorted.length - k] };
}

/** The normal quantile of 95% intervals. */
const z = 1.959963984540054;

/**
 * Wilson's 95% score interval (Wilson 1927) of a share in percent of `total` independent trials. (Words of a
 * sentence are not independent, so true intervals are wider.)
 */
export function wilsonInterval(share: number, total: number): Interval {
  const p = share / 100;
  const spread = (z * z) / total;
  const centre = p + spread / 2;
  const half = z * Math.sqrt((p * (1 - p)) / total + spread / (4 * total));
  return { low: (100 * (centre - half)) / (1 + spread), high: (100 * (centre + half)) / (1 + spread) };
}
