import { checkFields } from '../../checks.ts';
import { InputError } from '../../errors.ts';
import { EMPTY_ELEMENT, nodesOf, type PhraseTree } from '../../treebank/phrases/phrase-tree.ts';
import type { ComparedSentence } from '../compared-sentence.ts';
import { type Bracket, flatten } from '../parseval/flat-tree.ts';
import { type PhraseReport, PhraseScoring } from '../parseval/score-phrases.ts';
import { phraseScorers, type SentenceScore, scoreSentence } from '../parseval/scorers.ts';
import type { Interval, ResamplingOptions, SentenceCounts } from '../significance/resampling.ts';
import {
  bootstrapSlices,
  finish,
  pairsOf,
  percentileInterval,
  resampling,
  stratifiedShuffling,
} from '../significance/resampling.ts';
import type { Ranking } from './comparison.ts';
import { ranked, type TestedPair } from './ranking.ts';
import { confidence, holmResults } from './significance.ts';

/** A comparison of parsers' phrase-structure trees by EVALB's conventions. Plain data; parsers are given by index. */
export interface PhraseComparison {
  readonly parsers: readonly ComparedPhraseParser[];
  readonly rounds: number;
  readonly seed: number;
  /** Differences in F1 of every pair, tested by stratified shuffling and corrected over all pairs. */
  readonly pairs: readonly TestedPair[];
  readonly ranking: Pick<Ranking, 'order' | 'groups'>;
  readonly byLabel: readonly BracketErrors[];
  readonly bySpan: readonly BracketErrors[];
  /** Brackets over the right words with a wrong label, the most frequent first. */
  readonly relabelled: readonly RelabelledBrackets[];
}

export interface ComparedPhraseParser {
  readonly name: string;
  readonly report: Omit<PhraseReport, 'f1Counts'>;
  readonly interval: Interval;
}

/** Errors in the brackets of a bucket; lists have one entry per parser. */
export interface BracketErrors {
  /** A label, or a number of words such as `3-5`. */
  readonly bucket: string;
  readonly gold: number;
  readonly missing: readonly number[];
  /** Brackets that gold lacks. */
  readonly wrong: readonly number[];
  /** Wrong brackets that cross a gold bracket. */
  readonly crossing: readonly number[];
}

export interface RelabelledBrackets extends Readonly<Record<'gold' | 'predicted', string>> {
  readonly counts: readonly number[];
}

/**
 * Compares parsers' phrase trees (in the order of `parsers`) by EVALB's conventions; undefined without brackets.
 * @throws InputError if a sentence has no phrases
 */
export async function comparePhrases(
  sentences: AsyncIterable<ComparedSentence>,
  parsers: readonly { readonly name: string; readonly file: string }[],
  options: ResamplingOptions = {},
): Promise<PhraseComparison | undefined> {
  checkFields<keyof ResamplingOptions>('comparePhrases', options, ['rounds', 'seed']);
  const { rounds, seed } = resampling(options);
  const scorings = parsers.map(() => new PhraseScoring({ by: ['label', 'length'] }));
  const errors = new BracketErrorCounts(parsers.length);
  let number = 0;
  for await (const { gold, trees } of sentences) {
    number++;
    for (const [parser, { phrases }] of trees.entries()) {
      if (gold.phrases === undefined || phrases === undefined)
        throw new InputError(`sentence ${number} has no phrases`, { file: parsers[parser].file });
      const pair = { gold: flatten({ tree: gold.phrases }), predicted: flatten({ tree: phrases }), number };
      const score = scorings[parser].add(pair);
      if (score !== undefined) errors.add(score, parser);
    }
  }
  if (scorings.some((scoring) => !scoring.hasBrackets)) return undefined;
  const reports = scorings.map((scoring, parser) => scoring.report(parsers[parser].file));
  const counts = reports.map(({ f1Counts }) => f1Counts);
  const scores = reports.map(({ f1 }) => f1);
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
    ranking: ranked(scores, pairs),
    byLabel: errors.byLabel(),
    bySpan: errors.bySpan(),
    relabelled: errors.relabelled(),
  };
}

function testPairs(counts: readonly SentenceCounts[], options: ResamplingOptions): TestedPair[] {
  const pairs = pairsOf(counts.length);
  const tests = pairs.map(([a, b]) => stratifiedShuffling(counts[a], counts[b], options));
  const shuffling = holmResults(tests);
  return pairs.map(([a, b], i) => {
    return { a, b, test: { difference: tests[i].difference, shuffling: shuffling[i] } };
  });
}

type Counts = Readonly<Record<BracketErrorKind, number[]>> & { gold: number };

class BracketErrorCounts {
  private readonly labels = new Map<string, Counts>();
  private readonly spans = new Map<string, Counts>();
  private readonly labelPairs = new Map<string, number[]>();

  constructor(private readonly parsers: number) {}

  add(score: SentenceScore, parser: number): void {
    const differences = bracketDifferences(score);
    if (parser === 0) this.count(score.gold, (counts) => counts.gold++);
    for (const kind of bracketErrorKinds) this.count(differences[kind], (counts) => counts[kind][parser]++);
    for (const { bracket, given } of relabelledBrackets(differences)) {
      const key = JSON.stringify([bracket.label, given]);
      const counts = this.labelPairs.get(key) ?? this.zeros();
      counts[parser]++;
      this.labelPairs.set(key, counts);
    }
  }

  private count(brackets: readonly Bracket[], add: (counts: Counts) => void): void {
    for (const bracket of brackets) {
      add(this.bucket(this.labels, bracket.label));
      add(this.bucket(this.spans, spanOf(bracket)));
    }
  }

  private bucket(buckets: Map<string, Counts>, name: string): Counts {
    const none = () => ({ gold: 0, missing: this.zeros(), wrong: this.zeros(), crossing: this.zeros() });
    return buckets.get(name) ?? buckets.set(name, none()).get(name)!;
  }

  private zeros(): number[] {
    return Array(this.parsers).fill(0);
  }

  byLabel(): BracketErrors[] {
    return rows(this.labels).sort((x, y) => y.gold - x.gold || (x.bucket < y.bucket ? -1 : 1));
  }

  bySpan(): BracketErrors[] {
    return rows(this.spans).sort((x, y) => Number.parseInt(x.bucket, 10) - Number.parseInt(y.bucket, 10));
  }

  relabelled(): RelabelledBrackets[] {
    const total = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0);
    return [...this.labelPairs]
      .sort(([a, x], [b, y]) => total(y) - total(x) || (a < b ? -1 : 1))
      .map(([key, counts]) => {
        const [gold, predicted] = JSON.parse(key) as [string, string];
        return { gold, predicted, counts };
      });
  }
}

const rows = (buckets: ReadonlyMap<string, Counts>): BracketErrors[] =>
  [...buckets].map(([bucket, counts]) => ({ bucket, ...counts }));

const ends = [1, 2, 5, 10, 20, 40];

function spanOf({ start, end }: Bracket): string {
  const words = end - start;
  const i = ends.findIndex((last) => words <= last);
  if (i < 0) return `${ends.at(-1)! + 1}-`;
  const first = i === 0 ? 0 : ends[i - 1] + 1;
  return first >= ends[i] || i === 0 ? String(words) : `${first}-${ends[i]}`;
}

/** Errors in brackets: missing in the prediction; wrong, that is missing in gold; crossing a gold bracket. */
export const bracketErrorKinds = ['missing', 'wrong', 'crossing'] as const;
type BracketErrorKind = (typeof bracketErrorKinds)[number];
/** The wrong brackets of a sentence; crossing ones are also in `wrong`. */
export type BracketDifferences = Readonly<Record<BracketErrorKind, readonly Bracket[]>>;

/** The wrong brackets of a sentence, from its score. */
export function bracketDifferences({
  gold,
  predicted,
  matched,
  crossing,
}: SentenceScore): BracketDifferences {
  const found = new Set(matched.map((match) => match.gold));
  const right = new Set(matched.map((match) => match.predicted));
  return {
    missing: gold.filter((bracket) => !found.has(bracket)),
    wrong: predicted.filter((bracket) => !right.has(bracket)),
    crossing,
  };
}

/** The missing brackets, outer ones first, over whose words the parser has a bracket with another label, `given`. */
export function relabelledBrackets({ missing, wrong }: BracketDifferences) {
  const left = [...wrong];
  return missing.flatMap((bracket) => {
    const at = left.findIndex(({ start, end }) => start === bracket.start && end === bracket.end);
    if (at < 0) return [];
    const [{ label: given }] = left.splice(at, 1);
    return [{ bracket, given }];
  });
}

/** An error at a node: a gold bracket is `missing`, a predicted one `wrong` or `crossing`, a word has the wrong `tag`. */
export type BracketVerdict = keyof BracketDifferences | 'tag';

/** Finds the errors in the nodes of a gold and a predicted tree over the same words, by EVALB's conventions. */
export function bracketVerdicts(gold: PhraseTree, predicted: PhraseTree) {
  const [goldFlat, flat] = [flatten({ tree: gold }), flatten({ tree: predicted })];
  const differences = bracketDifferences(scoreSentence(phraseScorers.evalb, goldFlat, flat));
  const verdicts = new Map<PhraseTree, BracketVerdict>();
  for (const kind of bracketErrorKinds) for (const { node } of differences[kind]) verdicts.set(node, kind);
  const goldWords = wordsOf(gold);
  wordsOf(predicted).forEach((node, i) => {
    if (node.label !== goldWords[i]?.label) verdicts.set(node, 'tag');
  });
  return verdicts;
}

/** The words of a tree as pre-terminals, without empty elements. */
export const wordsOf = (tree: PhraseTree): PhraseTree[] =>
  nodesOf(tree).filter(({ form, label }) => form !== undefined && label !== EMPTY_ELEMENT);
