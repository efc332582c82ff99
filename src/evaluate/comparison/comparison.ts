import type { Agreement } from '../agreement.ts';
import type { EvaluationReport } from '../evaluate.ts';
import type { Interval } from '../significance/bootstrap.ts';
import type { MetricName } from './metrics.ts';

/**
 * How several parsers' trees of the same sentences compare: all that the `compare` command and its page
 * show. Plain data, ready for JSON (NaN, a figure of nothing, becomes null there). Parsers are referred to by
 * their index in `parsers`, sentences and tokens by their number in the gold treebank and the sentence, from
 * 1. Figures are percentages, unrounded, differences percentage points.
 */
export interface Comparison {
  /** The gold treebank's name. */
  readonly gold: string;
  /** Whether gold has labels; without, labelled figures are NaN and the labelled tests are left out. */
  readonly labelled: boolean;
  /** In the order given. Where some have split the text otherwise than gold, all is by gold's words, aligned. */
  readonly parsers: readonly ComparedParser[];
  readonly significance: Significance;
  /** The parsers from the best to the worst, and which of them the tests cannot tell apart. */
  readonly ranking: Ranking;
  readonly errors: ErrorAnalysis;
  /** Where the parsers agree, and what a vote of them could reach. */
  readonly agreement: Agreement;
  /**
   * Pairs of parsers, (a, b) with a < b, whose trees are the same throughout: one file given twice, perhaps.
   * No test can tell them apart, and in a vote they count twice.
   */
  readonly sameTrees: readonly (readonly [number, number])[];
  /** The sentences on which the parsers differ most, most first; as many as the limit. */
  readonly sentences: readonly DifferingSentence[];
}

export interface ComparedParser {
  /** As the user named it; by default as much of the file's name as tells the parsers apart. */
  readonly name: string;
  /**
   * What `evaluate` says of the parser, figure for figure, with the breakdowns asked for; it also counts
   * sentences, scored tokens, and those left out by the punctuation rule.
   */
  readonly report: EvaluationReport;
  /** Bootstrap confidence intervals of the parser's own scores, those that are tested. */
  readonly intervals: Readonly<Partial<Record<MetricName, Interval>>>;
}

/** Whether differences are significant; every test is two-sided. */
export interface Significance {
  readonly seed: number;
  /** Shufflings, and bootstrap samples, drawn. */
  readonly rounds: number;
  /** Of the confidence intervals, a share: 0.95. */
  readonly confidence: number;
  /** Every pair: (0, 1), (0, 2), …, (1, 2), … */
  readonly pairs: readonly ComparedPair[];
}

export interface Ranking {
  /** What it goes by: LAS where that is tested, else the first metric that is. */
  readonly metric: MetricName;
  /** All parsers, best first; of equal ones the first given. */
  readonly order: readonly number[];
  /**
   * The largest sets of parsers no two of which differ significantly, best first, as are the parsers of each: two
   * parsers are together in one where, and only where, they do not differ. One parser may be in several.
   */
  readonly groups: readonly (readonly number[])[];
}

export interface ComparedPair {
  readonly a: number;
  readonly b: number;
  /** By each metric asked for; by default UAS and, where gold has labels, LAS. */
  readonly tests: Readonly<Partial<Record<MetricName, PairTests>>>;
}

export interface PairTests {
  /** Score of A − score of B. */
  readonly difference: number;
  /** Stratified shuffling of whole sentences: the test to go by. */
  readonly shuffling: TestResult;
  /** Paired bootstrap over sentences, with a confidence interval of the difference. */
  readonly bootstrap: TestResult & { readonly interval: Interval };
  /**
   * McNemar's test on tokens, exact; of metrics of tokens only. Optimistic: it takes the tokens of a sentence
   * as independent, which they are not, and so finds differences that are not there.
   */
  readonly mcnemar?: TestResult & { readonly onlyA: number; readonly onlyB: number };
}

export interface TestResult {
  readonly p: number;
  /** p after Holm's correction over all pairs, for this test and metric. */
  readonly corrected: number;
}

/**
 * What goes wrong, beside the breakdowns of the parsers' reports: lists of kinds of errors, those first that all
 * parsers together make most often, as many as the limit. Only scored tokens count.
 */
export interface ErrorAnalysis {
  /** Pairs of different labels; empty where gold has no labels. */
  readonly labelConfusions: readonly LabelConfusion[];
  readonly wrongArcs: readonly WrongArcPattern[];
  readonly words: readonly WrongWord[];
}

/** How often the parsers make one kind of error; every list has one entry a parser. */
export interface ErrorCounts {
  readonly counts: readonly number[];
  /** The first few places of each parser. */
  readonly examples: readonly (readonly TokenPlace[])[];
}

/** A token of a sentence, both counted from 1. */
export interface TokenPlace {
  readonly sentence: number;
  readonly token: number;
}

/** Tokens with one label in gold and another one in a parser's tree, whatever their heads; words that it has. */
export interface LabelConfusion extends ErrorCounts {
  readonly gold: string;
  readonly predicted: string;
}

/** Arcs of one kind that are wrong in head or label. */
export interface WrongArcPattern extends ErrorCounts {
  /** The dependent's gold tag. */
  readonly tag: string;
  readonly gold: ArcKind;
  /** May equal `gold`: the head is another word of the same tag on the same side. */
  readonly predicted: ArcKind;
}

/** An arc to some dependent as a kind. */
export interface ArcKind {
  readonly label: string;
  /**
   * Side of the dependent on which the head is; `root`: the head is the artificial root; `elsewhere`: it is no word of
   * the gold sentence; `missing`: the parser does not have the dependent as a word.
   */
  readonly head: 'left' | 'right' | 'root' | 'elsewhere' | 'missing';
  /** The head's gold tag; absent where it is no word of the sentence. */
  readonly headTag?: string | undefined;
}

/** A word as a dependent, by form (in lower case) and gold tag, whose arcs are wrong in head or label. */
export interface WrongWord extends ErrorCounts {
  readonly form: string;
  readonly tag: string;
  /** How often it occurs. */
  readonly tokens: number;
}

/** A sentence that some parser does better than another. */
export interface DifferingSentence {
  readonly sentence: number;
  readonly id?: string | undefined;
  /** Its words, separated by spaces. */
  readonly text: string;
  readonly scored: number;
  /** Right heads of each parser. */
  readonly heads: readonly number[];
  /** Right heads with the right label of each parser; where gold has no labels, right heads again. */
  readonly arcs: readonly number[];
  /** Scored tokens for which not all parsers give the same head and label. */
  readonly disputed: number;
}
