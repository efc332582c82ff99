import type { Agreement } from '../agreement.ts';
import type { EvaluationReport } from '../evaluate.ts';
import type { Interval } from '../significance/resampling.ts';
import type { MetricName } from './metrics.ts';

/**
 * A comparison of several parsers' trees of the same text. Plain data, ready for JSON (NaN becomes null).
 * Parsers are given by index, sentences and tokens by number from 1. Scores are unrounded percentages, differences
 * percentage points.
 */
export interface Comparison {
  readonly gold: string;
  /** Whether gold has labels; otherwise labelled figures are NaN and labelled tests are left out. */
  readonly labelled: boolean;
  readonly parsers: readonly ComparedParser[];
  readonly significance: Significance;
  readonly ranking: Ranking;
  readonly errors: ErrorAnalysis;
  /** How often the parsers agree, and the upper bound of a vote. */
  readonly agreement: Agreement;
  /** Pairs (a, b), a < b, with identical trees, e.g. a file given twice, which would count twice in a vote. */
  readonly sameTrees: readonly (readonly [number, number])[];
  /** The sentences on which the parsers differ most, the largest difference first; up to the limit. */
  readonly sentences: readonly DifferingSentence[];
}

export interface ComparedParser {
  /** Given by the user, or the distinguishing part of the file name. */
  readonly name: string;
  readonly report: EvaluationReport;
  readonly intervals: Readonly<Partial<Record<MetricName, Interval>>>;
}

/** Significance tests of all pairs; every test is two-sided. */
export interface Significance {
  readonly seed: number;
  readonly rounds: number;
  readonly confidence: number;
  readonly pairs: readonly ComparedPair[];
}

export interface Ranking {
  /** LAS if tested, else the first tested metric. */
  readonly metric: MetricName;
  /** All parsers, best first; ties in the order given. */
  readonly order: readonly number[];
  /** The maximal sets of parsers without a significant difference, best first; a parser may be in several. */
  readonly groups: readonly (readonly number[])[];
}

export interface ComparedPair {
  readonly a: number;
  readonly b: number;
  readonly tests: Readonly<Partial<Record<MetricName, PairTests>>>;
}

export interface PairTests {
  readonly difference: number;
  /** Stratified shuffling of sentences: the recommended test. */
  readonly shuffling: TestResult;
  /** Paired bootstrap over sentences, with a confidence interval of the difference. */
  readonly bootstrap: TestResult & { readonly interval: Interval };
  /** McNemar's exact test on tokens (token metrics only). Optimistic: assumes that tokens are independent. */
  readonly mcnemar?: TestResult & { readonly onlyA: number; readonly onlyB: number };
}

export interface TestResult {
  readonly p: number;
  /** p after Holm's correction over all pairs, for this test and metric. */
  readonly corrected: number;
}

/** The most frequent errors of all parsers together, by kind, up to the limit. Only scored tokens count. */
export interface ErrorAnalysis {
  readonly labelConfusions: readonly LabelConfusion[];
  readonly wrongArcs: readonly WrongArcPattern[];
  readonly words: readonly WrongWord[];
}

/** How often the parsers make one kind of error; lists have one entry per parser. */
export interface ErrorCounts {
  readonly counts: readonly number[];
  readonly examples: readonly (readonly TokenPlace[])[];
}

/** A token, by numbers from 1. */
export type TokenPlace = Readonly<Record<'sentence' | 'token', number>>;
/** Words whose label differs from gold, whatever the head. */
export type LabelConfusion = ErrorCounts & Readonly<Record<'gold' | 'predicted', string>>;

/** Arcs into words with a gold tag that differ from gold in head or label. */
export interface WrongArcPattern extends ErrorCounts {
  readonly tag: string;
  readonly gold: ArcKind;
  /** May equal `gold`: the head is another word with the same tag on the same side. */
  readonly predicted: ArcKind;
}

/** A kind of arc: its label, and the place and tag of its head. */
export interface ArcKind {
  readonly label: string;
  /** `root`: artificial root; `elsewhere`: not in the gold sentence; `missing`: the parser lacks the word. */
  readonly head: 'left' | 'right' | 'root' | 'elsewhere' | 'missing';
  /** The head's gold tag, if the head is a word of the sentence. */
  readonly headTag?: string | undefined;
}

/** A word, by lower-cased form and gold tag, with the wrong head or label. */
export interface WrongWord extends ErrorCounts {
  readonly form: string;
  readonly tag: string;
  readonly tokens: number;
}

/** A sentence in which the parsers' scores differ. */
export interface DifferingSentence {
  readonly sentence: number;
  readonly id?: string | undefined;
  readonly text: string;
  /** Number of scored tokens. */
  readonly scored: number;
  /** Number of right heads of each parser. */
  readonly heads: readonly number[];
  /** Number of right arcs (head and label) of each parser; right heads if gold has no labels. */
  readonly arcs: readonly number[];
  /** Number of scored tokens on which the parsers' arcs differ. */
  readonly disputed: number;
}
