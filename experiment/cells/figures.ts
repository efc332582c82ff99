import { columnScores } from '../../src/evaluate/attachment/column-counts.ts';
import type { PunctuationRuleName } from '../../src/evaluate/attachment/punctuation.ts';
import type { SentenceCounts } from '../../src/evaluate/significance/resampling.ts';
import type { AnnotatedColumn } from '../../src/treebank/columns/names.ts';
import type {
  CellSummary,
  PhraseFigures,
  PhraseScores,
  RuleFigures,
  RuleScores,
} from '../jobs/job-result.ts';

/** One run of a cell: the result of a job, with the scores by the cell's punctuation rule and scorer. */
export interface SeedRun {
  readonly job: string;
  readonly result: CellSummary;
  readonly rule: PunctuationRuleName;
  readonly scores: RuleFigures;
  /** By the cell's scorer; undefined without phrase-structure trees. */
  readonly phrases: PhraseFigures | undefined;
  /** Whether its times and memory are known: another program's are not, and an oracle is no parser. */
  readonly isTimed: boolean;
}

/** Counts per sentence, under the run's punctuation rule and by its scorer. */
export interface SeedRunCounts {
  readonly scores: RuleScores['sentences'];
  readonly phrases: PhraseScores['sentences'] | undefined;
}

/** A column of an experiment's table: how it is computed from a run, shown and tested. */
interface Figure {
  readonly title: string;
  readonly unit: string;
  readonly decimals: number;
  readonly better: 'higher' | 'lower';
  /** What is scored; `measured` figures (time, memory) vary between runs. */
  readonly kind: 'dependencies' | 'phrases' | 'tags' | 'measured';
  /** The figure of a run; NaN if undefined. */
  of(run: SeedRun): number;
  /** Warnings to readers of the figure, one line each. */
  warnings(run: SeedRun): readonly string[];
  /** Counts for significance tests; absent if the figure is not tested. */
  readonly counts?: (sentences: SeedRunCounts) => SentenceCounts | undefined;
}

const percentage = { unit: '%', decimals: 2, better: 'higher' } as const;

function score(title: string, key: Exclude<keyof RuleFigures, 'warnings' | 'tokens' | 'excluded'>): Figure {
  const of = ({ scores }: SeedRun) => scores[key] ?? Number.NaN;
  return { title, ...percentage, kind: 'dependencies', of, warnings: ({ scores }) => scores.warnings };
}

function attachment(title: string, key: 'uas' | 'las'): Figure {
  const counts = ({ scores }: SeedRunCounts) => ({
    correct: Int32Array.from(scores[key]),
    total: Int32Array.from(scores.tokens),
  });
  return { ...score(title, key), counts };
}

function phraseScore(title: string, key: Exclude<keyof PhraseFigures, 'warnings'>): Figure {
  return {
    title,
    ...percentage,
    kind: 'phrases',
    of: ({ phrases }) => phrases?.[key] ?? Number.NaN,
    warnings: ({ phrases }) => phrases?.warnings ?? ['there are no phrase-structure trees to score'],
  };
}

function f1Counts({ phrases }: SeedRunCounts): SentenceCounts | undefined {
  if (phrases === undefined) return undefined;
  return { correct: Int32Array.from(phrases.matched), total: Int32Array.from(phrases.brackets) };
}

/** Accuracy of the tags or lemmas that the parser sees in the test sentences. */
function tagScore(column: AnnotatedColumn): Figure {
  const of = ({ result }: SeedRun) => result.tags[column] ?? Number.NaN;
  return { title: columnScores[column], ...percentage, kind: 'tags', of, warnings: () => [] };
}

function timing(title: string, unit: string, decimals: number, of: (result: CellSummary) => number): Figure {
  return {
    title,
    unit,
    decimals,
    better: 'lower',
    kind: 'measured',
    of: ({ result, isTimed }) => (isTimed ? of(result) : Number.NaN),
    warnings: () => [],
  };
}

const rate = ({ test, parseSeconds }: CellSummary) => test.sentences / parseSeconds;

const definitions = {
  uas: attachment('UAS', 'uas'),
  las: attachment('LAS', 'las'),
  laa: score('LAA', 'laa'),
  rootAccuracy: score('root', 'rootAccuracy'),
  completeRate: score('complete', 'completeRate'),
  labelledCompleteRate: score('labelled complete', 'labelledCompleteRate'),
  precision: phraseScore('P', 'precision'),
  recall: phraseScore('R', 'recall'),
  f1: { ...phraseScore('F1', 'f1'), counts: f1Counts },
  exactMatch: phraseScore('EX', 'exactMatch'),
  taggingAccuracy: phraseScore('tags', 'taggingAccuracy'),
  uposAccuracy: tagScore('upos'),
  xposAccuracy: tagScore('xpos'),
  featsAccuracy: tagScore('feats'),
  lemmaAccuracy: tagScore('lemmas'),
  seconds: timing('training s', 's', 1, ({ seconds }) => seconds),
  sentencesPerSecond: { ...timing('sentences/s parsed', 'sentences/s', 0, rate), better: 'higher' },
  millisecondsPerSentence: timing('ms per sentence', 'ms', 2, ({ test, parseSeconds }) => {
    return (1000 * parseSeconds) / test.sentences;
  }),
  memory: timing('memory MB', 'MB', 0, ({ peakMemory }) => peakMemory / 1e6),
} satisfies Record<string, Figure>;

export type FigureName = keyof typeof definitions;
/** The figures that `report` may name; `src/evaluate` defines the scores. */
export const figures: Readonly<Record<FigureName, Figure>> = definitions;
export const figureNames = Object.keys(figures) as [FigureName, ...FigureName[]];
export const scoreNames = figureNames.filter((name) => figures[name].kind !== 'measured');
/** How a cell's runs, one per seed, become one figure. */
export const statistics = ['mean', 'best', 'worst'] as const;
export type Statistic = (typeof statistics)[number];

/** Indices of the runs that a statistic covers: all for the mean, else one (of ties the first). */
export function chosenRuns(values: readonly number[], statistic: Statistic, better: 'higher' | 'lower') {
  if (statistic === 'mean') return values.map((_, i) => i);
  const highest = (statistic === 'best') === (better === 'higher');
  const extreme = highest ? Math.max(...values) : Math.min(...values);
  return [Math.max(values.indexOf(extreme), 0)];
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Sample standard deviation (n − 1); undefined for fewer than two values. */
export function standardDeviation(values: readonly number[]): number | undefined {
  if (values.length < 2) return undefined;
  const centre = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}
