import { checkFields, checkNames, checkWhole } from '../../checks.ts';
import { InputError, UsageError } from '../../errors.ts';
import type { Treebank } from '../../treebank/sentence.ts';
import { treebankFrom } from '../../treebank/treebanks.ts';
import { AgreementCounts } from '../agreement.ts';
import { type AlignedRow, alignedRows } from '../alignment/aligned-rows.ts';
import type { PunctuationChoice, PunctuationRuleName } from '../attachment/punctuation.ts';
import { punctuationRules, RuleCandidates, scoredExtra, scoredTokens } from '../attachment/punctuation.ts';
import type { UdSentenceCounts } from '../attachment/ud-sentence.ts';
import { type BreakdownName, breakdownNames } from '../breakdowns/buckets.ts';
import type { ComparedSentence } from '../compared-sentence.ts';
import { Evaluation, type EvaluationReport, hasLabels } from '../evaluate.ts';
import type { Comparison } from './comparison.ts';
import { DifferingSentences, SameTrees } from './differing-sentences.ts';
import { ErrorKinds } from './errors.ts';
import { MetricCounts, type MetricOutcomes } from './metric-counts.ts';
import { defaultMetrics, type MetricName, metricNames, metrics } from './metrics.ts';
import { parserNames } from './names.ts';
import { rankingOf } from './ranking.ts';
import { type TestOptions, testParsers } from './significance.ts';

export interface CompareOptions extends TestOptions {
  /** One name per parser; default: the distinguishing parts of the file names. */
  readonly names?: readonly string[] | undefined;
  /** The rule that excludes punctuation; default `include`: no token is excluded. */
  readonly punctuation?: PunctuationChoice | undefined;
  /** Breakdowns; default all. */
  readonly by?: readonly BreakdownName[] | undefined;
  /** Metrics to test; default UAS and, if gold has labels, LAS. */
  readonly metrics?: readonly MetricName[] | undefined;
  /** Maximum number of entries in lists of errors and sentences; default: all. */
  readonly limit?: number | undefined;
  /** Called with the number of sentences scored so far. */
  readonly onSentence?: ((done: number) => void) | undefined;
}

export interface ComparedTreebanks {
  readonly comparison: Comparison;
  /** All sentences with all parsers' trees, iterable repeatedly; large treebanks are read again. */
  readonly sentences: AsyncIterable<ComparedSentence>;
}

/**
 * Compares two or more parsers' trees, or files of them, on the same text in one pass, with a few counts per sentence in memory.
 * Different tokens or sentences are aligned as in UD's evaluation; a gold word that a parser lacks counts as wrong.
 * @throws InputError if the texts differ, there is nothing to score, or a requested metric is undefined for a
 * parser; UsageError for unknown options, fewer than two parsers, or missing or equal names
 */
export async function compare(
  goldTrees: Treebank | string,
  outputs: readonly (Treebank | string)[],
  options: CompareOptions = {},
): Promise<ComparedTreebanks> {
  checkOptions(options);
  if (!Array.isArray(outputs) || outputs.length < 2)
    throw new UsageError('expected at least two parsers to compare');
  const gold = await treebankFrom(goldTrees);
  const predicted = await Promise.all(outputs.map((output) => treebankFrom(output, 'heads')));
  const files = predicted.map(({ name }) => name);
  const names = parserNames(files, options.names);
  const rows = new RowsAgain(gold, predicted);
  const { by = breakdownNames, punctuation = 'include', metrics: tested = defaultMetrics, limit } = options;
  const evaluations = predicted.map(() => new Evaluation({ by, punctuation, confidence: true }));
  const sameTrees = new SameTrees(predicted.length);
  const candidates = new RuleCandidates(punctuation, () => new RuleCounts(predicted.length, tested, limit));
  let done = 0;
  for await (const { gold: sentence, counterparts: trees } of rows.first()) {
    const ud = trees.map((tree, i) => evaluations[i].add(sentence, tree));
    sameTrees.add({ gold: sentence, trees });
    candidates.add(sentence, (counts, scored, rule) => {
      const extra = trees.map((tree) => scoredExtra(tree, rule).length);
      counts.add({ gold: sentence, trees, scored, extra }, ud);
    });
    options.onSentence?.(++done);
  }
  const reports = predicted.map(({ name }, i) => evaluations[i].report(name));
  const { rule, counts } = candidates.chosen;
  const { significance, intervals } = await testParsers(
    counts.outcomes(reports, options.metrics, gold.name),
    options,
  );
  const compared = reports.map((report, i) => ({ name: names[i], report, intervals: intervals[i] }));
  const comparison: Comparison = {
    gold: gold.name,
    labelled: counts.labelled,
    parsers: compared,
    significance,
    ranking: rankingOf(compared, significance),
    errors: counts.lists.errors.analysis(limit),
    agreement: counts.agreement.agreement(),
    sameTrees: sameTrees.pairs,
    sentences: counts.lists.differing.first(),
  };
  return { comparison, sentences: rows.scored(rule) };
}

function checkOptions(options: CompareOptions): void {
  const figures = ['names', 'punctuation', 'by', 'metrics', 'limit'] as const;
  const tests = ['rounds', 'seed', 'onSentence', 'onProgress'] as const;
  checkFields<keyof CompareOptions>('compare', options, [...figures, ...tests]);
  checkNames('metrics', options.metrics, metricNames);
  if (options.metrics?.length === 0) throw new UsageError('no metrics, expected at least one');
  checkWhole('limit', options.limit, 0, Number.MAX_SAFE_INTEGER);
}

/** The counts under one punctuation rule. */
class RuleCounts {
  readonly agreement: AgreementCounts;
  private readonly tests: MetricCounts;
  private readonly labelledLists: Lists;
  /** Lists for unlabelled gold; dropped at the first label. */
  private unlabelledLists: Lists | undefined;

  constructor(parsers: number, tested: readonly MetricName[], limit: number | undefined) {
    this.agreement = new AgreementCounts(parsers);
    this.tests = new MetricCounts(tested, parsers);
    this.labelledLists = listsOf(parsers, true, limit);
    this.unlabelledLists = listsOf(parsers, false, limit);
  }

  add(sentence: ComparedSentence, ud: readonly UdSentenceCounts[]): void {
    if (hasLabels(sentence.gold)) this.unlabelledLists = undefined;
    this.agreement.add(sentence);
    this.tests.add(sentence, ud);
    for (const lists of [this.labelledLists, this.unlabelledLists]) {
      lists?.errors.add(sentence);
      lists?.differing.add(sentence);
    }
  }

  get labelled(): boolean {
    return this.unlabelledLists === undefined;
  }

  get lists(): Lists {
    return this.unlabelledLists ?? this.labelledLists;
  }

  outcomes(
    reports: readonly EvaluationReport[],
    asked: readonly MetricName[] | undefined,
    gold: string,
  ): ReadonlyMap<MetricName, MetricOutcomes> {
    if (asked !== undefined) checkDefined(asked, reports, gold);
    return this.tests.outcomes(asked ?? defaultMetrics.filter((name) => this.labelled || name !== 'las'));
  }
}

type Lists = ReturnType<typeof listsOf>;

const listsOf = (parsers: number, labelled: boolean, limit: number | undefined) => ({
  errors: new ErrorKinds(parsers, labelled),
  differing: new DifferingSentences(labelled, limit),
});

/** Throws `InputError` for an undefined metric: at the gold file if it is so for all parsers, else at the parser's. */
function checkDefined(
  names: readonly MetricName[],
  reports: readonly EvaluationReport[],
  gold: string,
): void {
  for (const name of names) {
    const { title, needs, score } = metrics[name];
    const [first, ...others] = reports.filter((report) => Number.isNaN(score(report)) && report.tokens > 0);
    if (first === undefined) continue;
    const file = others.length === reports.length - 1 ? gold : first.file;
    throw new InputError(`${title} is not defined here: it needs ${needs}`, { file });
  }
}

/** Maximum number of tokens kept in memory, over all treebanks (UD English EWT dev with eight parsers: 226,000). */
const MOST_KEPT = 250_000;
type ComparedRow = Pick<ComparedSentence, 'gold' | 'trees'>;

/** Rows that can be iterated again: kept in memory if they are few or an input is a pipe, else read again. */
class RowsAgain {
  private stored: ComparedRow[] | undefined = [];
  private readonly most: number;

  constructor(
    private readonly gold: Treebank,
    private readonly predicted: readonly Treebank[],
  ) {
    const isReadOnce = [gold, ...predicted].some((treebank) => treebank.isReadOnce);
    this.most = isReadOnce ? Number.POSITIVE_INFINITY : MOST_KEPT;
  }

  async *first(): AsyncGenerator<AlignedRow> {
    let tokens = 0;
    for await (const row of alignedRows(this.gold, this.predicted)) {
      const { gold, counterparts } = row;
      tokens += gold.length * (1 + counterparts.length);
      if (tokens > this.most) this.stored = undefined;
      // Without the counterparts' other columns, to save memory.
      const trees = counterparts.map(({ heads, labels, split, phrases }) => ({
        heads,
        labels,
        split,
        phrases,
      }));
      this.stored?.push({ gold, trees });
      yield row;
    }
  }

  scored(name: PunctuationRuleName): AsyncIterable<ComparedSentence> {
    const again = () => this.again();
    const rule = punctuationRules[name];
    return {
      async *[Symbol.asyncIterator]() {
        for await (const row of again()) yield { ...row, scored: scoredTokens(row.gold, rule) };
      },
    };
  }

  private async *again(): AsyncGenerator<ComparedRow> {
    if (this.stored !== undefined) return yield* this.stored;
    for await (const { gold, counterparts } of alignedRows(this.gold, this.predicted))
      yield { gold, trees: counterparts };
  }
}
