import type { Shares } from '../../evaluate/agreement.ts';
import { bins, leastArcs } from '../../evaluate/breakdowns/bins.ts';
import type { BucketScores } from '../../evaluate/breakdowns/breakdown.ts';
import { type BreakdownName, isNumeric } from '../../evaluate/breakdowns/buckets.ts';
import type { ComparedParser, Comparison, ErrorCounts } from '../../evaluate/comparison/comparison.ts';
import { labelNotes, metrics, shownMetrics } from '../../evaluate/comparison/metrics.ts';
import { testedMetrics } from '../../evaluate/comparison/ranking.ts';
import type { MorphologyColumn } from '../../treebank/columns/names.ts';
import {
  alignedTextTable,
  reliabilityNote,
  reliabilityTable,
  splitNote,
  tagsNote,
  textTableTitle,
} from './evaluation-tables.ts';
import { pairMatrix, pairTable, rankedParsers, rankingTable } from './ranking.ts';
import type { ColumnOf, TitledTable } from './table.ts';
import { arcText, figures, intervalText, parserColumns, parserFigures, tableOf, text } from './table.ts';
import { truncate } from './text-width.ts';

export const fullLabels = 'Labels are compared with their subtypes.';
export const noLabels = 'Gold has no labels, so labelled figures are not defined.';

export const sameTreesNotes = ({ sameTrees, parsers }: Comparison): string[] =>
  sameTrees.map(([a, b]) => `${parsers[a].name} and ${parsers[b].name} have identical trees`);

/** The tables that `parliament compare` prints by default. */
export function summaryTables(comparison: Comparison, limit: number): TitledTable[] {
  return withRows([
    ...scoreTables(comparison),
    rankingTable(rankedParsers(comparison, comparison.ranking.metric)),
    ...testedMetrics(comparison.significance).map((metric) =>
      pairMatrix(rankedParsers(comparison, metric), comparison.significance.rounds),
    ),
    differingBucketsTable(comparison, limit),
    sentenceTable(comparison, limit),
  ]);
}

/** All tables of a comparison; lists have at most `limit` rows. */
export function comparisonTables(comparison: Comparison, limit: number): TitledTable[] {
  return withRows([
    ...scoreTables(comparison),
    rankingTable(rankedParsers(comparison, comparison.ranking.metric)),
    pairTable(comparison),
    differingBucketsTable(comparison, limit),
    ...breakdownTables(comparison, limit),
    ...reliabilityTables(comparison),
    ...errorTables(comparison, limit),
    agreementTable(comparison),
    sentenceTable(comparison, limit),
  ]);
}

const withRows = (tables: readonly TitledTable[]) => tables.filter(({ table }) => table.rows.length > 0);

const scoreTables = (comparison: Comparison): TitledTable[] => [
  scoreTable(comparison),
  ...tagTables(comparison),
  ...textTables(comparison),
];

function scoreTable({ parsers, labelled, significance: { confidence } }: Comparison): TitledTable {
  const level = `${100 * confidence}%`;
  const shown = shownMetrics(parsers.map(({ report }) => report));
  const areTagsGold = parsers.every(({ report }) => report.tags?.source === 'gold');
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
      ...(areTagsGold ? ['Tags: gold, in the files of all parsers.'] : []),
      ...(labelled ? labelNotes(shown) : [noLabels]),
    ],
  };
}

/** The accuracy of the tags in the parsers' files, unless all are gold. */
function tagTables({ parsers }: Comparison): TitledTable[] {
  if (parsers.every(({ report }) => report.tags === undefined || report.tags.source === 'gold')) return [];
  const share = (name: MorphologyColumn, title: string): ColumnOf<ComparedParser> => [
    figures(name, title, 2),
    ({ report }) => report.tags?.[name] ?? null,
  ];
  const table = tableOf(parsers, [
    [text('parser'), ({ name }) => name],
    [text('tags'), ({ report: { tags } }) => tags?.source ?? null],
    share('upos', 'UPOS'),
    share('xpos', 'XPOS'),
    share('feats', 'features'),
  ]);
  return [{ title: 'Tags that the parsers saw (% right)', table, notes: [tagsNote] }];
}

/** UD's evaluation of the text, if some parser split it into other words than gold. */
function textTables({ parsers }: Comparison): TitledTable[] {
  const table = alignedTextTable(parsers.map(({ name, report: { text } }) => ({ name, text })));
  return table === undefined ? [] : [{ title: textTableTitle, table, notes: [splitNote] }];
}

export function breakdownTables({ parsers, labelled }: Comparison, limit: number): TitledTable[] {
  const [kind, score] = labelled ? (['labelled', 'las'] as const) : (['unlabelled', 'uas'] as const);
  const names = Object.keys(parsers[0].report.breakdowns) as BreakdownName[];
  return names
    .filter((name) => labelled || name !== 'label')
    .map((name) => {
      const breakdowns = parsers.map(({ report }) => report.breakdowns[name]!);
      const { shown, left } = mostFrequent(breakdowns, limit);
      return {
        title: `${metrics[score].title} F1 by ${name}`,
        table: tableOf(shown, [
          text('bucket', name),
          figures('gold', 'gold', 0),
          ...parserColumns<BucketScores>(parsers, 2, ({ bucket }, i) => {
            const scores = breakdowns[i].find((row) => row.bucket === bucket);
            return scores?.[kind].f1 ?? null;
          }),
        ]),
        notes: [...(left === 0 ? [] : [`… and ${left} more, less frequent.`]), ...labelNotes([score])],
      };
    });
}

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

function mostFrequent(breakdowns: readonly (readonly BucketScores[])[], limit: number) {
  const [first] = breakdowns;
  const filled = first.filter(({ gold }) => gold > 0).sort((x, y) => y.gold - x.gold);
  const frequent = new Set(filled.slice(0, limit));
  const all = new Set(breakdowns.flatMap((rows) => rows.map(({ bucket }) => bucket)));
  const shown = first.filter((row) => frequent.has(row));
  return { shown, left: all.size - shown.length };
}

export function errorTables({ errors, parsers }: Comparison, limit: number): TitledTable[] {
  const table = <Kind extends ErrorCounts>(
    title: string,
    kinds: readonly Kind[],
    columns: readonly ColumnOf<Kind>[],
  ): TitledTable => {
    const counts = parserColumns<Kind>(parsers, 0, (kind, i) => kind.counts[i]);
    return { title, table: tableOf(kinds.slice(0, limit), [...columns, ...counts]), notes: [] };
  };
  return [
    table('Label confusions', errors.labelConfusions, [text('gold'), text('predicted')]),
    table('Most frequent wrong arcs', errors.wrongArcs, [
      text('tag'),
      [text('gold'), ({ gold }) => arcText(gold)],
      [text('predicted'), ({ predicted }) => arcText(predicted)],
    ]),
    table('Words most often attached wrongly', errors.words, [
      [text('word'), ({ form }) => truncate(form, 30)],
      text('tag'),
      figures('tokens', 'tokens', 0),
    ]),
  ];
}

function agreementTable({ agreement, parsers, labelled }: Comparison): TitledTable {
  const score = labelled ? 'las' : 'uas';
  const { matrix, unique, oracle, majority, unanimousRight, unanimousWrong } = agreement;
  const share = (shares: Shares) => `${shares[score].toFixed(2)}%`;
  return {
    title: `Agreement (same ${labelled ? 'head and label' : 'head'}, % of the tokens)`,
    table: {
      columns: [
        text('parser'),
        ...parsers.map(({ name }) => parserFigures(name, 2)),
        figures('onlyRight', 'right alone', 2),
        figures('onlyWrong', 'wrong alone', 2),
      ],
      rows: parsers.map(({ name }, i) => [
        name,
        ...matrix[i].map((shares, j) => (i === j ? null : shares[score])),
        unique[i].right[score],
        unique[i].errors[score],
      ]),
    },
    notes: [
      `Some parser is right (upper bound of a vote): ${share(oracle)}; more than half are right: ${share(majority)}.`,
      `All are right: ${share(unanimousRight)}; all give the same wrong answer: ${share(unanimousWrong)}.`,
      ...(labelled ? [fullLabels] : []),
    ],
  };
}

function sentenceTable({ sentences, parsers, labelled }: Comparison, limit: number): TitledTable {
  return {
    title: `Sentences on which the parsers differ most (right ${labelled ? 'arcs' : 'heads'})`,
    table: {
      columns: [
        { ...text('sentence'), align: 'right' },
        figures('scored', 'tokens', 0),
        ...parsers.map(({ name }) => parserFigures(name, 0)),
        text('text'),
      ],
      rows: sentences
        .slice(0, limit)
        .map(({ sentence, scored, arcs, text }) => [sentence, scored, ...arcs, truncate(text, 50)]),
    },
    notes: labelled ? [fullLabels] : [],
  };
}

/** The scores of all parsers in one bucket of a breakdown. */
interface BucketComparison {
  readonly by: BreakdownName;
  readonly bucket: string;
  readonly gold: number;
  /** F1 of each parser, percent. */
  readonly scores: readonly number[];
}

/** The buckets in which the parsers differ more than overall, most notable first. */
function differingBucketsTable(comparison: Comparison, limit: number): TitledTable {
  const { parsers, labelled } = comparison;
  const score = labelled ? 'LAS' : 'UAS';
  return {
    title: `Where the parsers differ most (${score} F1)`,
    table: tableOf(differingBuckets(comparison).slice(0, limit), [
      text('by'),
      text('bucket', 'arcs'),
      figures('gold', 'gold', 0),
      ...parserColumns<BucketComparison>(parsers, 2, ({ scores }, i) => scores[i]),
    ]),
    notes: [
      `Groups of at least ${leastArcs} gold arcs in which the best and the worst parser differ more than in overall ${score}.`,
      ...labelNotes([labelled ? 'las' : 'uas']),
    ],
  };
}

function differingBuckets({ parsers, labelled }: Comparison): BucketComparison[] {
  const kind = labelled ? 'labelled' : 'unlabelled';
  const overall = spread(parsers.map(({ report }) => (labelled ? report.las : report.uas)));
  const names = Object.keys(parsers[0].report.breakdowns) as BreakdownName[];
  const all = names.flatMap((by): BucketComparison[] => {
    const breakdowns = parsers.map(({ report }) => report.breakdowns[by]!);
    return scoresByBucket(by, breakdowns).map((scores) => {
      const [{ bucket, gold }] = scores;
      return { by, bucket, gold, scores: scores.map((each) => each[kind].f1) };
    });
  });
  // Random differences shrink with the square root of the number of arcs. Where an F1 is undefined, the weight is NaN.
  const weight = ({ gold, scores }: BucketComparison) => (spread(scores) - overall) * Math.sqrt(gold);
  return all
    .filter((each) => each.gold >= leastArcs && weight(each) > 0)
    .sort((x, y) => weight(y) - weight(x));
}

const spread = (scores: readonly number[]): number => Math.max(...scores) - Math.min(...scores);

/** Groups the parsers' scores by bucket; merges numeric buckets into bins, leaves out those that a parser lacks. */
function scoresByBucket(by: BreakdownName, breakdowns: readonly (readonly BucketScores[])[]) {
  const numbers = isNumeric(by) ? bins(breakdowns) : undefined;
  const all = breakdowns.map((rows, i) =>
    numbers === undefined ? rows : [...numbers[i], ...rows.filter(({ bucket }) => !/^\d/.test(bucket))],
  );
  return all[0]
    .map(({ bucket }) => all.flatMap((rows) => rows.find((row) => row.bucket === bucket) ?? []))
    .filter(({ length }) => length === breakdowns.length);
}
