import {
  bootstrapSlices,
  type Interval,
  pairedBootstrap,
  percentileInterval,
} from '../significance/bootstrap.ts';
import { holm } from '../significance/holm.ts';
import { type McNemarResult, mcnemar } from '../significance/mcnemar.ts';
import { type PValues, type ResamplingOptions, resampling } from '../significance/sentence-counts.ts';
import { shufflingSlices } from '../significance/shuffling.ts';
import { finishInTurns, type Slices } from '../significance/slices.ts';
import type { TokenOutcomes } from '../significance/token-outcomes.ts';
import type { PairTests, Significance, TestedScore, TestResult } from './comparison.ts';

/** Chance that an interval holds the true value. */
const confidence = 0.95;

export interface TestOptions extends ResamplingOptions {
  /** Told how many of the rounds of all tests together are done. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Whether the parsers' scores differ, and how far each score is to be trusted. */
export interface TestedParsers {
  readonly significance: Significance;
  /** Of each parser's own scores. */
  readonly intervals: readonly Partial<Record<TestedScore, Interval>>[];
}

/**
 * Tests every pair of parsers by each score. All pairs and scores share one sequence of random draws: each
 * p-value is what the test alone would give with this seed. (Holm's correction holds however the p-values
 * depend on each other.) It gives way to others now and then, and tells `onProgress` the rounds done.
 *
 * Throws `InputError` where nothing is scored, `UsageError` where there is no round to draw.
 */
export async function testParsers(
  outcomes: readonly TokenOutcomes[],
  scores: readonly TestedScore[],
  { onProgress, ...options }: TestOptions,
): Promise<TestedParsers> {
  const { rounds, seed } = resampling(options);
  const pairs = pairsOf(outcomes.length);
  const total = rounds * (1 + scores.length * pairs.length);
  let before = 0;
  const inTurns = async <T>(slices: Slices<T>): Promise<T> => {
    const result = await finishInTurns(slices, (done) => onProgress?.(before + done, total));
    before += rounds;
    return result;
  };
  const counts = scores.flatMap((score) => outcomes.map((outcome) => outcome[score].sentences));
  const samples = await inTurns(bootstrapSlices(counts, options));
  const samplesOf = (score: TestedScore, parser: number) =>
    samples[scores.indexOf(score) * outcomes.length + parser];
  const tests: PairTests[][] = [];
  for (const score of scores) {
    const raw: RawTests[] = [];
    for (const [a, b] of pairs) {
      const [ofA, ofB] = [outcomes[a][score], outcomes[b][score]];
      raw.push({
        shuffling: await inTurns(shufflingSlices(ofA.sentences, ofB.sentences, options)),
        bootstrap: pairedBootstrap(samplesOf(score, a), samplesOf(score, b), confidence),
        mcnemar: mcnemar(ofA.tokens, ofB.tokens),
      });
    }
    tests.push(corrected(raw));
  }
  return {
    significance: {
      seed,
      rounds,
      confidence,
      pairs: pairs.map(([a, b], i) => ({ a, b, tests: byScore(scores, (s) => tests[s][i]) })),
    },
    intervals: outcomes.map((_, parser) =>
      byScore(scores, (s) => percentileInterval(samplesOf(scores[s], parser), confidence)),
    ),
  };
}

/** (0, 1), (0, 2), …, (1, 2), … */
function pairsOf(parsers: number): [number, number][] {
  const pairs: [number, number][] = [];
  for (let a = 0; a < parsers; a++) for (let b = a + 1; b < parsers; b++) pairs.push([a, b]);
  return pairs;
}

interface RawTests {
  readonly shuffling: PValues & { readonly difference: number };
  readonly bootstrap: PValues & { readonly interval: Interval };
  readonly mcnemar: McNemarResult;
}

/** Two-sided p-values, with each test's corrected over all pairs. */
function corrected(pairs: readonly RawTests[]): PairTests[] {
  const results = (test: keyof RawTests): TestResult[] => {
    const p = pairs.map((pair) => pair[test].twoSided);
    const adjusted = holm(p);
    return p.map((value, i) => ({ p: value, corrected: adjusted[i] }));
  };
  const shuffling = results('shuffling');
  const bootstrap = results('bootstrap');
  const tokens = results('mcnemar');
  return pairs.map((pair, i) => ({
    difference: pair.shuffling.difference,
    shuffling: shuffling[i],
    bootstrap: { ...bootstrap[i], interval: pair.bootstrap.interval },
    mcnemar: { ...tokens[i], onlyA: pair.mcnemar.onlyA, onlyB: pair.mcnemar.onlyB },
  }));
}

function byScore<T>(
  scores: readonly TestedScore[],
  of: (index: number) => T,
): Partial<Record<TestedScore, T>> {
  return Object.fromEntries(scores.map((score, i) => [score, of(i)]));
}
