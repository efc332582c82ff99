import { InputError } from '../../../errors.ts';
import type { ComparedSentence } from '../../compared-sentence.ts';
import { flatten } from '../../parseval/flat-tree.ts';
import { PhraseScoring } from '../../parseval/score-phrases.ts';
import { bootstrapSlices, percentileInterval } from '../../significance/bootstrap.ts';
import { holm } from '../../significance/holm.ts';
import {
  type ResamplingOptions,
  resampling,
  type SentenceCounts,
} from '../../significance/sentence-counts.ts';
import { stratifiedShuffling } from '../../significance/shuffling.ts';
import { finish } from '../../significance/slices.ts';
import { pairsOf } from '../pairs.ts';
import { ranked } from '../ranking.ts';
import { BracketErrorCounts } from './bracket-errors.ts';
import type { PhraseComparison, PhrasePair } from './phrase-comparison.ts';

/** Chance that an interval holds the true value. */
const confidence = 0.95;

/**
 * Compares parsers' phrase-structure trees with gold's, by EVALB's conventions, F1 with tests of every pair.
 *
 * @param parsers their names, in the order of the trees of the sentences
 * @returns undefined where there is no bracket to score
 * @throws InputError where a sentence has no phrases
 */
export async function comparePhrases(
  sentences: AsyncIterable<ComparedSentence>,
  parsers: readonly { readonly name: string; readonly file: string }[],
  options: ResamplingOptions = {},
): Promise<PhraseComparison | undefined> {
  const { rounds, seed } = resampling(options);
  const scorings = parsers.map(() => new PhraseScoring({ by: ['label', 'length'] }));
  const errors = new BracketErrorCounts(parsers.length);
  let number = 0;
  for await (const { gold, trees } of sentences) {
    number++;
    for (const [parser, { phrases }] of trees.entries()) {
      if (gold.phrases === undefined || phrases === undefined) {
        throw new InputError(`sentence ${number} has no phrases`, { file: parsers[parser].file });
      }
      const pair = { gold: flatten({ tree: gold.phrases }), predicted: flatten({ tree: phrases }), number };
      const score = scorings[parser].add(pair);
      if (score !== undefined) errors.add(score, parser);
    }
  }
  if (scorings.some((scoring) => !scoring.hasBrackets)) return undefined;
  const reports = scorings.map((scoring, parser) => scoring.report(parsers[parser].file));
  const counts = reports.map(({ f1Counts }) => f1Counts);
  const samples = finish(bootstrapSlices(counts, { rounds, seed }));
  const pairs = testPairs(counts, { rounds, seed });
  return {
    parsers: reports.map(({ f1Counts, ...report }, parser) => ({
      name: parsers[parser].name,
      report,
      interval: percentileInterval(samples[parser], confidence),
    })),
    rounds,
    seed,
    pairs,
    ranking: ranked(
      reports.map(({ f1 }) => f1),
      pairs,
    ),
    byLabel: errors.byLabel(),
    bySpan: errors.bySpan(),
    relabelled: errors.relabelled(),
  };
}

function testPairs(counts: readonly SentenceCounts[], options: ResamplingOptions): PhrasePair[] {
  const pairs = pairsOf(counts.length);
  const tests = pairs.map(([a, b]) => stratifiedShuffling(counts[a], counts[b], options));
  const corrected = holm(tests.map(({ twoSided }) => twoSided));
  return pairs.map(([a, b], i) => {
    const { difference, twoSided: p } = tests[i];
    return { a, b, test: { difference, shuffling: { p, corrected: corrected[i] } } };
  });
}
