import type { Shares } from '../../evaluate/agreement.ts';
import { isSplitOtherwise } from '../../evaluate/attachment/ud-counts.ts';
import type { BracketErrors, PhraseComparison } from '../../evaluate/comparison/compare-phrases.ts';
import type { Comparison, PairTests } from '../../evaluate/comparison/comparison.ts';
import type { PrecisionRecall } from '../../evaluate/percent.ts';
import { arcText } from './figure-text.ts';
import type { Cell, Table } from './table.ts';

type Row = readonly [table: string, row: string, parser: string, figure: string, value: Cell];

/** All figures of a comparison in one long-format table, one figure per row. */
export function comparisonFigures(comparison: Comparison, phrases?: PhraseComparison): Table {
  const titles = ['table', 'row', 'parser', 'figure', 'value'];
  return {
    columns: titles.map((title) => ({ key: title, title })),
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

function scores({ parsers }: Comparison): Row[] {
  return parsers.flatMap(({ name, report, intervals }) => {
    const { sentences, tokens, uas, las, laa, rootAccuracy, completeRate, labelledCompleteRate } = report;
    const { clas, mlas, blex } = report.ud ?? {};
    const attachment = { sentences, tokens, uas, las, laa, rootAccuracy, completeRate, labelledCompleteRate };
    const plain = { ...attachment, ...(report.ud && { clas, mlas, blex }) };
    const bounds = Object.entries(intervals).flatMap(([score, { low, high }]) => [
      [`${score}Low`, low] as const,
      [`${score}High`, high] as const,
    ]);
    return [...Object.entries(plain), ...bounds].map(
      ([figure, value]): Row => ['scores', 'all', name, figure, value!],
    );
  });
}

function brackets({ parsers, pairs, byLabel, bySpan, relabelled }: PhraseComparison): Row[] {
  const errors = (table: string, rows: readonly BracketErrors[]) =>
    rows.flatMap(({ bucket, missing, wrong, crossing }) =>
      parsers.flatMap(({ name }, i): Row[] => [
        [table, bucket, name, 'missing', missing[i]],
        [table, bucket, name, 'wrong', wrong[i]],
        [table, bucket, name, 'crossing', crossing[i]],
      ]),
    );
  return [
    ...parsers.flatMap(({ name, report, interval }): Row[] => {
      const { precision, recall, f1, exactMatch, averageCrossing, noCrossing, taggingAccuracy } = report;
      const own = { precision, recall, f1, exactMatch, averageCrossing, noCrossing, taggingAccuracy };
      const all = { ...own, f1Low: interval.low, f1High: interval.high };
      return Object.entries(all).map(([figure, value]): Row => ['brackets', 'all', name, figure, value]);
    }),
    ...pairs.flatMap(({ a, b, test: { difference, shuffling } }): Row[] => {
      const row = `${parsers[a].name} − ${parsers[b].name}`;
      const all = { difference, 'shuffling p': shuffling.p, 'shuffling corrected p': shuffling.corrected };
      return Object.entries(all).map(
        ([figure, value]): Row => ['bracket significance', row, '', figure, value],
      );
    }),
    ...errors('brackets by label', byLabel),
    ...errors('brackets by span', bySpan),
    ...relabelled.flatMap(({ gold, predicted, counts }) =>
      counts.map(
        (count, i): Row => ['other labels', `${gold} → ${predicted}`, parsers[i].name, 'brackets', count],
      ),
    ),
  ];
}

/** Only for parsers whose tags are not gold's. */
function tags({ parsers }: Comparison): Row[] {
  return parsers.flatMap(({ name, report: { tags } }) => {
    if (tags === undefined || tags.source === 'gold') return [];
    return Object.entries(tags).map(([figure, value]): Row => ['tags', 'all', name, figure, value]);
  });
}

/** Only for parsers with other words or sentences than gold. */
function texts({ parsers }: Comparison): Row[] {
  return parsers
    .filter(({ report }) => isSplitOtherwise(report.text))
    .flatMap(({ name, report }) =>
      Object.entries(report.text).flatMap(([metric, counts]) =>
        Object.entries(counts).map(([figure, value]): Row => ['text', metric, name, figure, value]),
      ),
    );
}

function pairs({ parsers, significance }: Comparison): Row[] {
  return significance.pairs.flatMap(({ a, b, tests }) =>
    Object.entries(tests).flatMap(([score, result]) =>
      Object.entries(pairFigures(result)).map(
        ([figure, value]): Row => [
          'significance',
          `${parsers[a].name} − ${parsers[b].name}`,
          '',
          `${score} ${figure}`,
          value,
        ],
      ),
    ),
  );
}

function pairFigures({ difference, shuffling, bootstrap, mcnemar }: PairTests): Record<string, number> {
  return {
    difference,
    'shuffling p': shuffling.p,
    'shuffling corrected p': shuffling.corrected,
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
  };
}

function breakdowns({ parsers }: Comparison): Row[] {
  return parsers.flatMap(({ name, report }) =>
    Object.entries(report.breakdowns).flatMap(([by, buckets]) =>
      buckets.flatMap(({ bucket, gold, predicted, unlabelled, labelled }) => {
        const figures = { gold, predicted, ...prefixed('uas', unlabelled), ...prefixed('las', labelled) };
        return Object.entries(figures).map(
          ([figure, value]): Row => [`by ${by}`, bucket, name, figure, value],
        );
      }),
    ),
  );
}

function prefixed(score: string, { precision, recall, f1 }: PrecisionRecall): Record<string, number> {
  return { [`${score} precision`]: precision, [`${score} recall`]: recall, [`${score} f1`]: f1 };
}

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
  const rows = (row: string, parser: string, figure: string, shares: Shares) =>
    Object.entries(shares).map(
      ([score, share]): Row => ['agreement', row, parser, `${score} ${figure}`, share],
    );
  return [
    ...rows('all', '', 'some right', oracle),
    ...rows('all', '', 'most right', majority),
    ...rows('all', '', 'all right', unanimousRight),
    ...rows('all', '', 'all wrong alike', unanimousWrong),
    ...parsers.flatMap(({ name }, i) => [
      ...rows('all', name, 'only it right', unique[i].right),
      ...rows('all', name, 'only it wrong', unique[i].errors),
      ...parsers.slice(i + 1).flatMap((other, j) => rows(other.name, name, 'same', matrix[i][i + 1 + j])),
    ]),
  ];
}

function sentences({ sentences, parsers }: Comparison): Row[] {
  return sentences.flatMap(({ sentence, heads, arcs }) =>
    parsers.flatMap(({ name }, i): Row[] => [
      ['sentences', String(sentence), name, 'right heads', heads[i]],
      ['sentences', String(sentence), name, 'right arcs', arcs[i]],
    ]),
  );
}
