import { type McNemarResult, mcnemarOf } from '../significance/mcnemar.ts';
import {
  bootstrapSlices,
  finishInTurns,
  holm,
  type Interval,
  type PValues,
  pairedBootstrap,
  pairsOf,
  percentileInterval,
  type ResamplingOptions,
  resampling,
  type Slices,
  shufflingSlices,
} from '../significance/resampling.ts';
import type { PairTests, Significance, TestResult } from './comparison.ts';
import type { MetricOutcomes } from './metric-counts.ts';
import type { MetricName } from './metrics.ts';

export const confidence = 0.95;

export interface TestOptions extends ResamplingOptions {
  /** Called with the number of rounds done in all tests together. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Tests every pair of parsers by each metric. All tests use the same seed, so that no p-value depends on other tests.
 * @throws InputError if nothing is scored, UsageError for fewer than 1 round
 */
export async function testParsers(
  outcomes: ReadonlyMap<MetricName, MetricOutcomes>,
  { onProgress, ...options }: TestOptions,
) {
  const { rounds, seed } = resampling(options);
  const all = [...outcomes.values()];
  const parsers = all[0].sentences.length;
  const pairs = pairsOf(parsers);
  const total = rounds * (1 + outcomes.size * pairs.length);
  let before = 0;
  const inTurns = async <T>(slices: Slices<T>): Promise<T> => {
    const result = await finishInTurns(slices, (done) => onProgress?.(before + done, total));
    before += rounds;
    return result;
  };
  const columns = all.flatMap(({ sentences }) => sentences);
  const samples = await inTurns(bootstrapSlices(columns, options));
  const samplesOf = (metric: number, parser: number) => samples[metric * parsers + parser];
  const tests: PairTests[][] = [];
  for (const [metric, { sentences, alone }] of all.entries()) {
    const raw: RawTests[] = [];
    for (const [pair, [a, b]] of pairs.entries()) {
      raw.push({
        shuffling: await inTurns(shufflingSlices(sentences[a], sentences[b], options)),
        bootstrap: pairedBootstrap(samplesOf(metric, a), samplesOf(metric, b), confidence),
        mcnemar: alone && mcnemarOf(alone[pair].onlyA, alone[pair].onlyB),
      });
    }
    tests.push(corrected(raw));
  }
  const byMetric = <T>(of: (metric: number) => T): Partial<Record<MetricName, T>> =>
    Object.fromEntries([...outcomes.keys()].map((name, metric) => [name, of(metric)]));
  const tested = pairs.map(([a, b], pair) => ({ a, b, tests: byMetric((metric) => tests[metric][pair]) }));
  const significance: Significance = { seed, rounds, confidence, pairs: tested };
  const intervals = Array.from({ length: parsers }, (_, parser) =>
    byMetric((metric) => percentileInterval(samplesOf(metric, parser), confidence)),
  );
  return { significance, intervals };
}

interface RawTests {
  readonly shuffling: PValues & { readonly difference: number };
  readonly bootstrap: PValues & { readonly interval: Interval };
  readonly mcnemar: McNemarResult | undefined;
}

/** The p-values of a test of several pairs, with Holm's correction. */
export function holmResults(tests: readonly PValues[]): TestResult[] {
  const p = tests.map(({ twoSided }) => twoSided);
  const adjusted = holm(p);
  return p.map((value, i) => ({ p: value, corrected: adjusted[i] }));
}

/** Applies Holm's correction over all pairs, to each test. */
function corrected(pairs: readonly RawTests[]): PairTests[] {
  const shuffling = holmResults(pairs.map((pair) => pair.shuffling));
  const bootstrap = holmResults(pairs.map((pair) => pair.bootstrap));
  const tokens = holmResults(pairs.flatMap(({ mcnemar }) => mcnemar ?? []));
  return pairs.map(({ shuffling: { difference }, bootstrap: { interval }, mcnemar }, i) => ({
    difference,
    shuffling: shuffling[i],
    bootstrap: { ...bootstrap[i], interval },
    ...(mcnemar && { mcnemar: { ...tokens[i], onlyA: mcnemar.onlyA, onlyB: mcnemar.onlyB } }),
  }));
}
