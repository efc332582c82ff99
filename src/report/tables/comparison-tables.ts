import type { Shares } from '../../evaluate/agreement.ts';
import type { BreakdownName, BucketScores } from '../../evaluate/breakdowns/breakdown.ts';
import type {
  ArcKind,
  ComparedParser,
  Comparison,
  PairTests,
  Significance,
} from '../../evaluate/comparison/comparison.ts';
import { type MetricName, metrics, shownMetrics } from '../../evaluate/comparison/metrics.ts';
import type { Interval } from '../../evaluate/significance/bootstrap.ts';
import { displayWidth } from './display-width.ts';
import { reliabilityNote, reliabilityTable } from './reliability-table.ts';
import {
  type Column,
  type ColumnOf,
  figures,
  type Table,
  tableOf,
  text,
  withoutEmptyColumns,
} from './table.ts';
import { alignedTextTable, splitNote, tagSources, tagsNote, textTableTitle } from './text-table.ts';

export interface TitledTable {
  readonly title: string;
  readonly table: Table;
  /** What a reader must know, one line each. */
  readonly notes: readonly string[];
}

/** Differences with a corrected p of at most this are significant. */
export const significanceLevel = 0.05;

export const significanceTitle = 'Are the differences significant?';

/** Whether one parser of a pair is better than the other, by stratified shuffling. */
export function isSignificant({ shuffling }: PairTests): boolean {
  return shuffling.corrected <= significanceLevel;
}

/** What to say where a p-value of 1 in `rounds` + 1, corrected over all pairs, is not small enough; one line at most. */
export function tooFewRounds({ rounds, pairs }: Significance): string[] {
  const least = Math.min(1, pairs.length / (rounds + 1));
  if (least <= significanceLevel) return [];
  const drawn = `${rounds.toLocaleString('en-US')} round${rounds === 1 ? '' : 's'}`;
  return [`With ${drawn} no corrected p is below ${pText(least)}: no difference can be significant.`];
}

/** Why some figures are not there. */
export const noLabels = 'Gold has no labels, so there are no figures of labels.';

/** Pairs whose trees are the same, one line each. */
export function sameTreesNotes({ sameTrees, parsers }: Comparison): string[] {
  return sameTrees.map(
    ([a, b]) =>
      `${parsers[a].name} and ${parsers[b].name} have the same trees throughout: nothing tells them apart`,
  );
}

/** The tables for readers, of at most `limit` rows each where they are lists. */
export function comparisonTables(comparison: Comparison, limit: number): TitledTable[] {
  const tables = [
    scoreTable(comparison),
    ...tagTables(comparison),
    ...textTables(comparison),
    pairTable(comparison),
    ...breakdownTables(comparison, limit),
    ...reliabilityTables(comparison),
    ...errorTables(comparison, limit),
    agreementTable(comparison),
    sentenceTable(comparison, limit),
  ];
  return tables.filter(({ table }) => table.rows.length > 0);
}

/** The metrics side by side; those of UD where some parser has them. Those tested have intervals. */
function scoreTable({ parsers, labelled, significance: { confidence } }: Comparison): TitledTable {
  const level = `${100 * confidence}%`;
  const shown = shownMetrics(parsers.map(({ report }) => report));
  const columns = shown.flatMap((name): ColumnOf<ComparedParser>[] => {
    const { title, score } = metrics[name];
    const isTested = parsers.some(({ intervals }) => intervals[name] !== undefined);
    const interval: ColumnOf<ComparedParser> = [
      text(`${name}Interval`, level),
      ({ intervals }) => intervalText(intervals[name]),
    ];
    return [[figures(name, title, 2), ({ report }) => score(report)], ...(isTested ? [interval] : [])];
  });
  return {
    title: 'Scores',
    table: tableOf(parsers, [[text('parser'), ({ name }) => name], ...columns]),
    notes: [
      `${level}: bootstrap confidence interval of the score before it.`,
      ...tagsNotes(parsers),
      ...(labelled ? [] : [noLabels]),
    ],
  };
}

/** The tags beside the parsers' trees, where some are not gold's. */
function tagTables({ parsers }: Comparison): TitledTable[] {
  if (parsers.every(({ report }) => report.tags === undefined || report.tags.source === 'gold')) return [];
  const share = (name: 'upos' | 'xpos' | 'feats', title: string): ColumnOf<ComparedParser> => [
    figures(name, title, 2),
    ({ report }) => report.tags?.[name] ?? null,
  ];
  const table = tableOf(parsers, [
    [text('parser'), ({ name }) => name],
    [text('tags'), ({ report: { tags } }) => (tags === undefined ? null : tagSources[tags.source])],
    ...[share('upos', 'UPOS'), share('xpos', 'XPOS'), share('feats', 'features')],
  ]);
  return [{ title: 'Tags that the parsers saw (% right)', table, notes: [tagsNote] }];
}

/** One line, where all parsers have gold's tags. */
function tagsNotes(parsers: readonly ComparedParser[]): string[] {
  const areGold = parsers.every(({ report }) => report.tags?.source === 'gold');
  return areGold ? ['Tags: gold’s own, in the files of all parsers.'] : [];
}

/** What UD's evaluation makes of the text, where some parser has split it otherwise than gold. */
function textTables({ parsers }: Comparison): TitledTable[] {
  const table = alignedTextTable(parsers.map(({ name, report: { text } }) => ({ name, text })));
  return table === undefined ? [] : [{ title: textTableTitle, table, notes: [splitNote] }];
}

function pairTable({ parsers, significance }: Comparison): TitledTable {
  const { pairs, rounds, seed, confidence } = significance;
  const rows = pairs.flatMap(({ a, b, tests }) =>
    Object.entries(tests).map(([name, result]) => ({ a, b, name: name as MetricName, ...result })),
  );
  const table = tableOf(rows, [
    [text('a', 'A'), ({ a }) => parsers[a].name],
    [text('b', 'B'), ({ b }) => parsers[b].name],
    [text('score'), ({ name }) => metrics[name].title],
    [{ ...figures('difference', 'A − B', 2), format: signed }, ({ difference }) => difference],
    [text('interval', `${100 * confidence}%`), ({ bootstrap }) => intervalText(bootstrap.interval)],
    [pValues('shuffling', 'p'), ({ shuffling }) => shuffling.p],
    [pValues('corrected', 'corrected'), ({ shuffling }) => shuffling.corrected],
    [text('significant'), (test) => (isSignificant(test) ? 'yes' : 'no')],
    [pValues('bootstrap', 'bootstrap'), ({ bootstrap }) => bootstrap.p],
    [pValues('mcnemar', 'McNemar'), ({ mcnemar }) => mcnemar?.p ?? null],
  ]);
  return {
    title: significanceTitle,
    table: withoutEmptyColumns(table),
    notes: [
      `p: two-sided, by stratified shuffling of whole sentences (${rounds.toLocaleString('en-US')} rounds, seed ${seed}).`,
      `corrected: p by Holm's correction over ${pairs.length === 1 ? 'the one pair' : `all ${pairs.length} pairs`}; significant: it is at most ${significanceLevel}.`,
      ...tooFewRounds(significance),
      `bootstrap: paired, over sentences; it also gives the ${100 * confidence}% interval of the difference.`,
      ...(rows.some(({ mcnemar }) => mcnemar !== undefined) ? [mcnemarNote] : []),
    ],
  };
}

const mcnemarNote =
  'McNemar: optimistic, not to be relied on. It takes tokens as independent, but errors of one sentence come together.';

/** How the parsers do by each property: F1 of their arcs, side by side. */
function breakdownTables({ parsers, labelled }: Comparison, limit: number): TitledTable[] {
  const kind = labelled ? 'labelled' : 'unlabelled';
  const names = Object.keys(parsers[0].report.breakdowns) as BreakdownName[];
  return names
    .filter((name) => labelled || name !== 'label')
    .map((name) => {
      const breakdowns = parsers.map(({ report }) => report.breakdowns[name]!);
      const { shown, left } = mostFrequent(breakdowns, limit);
      return {
        title: `${labelled ? 'LAS' : 'UAS'} F1 by ${name}`,
        table: {
          columns: [
            { key: 'bucket', title: name },
            figures('gold', 'gold', 0),
            ...parsers.map(({ name: parser }) => figures(parser, parser, 2)),
          ],
          rows: shown.map((bucket) => {
            const scores = breakdowns.map((rows) => rows.find((row) => row.bucket === bucket));
            const gold = scores.find((score) => score !== undefined)!.gold;
            return [bucket, gold, ...scores.map((score) => score?.[kind].f1 ?? null)];
          }),
        },
        notes: left === 0 ? [] : [`… and ${left} more, less frequent.`],
      };
    });
}

/** Whether the confidences of each parser that gives them come true. */
function reliabilityTables({ parsers }: Comparison): TitledTable[] {
  return parsers.flatMap(({ name, report: { reliability } }) =>
    reliability === undefined
      ? []
      : {
          title: `UAS by confidence: ${name}`,
          table: reliabilityTable(reliability),
          notes: [reliabilityNote(reliability)],
        },
  );
}

/** The buckets with most gold arcs, in the order of the breakdown. */
function mostFrequent(breakdowns: readonly (readonly BucketScores[])[], limit: number) {
  const [first] = breakdowns;
  const frequent = new Set(
    first
      .filter(({ gold }) => gold > 0)
      .sort((x, y) => y.gold - x.gold)
      .slice(0, limit),
  );
  const all = new Set(breakdowns.flatMap((rows) => rows.map(({ bucket }) => bucket)));
  const shown = first.filter((row) => frequent.has(row)).map(({ bucket }) => bucket);
  return { shown, left: all.size - shown.length };
}

function errorTables({ errors, parsers }: Comparison, limit: number): TitledTable[] {
  const counts = parsers.map(({ name }) => figures(name, name, 0));
  return [
    {
      title: 'Labels taken for others',
      table: {
        columns: [text('gold'), text('predicted'), ...counts],
        rows: errors.labelConfusions
          .slice(0, limit)
          .map(({ gold, predicted, counts }) => [gold, predicted, ...counts]),
      },
      notes: [],
    },
    {
      title: 'Most frequent wrong arcs',
      table: {
        columns: [text('tag'), text('gold'), text('predicted'), ...counts],
        rows: errors.wrongArcs
          .slice(0, limit)
          .map(({ tag, gold, predicted, counts }) => [tag, arcText(gold), arcText(predicted), ...counts]),
      },
      notes: [],
    },
    {
      title: 'Words most often attached wrongly',
      table: {
        columns: [text('word'), text('tag'), figures('tokens', 'tokens', 0), ...counts],
        rows: errors.words
          .slice(0, limit)
          .map(({ form, tag, tokens, counts }) => [shortened(form, 30), tag, tokens, ...counts]),
      },
      notes: [],
    },
  ];
}

/** Each parser with each, and alone against all others. */
function agreementTable({ agreement, parsers, labelled }: Comparison): TitledTable {
  const score = labelled ? 'las' : 'uas';
  const { matrix, unique, oracle, majority, unanimousRight, unanimousWrong } = agreement;
  const share = (shares: Shares) => `${shares[score].toFixed(2)}%`;
  return {
    title: `Agreement (same ${labelled ? 'head and label' : 'head'}, % of the tokens)`,
    table: {
      columns: [
        { key: 'parser', title: 'parser' },
        ...parsers.map(({ name }) => figures(name, name, 2)),
        figures('onlyRight', 'only it right', 2),
        figures('onlyWrong', 'only it wrong', 2),
      ],
      rows: parsers.map(({ name }, i) => [
        name,
        ...matrix[i].map((shares, j) => (i === j ? null : shares[score])),
        unique[i].right[score],
        unique[i].errors[score],
      ]),
    },
    notes: [
      `Some parser is right, the most that a vote could reach: ${share(oracle)}; more than half are right: ${share(majority)}.`,
      `All are right: ${share(unanimousRight)}; all give the same wrong answer: ${share(unanimousWrong)}.`,
    ],
  };
}

function sentenceTable({ sentences, parsers, labelled }: Comparison, limit: number): TitledTable {
  return {
    title: `Sentences on which the parsers differ most (right ${labelled ? 'arcs' : 'heads'})`,
    table: {
      columns: [
        figures('sentence', 'sentence', 0),
        figures('scored', 'tokens', 0),
        ...parsers.map(({ name }) => figures(name, name, 0)),
        { key: 'text', title: 'text' },
      ],
      rows: sentences
        .slice(0, limit)
        .map(({ sentence, scored, arcs, text }) => [sentence, scored, ...arcs, shortened(text, 50)]),
    },
    notes: [],
  };
}

/** `obl of VERB, left`: label, tag of the head, and on which side the head is. */
export function arcText({ label, headTag, head }: ArcKind): string {
  if (head === 'missing') return 'no such word';
  if (head === 'elsewhere') return `${label} of a word elsewhere`;
  return head === 'root' ? `${label} of the root` : `${label} of ${headTag}, ${head}`;
}

function pValues(key: string, title: string): Column {
  return { key, title, align: 'right', format: (p) => pText(Number(p)) };
}

export function pText(p: number): string {
  return p < 0.0001 ? '<0.0001' : p.toFixed(4);
}

export function signed(value: string | number): string {
  return `${Number(value) < 0 ? '' : '+'}${decimals(Number(value))}`;
}

export function intervalText(interval: Interval | undefined): string | null {
  return interval === undefined ? null : `${decimals(interval.low)} … ${decimals(interval.high)}`;
}

function decimals(value: number): string {
  return value.toFixed(2).replace('-', '−');
}

/** The text, with `…` for what does not fit into so many cells of a terminal. */
function shortened(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let short = '';
  for (const character of text) {
    if (displayWidth(short + character) >= width) break;
    short += character;
  }
  return `${short}…`;
}
