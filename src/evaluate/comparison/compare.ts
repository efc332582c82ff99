import { InputError, UsageError } from '../../errors.ts';
import type { Sentence, Treebank } from '../../treebank/sentence.ts';
import { AgreementCounts } from '../agreement.ts';
import { type AlignedRow, alignedRows } from '../alignment/aligned-rows.ts';
import type { ComparedTree } from '../alignment/counterpart.ts';
import {
  type PunctuationChoice,
  type PunctuationRuleName,
  punctuationRules,
  RuleCandidates,
  scoredExtra,
  scoredTokens,
} from '../attachment/punctuation.ts';
import type { UdSentenceCounts } from '../attachment/ud-sentence.ts';
import { type BreakdownName, breakdownNames } from '../breakdowns/buckets.ts';
import type { ComparedSentence } from '../compared-sentence.ts';
import { Evaluation, type EvaluationReport, hasLabels } from '../evaluate.ts';
import type { Comparison } from './comparison.ts';
import { DifferingSentences, SameTrees } from './differing-sentences.ts';
import { ErrorKinds } from './errors.ts';
import { MetricCounts, type MetricOutcomes } from './metric-counts.ts';
import { defaultMetrics, type MetricName, metrics } from './metrics.ts';
import { parserNames } from './names.ts';
import { rankingOf } from './ranking.ts';
import { type TestOptions, testParsers } from './significance.ts';

export interface CompareOptions extends TestOptions {
  /** One a parser; default: what tells their files' names apart. */
  readonly names?: readonly string[] | undefined;
  /** Which tokens are left out; default `include`: none. */
  readonly punctuation?: PunctuationChoice | undefined;
  /** Breakdowns wanted; default all. */
  readonly by?: readonly BreakdownName[] | undefined;
  /** What the parsers are tested by; default UAS and, where gold has labels, LAS. */
  readonly metrics?: readonly MetricName[] | undefined;
  /** Entries in each list of errors and sentences; default all. */
  readonly limit?: number | undefined;
  /** Told how many sentences have been read and scored. */
  readonly onSentence?: ((done: number) => void) | undefined;
}

export interface ComparedTreebanks {
  readonly comparison: Comparison;
  /**
   * Every sentence of the treebank, with all parsers' trees, any number of times: read again from the treebanks
   * where there are too many to keep.
   */
  readonly sentences: AsyncIterable<ComparedSentence>;
}

/**
 * Compares two or more parsers' trees of the same text. All treebanks are read once, side by side, a sentence in
 * memory at a time; of each a few counts are kept. Where a parser's tokens or sentences are not gold's, what it says
 * of gold's words is compared: those that are aligned, as UD's evaluation does. A gold word that it does not have is wrong.
 *
 * Throws `InputError` where the texts are not the same, or nothing is there to score, or a metric
 * asked for is not defined of some parser; `UsageError` for fewer than two parsers, or names that are too few or
 * not different.
 */
export async function compare(
  gold: Treebank,
  predicted: readonly Treebank[],
  options: CompareOptions = {},
): Promise<ComparedTreebanks> {
  if (predicted.length < 2) throw new UsageError('expected at least two parsers to compare');
  const names = parserNames(
    predicted.map(({ name }) => name),
    options.names,
  );
  const rows = new RowsAgain(gold, predicted);
  const parsers = new ComparedParsers(predicted.length, options);
  let done = 0;
  for await (const row of rows.first()) {
    parsers.add(row);
    options.onSentence?.(++done);
  }
  const reports = predicted.map(({ name }, i) => parsers.evaluations[i].report(name));
  const { rule, counts } = parsers.counts.chosen;
  const { significance, intervals } = await testParsers(counts.outcomes(reports, options.metrics), options);
  const compared = reports.map((report, i) => ({ name: names[i], report, intervals: intervals[i] }));
  const comparison: Comparison = {
    gold: gold.name,
    labelled: counts.labelled,
    parsers: compared,
    significance,
    ranking: rankingOf(compared, significance),
    errors: counts.lists.errors.analysis(options.limit),
    agreement: counts.agreement.agreement(),
    sameTrees: parsers.sameTrees.found(),
    sentences: counts.lists.differing.first(),
  };
  return { comparison, sentences: new ScoredRows(rows, rule) };
}

/** All that is counted, row by row. */
class ComparedParsers {
  readonly evaluations: readonly Evaluation[];
  readonly sameTrees: SameTrees;
  readonly counts: RuleCandidates<RuleCounts>;

  constructor(
    parsers: number,
    { by = breakdownNames, punctuation = 'include', limit, ...options }: CompareOptions,
  ) {
    this.evaluations = Array.from(
      { length: parsers },
      () => new Evaluation({ by, punctuation, confidence: true }),
    );
    this.sameTrees = new SameTrees(parsers);
    const { metrics: tested = defaultMetrics } = options;
    this.counts = new RuleCandidates(punctuation, () => new RuleCounts(parsers, tested, limit));
  }

  /** A sentence of gold, and what every parser makes of it. */
  add({ gold, counterparts: trees }: AlignedRow): void {
    const ud = trees.map((tree, i) => this.evaluations[i].add(gold, tree));
    this.sameTrees.add(trees);
    this.counts.add(gold, (counts, scored, rule) => {
      const extra = trees.map((tree) => scoredExtra(tree, rule).length);
      counts.add({ gold, trees, scored, extra }, ud);
    });
  }
}

/** What is counted of all parsers together, under one punctuation rule. */
class RuleCounts {
  readonly agreement: AgreementCounts;
  private readonly tests: MetricCounts;
  private readonly labelledLists: Lists;
  /** The lists where gold has no labels: until one is found. */
  private unlabelledLists: Lists | undefined;

  constructor(parsers: number, tested: readonly MetricName[], limit: number | undefined) {
    this.agreement = new AgreementCounts(parsers);
    this.tests = new MetricCounts(tested, parsers);
    this.labelledLists = new Lists(parsers, true, limit);
    this.unlabelledLists = new Lists(parsers, false, limit);
  }

  add(sentence: ComparedSentence, ud: readonly UdSentenceCounts[]): void {
    if (hasLabels(sentence.gold)) this.unlabelledLists = undefined;
    this.agreement.add(sentence);
    this.tests.add(sentence, ud);
    this.labelledLists.add(sentence);
    this.unlabelledLists?.add(sentence);
  }

  get labelled(): boolean {
    return this.unlabelledLists === undefined;
  }

  get lists(): Lists {
    return this.unlabelledLists ?? this.labelledLists;
  }

  /** What the tests take, of the metrics asked for. */
  outcomes(
    reports: readonly EvaluationReport[],
    asked: readonly MetricName[] | undefined,
  ): ReadonlyMap<MetricName, MetricOutcomes> {
    if (asked !== undefined) checkDefined(asked, reports);
    const names = asked ?? defaultMetrics.filter((name) => this.labelled || name !== 'las');
    return this.tests.outcomes(names);
  }
}

/** Lists of errors and of sentences. */
class Lists {
  readonly errors: ErrorKinds;
  readonly differing: DifferingSentences;

  constructor(parsers: number, labelled: boolean, limit: number | undefined) {
    this.errors = new ErrorKinds(parsers, labelled);
    this.differing = new DifferingSentences(labelled, limit);
  }

  add(sentence: ComparedSentence): void {
    this.errors.add(sentence);
    this.differing.add(sentence);
  }
}

/** Throws an `InputError` where a metric has no value of some parser, but not for lack of tokens. */
function checkDefined(names: readonly MetricName[], reports: readonly EvaluationReport[]): void {
  for (const report of reports) {
    const name = names.find((metric) => Number.isNaN(metrics[metric].score(report)));
    if (name === undefined || report.tokens === 0) continue;
    const { title, needs } = metrics[name];
    throw new InputError(`${title} is not defined here: it needs ${needs}`, { file: report.file });
  }
}

/** Rows with the tokens that a punctuation rule leaves. */
class ScoredRows implements AsyncIterable<ComparedSentence> {
  constructor(
    private readonly rows: RowsAgain,
    private readonly rule: PunctuationRuleName,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<ComparedSentence> {
    const rule = punctuationRules[this.rule];
    for await (const row of this.rows.again()) yield { ...row, scored: scoredTokens(row.gold, rule) };
  }
}

/**
 * Tokens of all treebanks together whose sentences are kept: of more, they are read again. Gold and eight
 * parsers' output of UD English EWT dev are 226,000.
 */
const MOST_KEPT = 250_000;

/** A sentence of gold with all parsers' trees. */
interface ComparedRow {
  readonly gold: Sentence;
  readonly trees: readonly ComparedTree[];
}

/**
 * The rows of gold and several parsers' treebanks, more than once: kept by the first pass where they are few, or
 * where a treebank can be read only once, as from a pipe; else read again.
 */
class RowsAgain {
  private kept: ComparedRow[] | undefined = [];
  private readonly most: number;

  constructor(
    private readonly gold: Treebank,
    private readonly predicted: readonly Treebank[],
  ) {
    this.most = [gold, ...predicted].some(({ isReadOnce }) => isReadOnce)
      ? Number.POSITIVE_INFINITY
      : MOST_KEPT;
  }

  /** The first pass; throws what `alignedRows` throws. */
  async *first(): AsyncGenerator<AlignedRow> {
    let tokens = 0;
    for await (const row of alignedRows(this.gold, this.predicted)) {
      const { gold, counterparts } = row;
      tokens += gold.length * (1 + counterparts.length);
      if (tokens > this.most) this.kept = undefined;
      const trees = counterparts.map(({ heads, labels, split, phrases }) => ({
        heads,
        labels,
        split,
        phrases,
      }));
      this.kept?.push({ gold, trees });
      yield row;
    }
  }

  /** Another pass, after the first. */
  async *again(): AsyncGenerator<ComparedRow> {
    if (this.kept !== undefined) return yield* this.kept;
    for await (const { gold, counterparts } of alignedRows(this.gold, this.predicted)) {
      yield { gold, trees: counterparts };
    }
  }
}
