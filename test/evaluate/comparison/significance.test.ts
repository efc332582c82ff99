import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import type { MetricOutcomes } from '../../../src/evaluate/comparison/metric-counts.ts';
import type { MetricName } from '../../../src/evaluate/comparison/metrics.ts';
import { testParsers } from '../../../src/evaluate/comparison/significance.ts';
import { mcnemar } from '../../../src/evaluate/significance/mcnemar.ts';
import type { Outcomes, TokenOutcomes } from '../../../src/evaluate/significance/outcomes.ts';
import {
  bootstrapScores,
  holm,
  pairedBootstrap,
  pairsOf,
  percentileInterval,
  stratifiedShuffling,
} from '../../../src/evaluate/significance/resampling.ts';
import { Random } from '../../../src/learn/random.ts';

/** Random outcomes of 100 sentences: `chance` is the expected LAS, in per cent; UAS and LAA are a little higher. */
function parser(seed: number, chance: number): TokenOutcomes {
  const random = new Random(seed);
  const tokens = (bonus: number) =>
    Uint8Array.from({ length: 800 }, () => (random.below(100) < chance + bonus ? 1 : 0));
  const outcomes = (right: Uint8Array): Outcomes => ({
    tokens: right,
    sentences: {
      correct: Int32Array.from({ length: 100 }, (_, i) =>
        right.subarray(8 * i, 8 * i + 8).reduce((a, b) => a + b),
      ),
      total: new Int32Array(100).fill(8),
    },
  });
  return { uas: outcomes(tokens(4)), las: outcomes(tokens(0)), laa: outcomes(tokens(2)) };
}

const parsers = [parser(1, 70), parser(2, 75), parser(3, 82)];
const options = { rounds: 400, seed: 5 };

/** The outcomes of token metrics, as `testParsers` takes them. */
function outcomesOf(
  tested: readonly TokenOutcomes[],
  names: readonly ('uas' | 'las')[],
): ReadonlyMap<MetricName, MetricOutcomes> {
  const ofMetric = (name: 'uas' | 'las'): MetricOutcomes => ({
    sentences: tested.map((each) => each[name].sentences),
    alone: pairsOf(tested.length).map(([a, b]) => mcnemar(tested[a][name].tokens, tested[b][name].tokens)),
  });
  return new Map(names.map((name) => [name, ofMetric(name)]));
}

const both = outcomesOf(parsers, ['uas', 'las']);
const { significance, intervals } = await testParsers(both, options);

test('every pair is tested, in the order of the parsers', () => {
  expect(significance.pairs.map(({ a, b }) => [a, b])).toEqual([
    [0, 1],
    [0, 2],
    [1, 2],
  ]);
});

describe.each(['uas', 'las'] as const)('by %s', (score) => {
  const tests = significance.pairs.map(({ tests }) => tests[score]!);
  const counts = parsers.map((each) => each[score].sentences);

  test('each p-value is the two-sided one of a single test', () => {
    significance.pairs.forEach(({ a, b }, i) => {
      const shuffling = stratifiedShuffling(counts[a], counts[b], options);
      const [x, y] = bootstrapScores([counts[a], counts[b]], options);
      const { twoSided, interval } = pairedBootstrap(x, y);
      const tokens = mcnemar(parsers[a][score].tokens, parsers[b][score].tokens);
      expect(tests[i]).toMatchObject({
        difference: shuffling.difference,
        shuffling: { p: shuffling.twoSided },
        bootstrap: { p: twoSided, interval },
        mcnemar: { p: tokens.twoSided, onlyA: tokens.onlyA, onlyB: tokens.onlyB },
      });
    });
  });

  test.each(['shuffling', 'bootstrap', 'mcnemar'] as const)(
    'Holm’s correction is over all pairs of one test: %s',
    (test) => {
      expect(tests.map((pair) => pair[test]!.corrected)).toEqual(holm(tests.map((pair) => pair[test]!.p)));
    },
  );

  test('each parser’s interval is of its own scores on the bootstrap’s samples', () => {
    const expected = bootstrapScores(counts, options).map((samples) => percentileInterval(samples));
    expect(intervals.map((of) => of[score])).toEqual(expected);
  });
});

test('the same seed gives the same figures, another seed others', async () => {
  expect(await testParsers(both, options)).toEqual({ significance, intervals });
  const other = await testParsers(both, { ...options, seed: 6 });
  expect(other.significance.pairs).not.toEqual(significance.pairs);
});

test('only the given metrics are tested', async () => {
  const { significance, intervals } = await testParsers(outcomesOf(parsers, ['uas']), options);
  expect(Object.keys(significance.pairs[0].tests)).toEqual(['uas']);
  expect(Object.keys(intervals[0])).toEqual(['uas']);
});

test('metrics that do not score tokens have no McNemar’s test', async () => {
  const sentences = parsers.map((each) => each.las.sentences);
  const tested = await testParsers(new Map([['clas', { sentences }]]), options);
  expect(tested.significance.pairs.map(({ tests }) => tests.clas)).toEqual(
    significance.pairs.map(({ tests }) => {
      const { mcnemar: _, ...others } = tests.las!;
      return others;
    }),
  );
});

test('a number of 0 rounds is refused', async () => {
  await expect(testParsers(outcomesOf(parsers, ['uas']), { rounds: 0 })).rejects.toThrow(UsageError);
});

test('significance tests yield to the event loop and report progress', async () => {
  const rounds = 25_000; // of 100 sentences: two slices and a half
  const told: [number, number][] = [];
  let turns = 0;
  const turn = () => {
    turns++;
    immediate = setImmediate(turn);
  };
  let immediate = setImmediate(turn);
  await testParsers(outcomesOf(parsers.slice(0, 2), ['uas']), {
    rounds,
    onProgress: (done, total) => told.push([done, total]),
  });
  clearImmediate(immediate);
  expect(told).toEqual([10_000, 20_000, 35_000, 45_000].map((done) => [done, 2 * rounds]));
  expect(turns).toBeGreaterThanOrEqual(told.length - 1);
});
