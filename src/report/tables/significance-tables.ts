import type { Comparison } from '../../evaluate/comparison/comparison.ts';
import { labelNotes, type MetricName, metrics } from '../../evaluate/comparison/metrics.ts';
import {
  differenceOf,
  isSignificant,
  significanceLevel,
  testedMetrics,
} from '../../evaluate/comparison/ranking.ts';
import { intervalText, pText, signed } from './figure-text.ts';
import type { RankedParsers } from './ranking.ts';
import { type Column, figures, type TitledTable, tableOf, text, withoutEmptyColumns } from './table.ts';

export const significanceTitle = 'Are the differences significant?';

/** A warning if the smallest possible corrected p, pairs / (rounds + 1), exceeds the significance level. */
export function tooFewRounds({ rounds, pairs }: { rounds: number; pairs: readonly unknown[] }): string[] {
  const least = Math.min(1, pairs.length / (rounds + 1));
  if (least <= significanceLevel) return [];
  const drawn = `${rounds.toLocaleString('en-US')} round${rounds === 1 ? '' : 's'}`;
  return [`With ${drawn} no corrected p can be below ${pText(least)}: no difference can be significant.`];
}

export function pairTable({ parsers, significance }: Comparison): TitledTable {
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
      ...labelNotes(testedMetrics(significance)),
      `p: two-sided, by stratified shuffling of whole sentences (${rounds.toLocaleString('en-US')} rounds, seed ${seed}).`,
      `corrected: p by Holm's correction over ${pairsText(pairs)}; significant: corrected p ≤ ${significanceLevel}.`,
      ...tooFewRounds(significance),
      `bootstrap: paired, over sentences; it also gives the ${100 * confidence}% interval of the difference.`,
      ...(rows.some(({ mcnemar }) => mcnemar !== undefined) ? [mcnemarNote] : []),
    ],
  };
}

const mcnemarNote =
  'McNemar: optimistic, not to be relied on. It treats tokens as independent, but errors in a sentence depend on each other.';

export function pairMatrix(
  { names, title, notes, ranking, pairs }: RankedParsers,
  rounds: number,
): TitledTable {
  const { order } = ranking;
  const cell = (row: number, column: number): string | null => {
    const found = differenceOf(pairs, row, column);
    return found === undefined ? null : `${signed(found.difference)}${found.isClear ? '*' : ' '}`;
  };
  return {
    title: `${title}: row − column`,
    table: {
      columns: [
        text('parser'),
        ...order.map((i): Column => ({ key: names[i], title: names[i], align: 'right' })),
      ],
      rows: order.map((row) => [names[row], ...order.map((column) => cell(row, column))]),
    },
    notes: [
      `*: significant, p ≤ ${significanceLevel} by stratified shuffling of whole sentences and Holm's correction over ${pairsText(pairs)}.`,
      ...tooFewRounds({ rounds, pairs }),
      ...notes,
    ],
  };
}

function pairsText(pairs: readonly unknown[]): string {
  return pairs.length === 1 ? 'the one pair' : `all ${pairs.length} pairs`;
}

function pValues(key: string, title: string): Column {
  return { key, title, align: 'right', format: (p) => pText(Number(p)) };
}
