import type { Shares } from '../../evaluate/agreement.ts';
import { isSplitOtherwise } from '../../evaluate/attachment/ud-counts.ts';
import type { BracketErrors, PhraseComparison } from '../../evaluate/comparison/compare-phrases.ts';
import type { Comparison, PairTests } from '../../evaluate/comparison/comparison.ts';
import type { TestedPair } from '../../evaluate/comparison/ranking.ts';
import { arcText, type Cell, type Table } from './table.ts';

type Row = readonly [table: string, row: string, parser: string, figure: string, value: Cell];

/** Collects all figures of a comparison in a long-format table, one figure per row. */
export function comparisonFigures(comparison: Comparison, phrases?: PhraseComparison): Table {
  return {
    columns: ['table', 'row', 'parser', 'figure', 'value'].map((title) => ({ key: title, title })),
    rows: [
      ...scores(comparison),
      ...(phrases === undefined ? [] : brackets(phrases)),
      ...tags(comparison),
      ...texts(comparison),
      ...pairs(comparison),
      ...breakdowns(comparison),
      ...errors(comparison),
      ...agreements(comparison),
      ...sentences(comparison),
    ],
  };
}

function rowsOf(table: string, row: string, parser: string, figures: object): Row[] {
  return Object.entries(figures).map(
    ([figure, value]: [string, Cell]): Row => [table, row, parser, figure, value],
  );
}

function scores({ parsers }: Comparison): Row[] {
  return parsers.flatMap(({ name, report, intervals }) => {
    const { sentences, tokens, uas, las, laa, rootAccuracy, completeRate, labelledCompleteRate, ud } = report;
    const attachment = { sentences, tokens, uas, las, laa, rootAccuracy, completeRate, labelledCompleteRate };
    const content = ud && { udlas: ud.las, clas: ud.clas, mlas: ud.mlas, blex: ud.blex };
    const figures: Record<string, number> = { ...attachment, ...content };
    for (const [score, { low, high }] of Object.entries(intervals)) {
      figures[`${score}Low`] = low;
      figures[`${score}High`] = high;
    }
    return rowsOf('scores', 'all', name, figures);
  });
}

function brackets({ parsers, pairs, byLabel, bySpan, relabelled }: PhraseComparison): Row[] {
  const errors = (table: string, rows: readonly BracketErrors[]) =>
    rows.flatMap(({ bucket, missing, wrong, crossing }) =>
      parsers.flatMap(({ name }, i) =>
        rowsOf(table, bucket, name, { missing: missing[i], wrong: wrong[i], crossing: crossing[i] }),
      ),
    );
  return [
    ...parsers.flatMap(({ name, report, interval: { low, high } }) => {
      const { precision, recall, f1, exactMatch, averageCrossing, noCrossing, taggingAccuracy } = report;
      const own = { precision, recall, f1, exactMatch, averageCrossing, noCrossing, taggingAccuracy };
      return rowsOf('brackets', 'all', name, { ...own, f1Low: low, f1High: high });
    }),
    ...pairs.flatMap(({ a, b, test }) =>
      rowsOf('bracket significance', `${parsers[a].name} − ${parsers[b].name}`, '', shufflingFigures(test)),
    ),
    ...errors('brackets by label', byLabel),
    ...errors('brackets by span', bySpan),
    ...relabelled.flatMap(({ gold, predicted, counts }) =>
      counts.map(
        (count, i): Row => ['other labels', `${gold} → ${predicted}`, parsers[i].name, 'brackets', count],
      ),
    ),
  ];
}

function tags({ parsers }: Comparison): Row[] {
  return parsers.flatMap(({ name, report: { tags } }) =>
    tags === undefined || tags.source === 'gold' ? [] : rowsOf('tags', 'all', name, tags),
  );
}

function texts({ parsers }: Comparison): Row[] {
  return parsers
    .filter(({ report }) => isSplitOtherwise(report.text))
    .flatMap(({ name, report }) =>
      Object.entries(report.text).flatMap(([metric, counts]) => rowsOf('text', metric, name, counts)),
    );
}

function pairs({ parsers, significance }: Comparison): Row[] {
  return significance.pairs.flatMap(({ a, b, tests }) =>
    Object.entries(tests).flatMap(([score, result]) =>
      rowsOf(
        'significance',
        `${parsers[a].name} − ${parsers[b].name}`,
        '',
        prefixed(score, pairFigures(result)),
      ),
    ),
  );
}

const shufflingFigures = ({ difference, shuffling }: TestedPair['test']) => ({
  difference,
  'shuffling p': shuffling.p,
  'shuffling corrected p': shuffling.corrected,
});

const pairFigures = ({ bootstrap, mcnemar, ...test }: PairTests) => ({
  ...shufflingFigures(test),
  'bootstrap p': bootstrap.p,
  'bootstrap corrected p': bootstrap.corrected,
  'bootstrap low': bootstrap.interval.low,
  'bootstrap high': bootstrap.interval.high,
  ...(mcnemar && {
    'McNemar p': mcnemar.p,
    'McNemar corrected p': mcnemar.corrected,
    'right in A only': mcnemar.onlyA,
    'right in B only': mcnemar.onlyB,
  }),
});

function breakdowns({ parsers }: Comparison): Row[] {
  return parsers.flatMap(({ name, report }) =>
    Object.entries(report.breakdowns).flatMap(([by, buckets]) =>
      buckets.flatMap(({ bucket, gold, predicted, unlabelled, labelled }) => {
        const figures = { gold, predicted, ...prefixed('uas', unlabelled), ...prefixed('las', labelled) };
        return rowsOf(`by ${by}`, bucket, name, figures);
      }),
    ),
  );
}

const prefixed = (score: string, figures: object): object =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${score} ${name}`, value]));

function errors({ errors: { labelConfusions, wrongArcs, words }, parsers }: Comparison): Row[] {
  const rows = (table: string, row: string, counts: readonly number[]) =>
    counts.map((count, i): Row => [table, row, parsers[i].name, 'errors', count]);
  return [
    ...labelConfusions.flatMap(({ gold, predicted, counts }) =>
      rows('label confusions', `${gold} → ${predicted}`, counts),
    ),
    ...wrongArcs.flatMap(({ tag, gold, predicted, counts }) =>
      rows('wrong arcs', `${tag}: ${arcText(gold)} → ${arcText(predicted)}`, counts),
    ),
    ...words.flatMap(({ form, tag, counts }) => rows('words', `${form} ${tag}`, counts)),
  ];
}

function agreements({ agreement, parsers }: Comparison): Row[] {
  const { matrix, unique, oracle, majority, unanimousRight, unanimousWrong } = agreement;
  const rows = (row: string, parser: string, figure: string, { uas, las }: Shares) =>
    rowsOf('agreement', row, parser, { [`uas ${figure}`]: uas, [`las ${figure}`]: las });
  return [
    ...rows('all', '', 'some right', oracle),
    ...rows('all', '', 'most right', majority),
    ...rows('all', '', 'all right', unanimousRight),
    ...rows('all', '', 'same wrong answer', unanimousWrong),
    ...parsers.flatMap(({ name }, i) => [
      ...rows('all', name, 'only it right', unique[i].right),
      ...rows('all', name, 'only it wrong', unique[i].errors),
      ...parsers.slice(i + 1).flatMap((other, j) => rows(other.name, name, 'same', matrix[i][i + 1 + j])),
    ]),
  ];
}

function sentences({ sentences, parsers }: Comparison): Row[] {
  return sentences.flatMap(({ sentence, heads, arcs }) =>
    parsers.flatMap(({ name }, i) =>
      rowsOf('sentences', String(sentence), name, { 'right heads': heads[i], 'right arcs': arcs[i] }),
    ),
  );
}
