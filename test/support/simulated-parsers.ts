import fc from 'fast-check';
import type { SentenceCounts } from '../../src/evaluate/significance/resampling.ts';
import { Random } from '../../src/learn/random.ts';

/** Counts of two parsers for up to `most` sentences; their totals may differ, as in PARSEVAL. */
export function countsOfTwo(most: number): fc.Arbitrary<[SentenceCounts, SentenceCounts]> {
  const count = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 4 }));
  const pair = fc.record({ a: count, b: count, same: fc.boolean() });
  return fc.array(pair, { minLength: 1, maxLength: most }).map((pairs) => {
    const a = pairs.map((sentence) => sentence.a);
    const b = pairs.map((sentence) =>
      sentence.same ? ([sentence.a[0], sentence.b[1]] as const) : sentence.b,
    );
    return [counts(a), counts(b)];
  });
}

function counts(sentences: readonly (readonly [total: number, correct: number])[]): SentenceCounts {
  return {
    correct: Int32Array.from(sentences, ([total, correct]) => Math.min(correct, total)),
    total: Int32Array.from(sentences, ([total]) => total),
  };
}

/** Counts in mini-notation: `perSentence('3/4 0/2')`. */
export function perSentence(notation: string): SentenceCounts {
  const sentences = notation.split(' ').map((sentence) => sentence.split('/').map(Number));
  return counts(sentences.map(([correct, total]) => [total, correct]));
}

/** The difference of the scores as a whole number, so that oracles can compare it exactly. */
export function shareDifference(a: SentenceCounts, b: SentenceCounts, times: readonly number[]): number {
  const sumOver = (values: Int32Array) => values.reduce((sum, value, i) => sum + value * times[i], 0);
  const difference = sumOver(a.correct) / sumOver(a.total) - sumOver(b.correct) / sumOver(b.total);
  return Math.round(difference * 1e12);
}

/**
 * Counts of two parsers for sentences of 5 to 24 tokens. The probability of getting a token right depends on the
 * sentence; it is the same for both parsers, except that B’s is raised by `advantage`.
 */
export function simulate(seed: number, sentences: number, advantage = 0): [SentenceCounts, SentenceCounts] {
  const random = new Random(seed, 77);
  const share = () => random.below(1_000_000) / 1_000_000;
  const total = Int32Array.from({ length: sentences }, () => 5 + random.below(20));
  const ease = Float64Array.from(total, () => 0.5 + 0.4 * share());
  const answers = (chance: (i: number) => number) =>
    total.map((tokens, i) => {
      let correct = 0;
      for (let d = 0; d < tokens; d++) if (share() < chance(i)) correct++;
      return correct;
    });
  const a = answers((i) => ease[i]);
  const b = answers((i) => ease[i] + advantage);
  return [
    { correct: a, total },
    { correct: b, total },
  ];
}

/**
 * The largest distance, over several α, between α and the share of p-values up to α, in standard deviations of such
 * a share under uniform p-values.
 */
export function distanceFromUniform(pValues: readonly number[]): number {
  const n = pValues.length;
  const distances = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9].map((alpha) => {
    const share = pValues.filter((p) => p <= alpha).length / n;
    return Math.abs(share - alpha) / Math.sqrt((alpha * (1 - alpha)) / n);
  });
  return Math.max(...distances);
}
