import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError, UsageError } from '../../../src/errors.ts';
import {
  bootstrapScores,
  pairedBootstrap,
  percentileInterval,
  type SentenceCounts,
} from '../../../src/evaluate/significance/resampling.ts';
import {
  countsOfTwo,
  distanceFromUniform,
  perSentence,
  shareDifference,
  simulate,
} from '../../support/simulated-parsers.ts';

const rounds = 10_000;
const noise = (p: number) => 6 * Math.sqrt((p * (1 - p)) / rounds) + 10 / rounds;

/** The differences, in units of 10⁻¹², on all nⁿ samples of n sentences with replacement. */
function enumerateSamples(a: SentenceCounts, b: SentenceCounts): number[] {
  const n = a.correct.length;
  return Array.from({ length: n ** n }, (_, code) => {
    const times = Array(n).fill(0);
    for (let i = 0, rest = code; i < n; i++, rest = Math.floor(rest / n)) times[rest % n]++;
    return shareDifference(a, b, times);
  });
}

function compare(a: SentenceCounts, b: SentenceCounts, seed?: number, samples = rounds) {
  const [scoresOfA, scoresOfB] = bootstrapScores([a, b], { rounds: samples, seed });
  return pairedBootstrap(scoresOfA, scoresOfB);
}

describe('the bootstrap compared with all samples of up to 5 sentences', () => {
  const share = (values: readonly number[], test: (value: number) => boolean) =>
    values.filter(test).length / values.length;

  test('the one-sided p is the share in which A is not better, the two-sided p twice the smaller share', () => {
    fc.assert(
      fc.property(countsOfTwo(5), fc.nat(), ([a, b], seed) => {
        const exact = enumerateSamples(a, b);
        const notBetter = share(exact, (difference) => difference <= 0);
        const notWorse = share(exact, (difference) => difference >= 0);
        const { oneSided, twoSided } = compare(a, b, seed);
        expect(Math.abs(oneSided - notBetter)).toBeLessThan(noise(notBetter));
        const smaller = Math.min(notBetter, notWorse);
        expect(Math.abs(twoSided - Math.min(1, 2 * smaller))).toBeLessThan(2 * noise(smaller));
      }),
      { numRuns: 60 },
    );
  });

  test('the interval leaves out 2.5% at either end', () => {
    fc.assert(
      fc.property(countsOfTwo(5), fc.nat(), ([a, b], seed) => {
        const exact = enumerateSamples(a, b);
        const { low, high } = compare(a, b, seed).interval;
        const units = 1e10; // as `enumerateSamples` counts a percentage point
        expect(share(exact, (difference) => difference < low * units - 10)).toBeLessThan(
          0.025 + noise(0.025),
        );
        expect(share(exact, (difference) => difference <= low * units + 10)).toBeGreaterThan(
          0.025 - noise(0.025),
        );
        expect(share(exact, (difference) => difference > high * units + 10)).toBeLessThan(
          0.025 + noise(0.025),
        );
        expect(share(exact, (difference) => difference >= high * units - 10)).toBeGreaterThan(
          0.025 - noise(0.025),
        );
      }),
      { numRuns: 60 },
    );
  });
});

test('all parsers are scored on the same samples, whatever the other parsers', () => {
  const [a, b] = simulate(1, 50);
  const [scoresOfA, , again] = bootstrapScores([a, b, a], { rounds: 100 });
  expect(again).toEqual(scoresOfA);
  expect(bootstrapScores([a], { rounds: 100 })).toEqual([scoresOfA]);
});

test('a sample has the size of the whole, and a score is the percentage over the sample', () => {
  const [correct, parts] = bootstrapScores([perSentence('1/1 0/1 0/1'), perSentence('3/4 3/4 3/4')]);
  expect(new Set(parts)).toEqual(new Set([75]));
  const thirds = [...new Set(correct)].sort((x, y) => x - y);
  expect(thirds).toEqual([0, 1, 2, 3].map((times) => expect.closeTo((100 * times) / 3, 10)));
});

test('a sample without scored tokens makes neither parser better', () => {
  expect(compare(perSentence('1/1 0/0'), perSentence('0/1 0/0')).oneSided).toBeCloseTo(0.25, 1);
});

test('two parsers with the same counts have one- and two-sided p = 1 and an interval of length 0', () => {
  const a = perSentence('1/2 6/8 3/3');
  expect(compare(a, a)).toEqual({ oneSided: 1, twoSided: 1, interval: { low: 0, high: 0 } });
});

test('p is never 0: the observed data count as a sample against A', () => {
  const better = compare(perSentence('2/2 2/2'), perSentence('1/2 1/2'), 1, 999);
  expect(better).toEqual({ oneSided: 0.001, twoSided: 0.002, interval: { low: 50, high: 50 } });
  expect(compare(perSentence('1/2 1/2'), perSentence('2/2 2/2'), 1, 999).oneSided).toBe(1);
});

test('the same seed gives the same scores, another seed others', () => {
  const [a] = simulate(5, 100);
  const scores = (seed?: number) => bootstrapScores([a], { seed, rounds: 50 });
  expect(scores(1)).toEqual(scores());
  expect(scores(1)).not.toEqual(scores(2));
});

test('p-values of equally good parsers are uniform, and 95% of the intervals hold the true difference', () => {
  const results = Array.from({ length: 1000 }, (_, seed) => compare(...simulate(seed, 150), seed, 199));
  expect(distanceFromUniform(results.map(({ oneSided }) => oneSided))).toBeLessThan(3.5);
  expect(distanceFromUniform(results.map(({ twoSided }) => twoSided))).toBeLessThan(3.5);
  const covered = results.filter(({ interval }) => interval.low <= 0 && interval.high >= 0).length;
  expect(covered / results.length).toBeGreaterThan(0.925);
  expect(covered / results.length).toBeLessThan(0.975);
});

describe('the percentile interval', () => {
  const hundred = Float64Array.from({ length: 99 }, (_, i) => 99 - i);

  test('is from the k-th smallest to the k-th largest sample, k = ⌊(B + 1)·α/2⌋', () => {
    expect(percentileInterval(hundred, 0.9)).toEqual({ low: 5, high: 95 });
    expect(percentileInterval(hundred, 0.5)).toEqual({ low: 25, high: 75 });
    expect(percentileInterval(hundred)).toEqual({ low: 2, high: 98 });
  });

  test('is from the smallest to the largest sample if there are too few', () => {
    expect(percentileInterval(Float64Array.of(3, 1, 2))).toEqual({ low: 1, high: 3 });
  });

  test.each([0, 1, 95, Number.NaN])('refuses a confidence of %s', (confidence) => {
    expect(() => percentileInterval(hundred, confidence)).toThrow(
      new UsageError(`the confidence is ${confidence}, expected a share between 0 and 1`),
    );
  });
});

test('counts of different numbers of sentences are refused', () => {
  expect(() => bootstrapScores([perSentence('1/2'), perSentence('1/2 1/2')])).toThrow(InputError);
});
