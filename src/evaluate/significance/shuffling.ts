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
  sum,
} from './paired-tests.ts';

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
  return finish(shufflingSlices(a, b, options));
}

export function* shufflingSlices(
  a: SentenceCounts,
  b: SentenceCounts,
  options: ResamplingOptions = {},
): Slices<ShufflingResult> {
  const { rounds, seed } = resampling(options);
  checkPaired([a, b]);
  const slice = sliceOf(a.correct.length);
  const random = new Random(seed);
  const swaps = new Swaps(a, b);
  const [correctA, totalA, correctB, totalB] = [a.correct, a.total, b.correct, b.total].map(sum) as Sums;
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

type Sums = [number, number, number, number];

/** Random swaps of the sentences on which A and B differ. */
class Swaps {
  correct = 0;
  total = 0;
  /** A − B on each of these sentences. */
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
