import { criticalDifference, ranks, wilcoxon } from '../../src/evaluate/significance/over-treebanks.ts';
import type { Column, Table } from '../../src/report/tables/table.ts';
import { type FigureName, figures, mean } from '../cells/figures.ts';
import type { Plan } from '../definition/plan.ts';
import { treebankAxis } from '../definition/schema.ts';
import type { FilledCell, FilledCells } from './fill.ts';
import { figureTexts, type ReadableTable, shownP, withSource } from './table-texts.ts';

/** A table as parsers × treebanks, whichever axis the treebanks are on. */
interface TreebankView {
  readonly parsers: readonly string[];
  readonly treebanks: readonly string[];
  /** One row per parser, with one cell per treebank. */
  readonly cells: FilledCells;
}

/** Whether a table shows averages over treebanks: if requested, and there are several. */
export function isOverTreebanks({ experiment, rows, columns }: Plan): boolean {
  const axis = treebankAxis(experiment);
  return experiment.averages && axis !== undefined && (axis === 'rows' ? rows : columns).length > 1;
}

export function treebankView({ experiment, rows, columns }: Plan, cells: FilledCells): TreebankView {
  if (treebankAxis(experiment) === 'columns') return { parsers: rows, treebanks: columns, cells };
  const turned = columns.map((_, j) => cells.map((row) => row[j]));
  return { parsers: columns, treebanks: rows, cells: turned };
}

/** A parser's averages over the treebanks that have figures of all parsers. */
interface Overall {
  readonly mean: number;
  /** Mean rank; NaN for rows that are not parsers: the best of several, and the oracle. */
  readonly rank: number;
  /** P-value of the difference from the baseline by Wilcoxon's signed-rank test; undefined without a baseline. */
  readonly p: number | undefined;
}

interface OverTreebanks {
  readonly overall: readonly Overall[];
  readonly treebanks: number;
  /** Critical difference of the mean ranks (Nemenyi test); NaN with too few parsers or treebanks. */
  readonly criticalDifference: number;
}

/** Means, mean ranks and tests of one figure over treebanks (Demšar 2006). */
export function overTreebanks(plan: Plan, view: TreebankView, name: FigureName): OverTreebanks {
  const isTested = isRanked(name);
  const values = view.cells.map((row) => row.map((cell) => cell.figures.get(name)!.value));
  const complete = [...view.treebanks.keys()].filter((t) => values.every((row) => !Number.isNaN(row[t])));
  const known = values.map((row) => complete.map((t) => row[t]));
  const ranked = isTested ? [...known.keys()].filter((i) => view.cells[i].every(isParser)) : [];
  const valuesOf = (t: number) => ranked.map((i) => known[i][t]);
  const byTreebank = complete.map((_, t) => ranks(valuesOf(t), figures[name].better));
  const baseline = baselineOf(plan, view);
  const areFew = ranked.length < 2 || complete.length < 2;
  return {
    treebanks: complete.length,
    criticalDifference: areFew ? Number.NaN : criticalDifference(ranked.length, complete.length),
    overall: known.map((row, i) => {
      const b = baseline === 'previous' ? i - 1 : baseline;
      const place = ranked.indexOf(i);
      return {
        mean: meanOf(row),
        rank: place < 0 ? Number.NaN : meanOf(byTreebank.map((own) => own[place])),
        p: !isTested || b < 0 || b === i || complete.length < 2 ? undefined : wilcoxon(row, known[b]),
      };
    }),
  };
}

/** Times and memory vary between runs: they are neither ranked nor tested. */
const isRanked = (name: FigureName) => figures[name].kind !== 'measured';
const meanOf = (values: readonly number[]) => (values.length === 0 ? Number.NaN : mean(values));

/** The baseline's index among the parsers; −1 if parsers are not the rows. */
function baselineOf({ experiment }: Plan, { parsers }: TreebankView): number | 'previous' {
  const { baseline } = experiment;
  if (baseline === undefined || treebankAxis(experiment) !== 'columns') return -1;
  return baseline === 'previous' ? baseline : parsers.indexOf(baseline);
}

/** Whether a cell is ranked: not the best of several parsers, which is one of them, nor the oracle. */
const isParser = ({ cell: { settings } }: FilledCell): boolean =>
  !('of' in settings) || (settings.vote !== undefined && settings.vote.method !== 'oracle');

/** Marks a value that differs significantly from the baseline's on the same treebank. */
const MARK = '*';
const ALPHA = 0.05;

/**
 * One table per figure, parsers × treebanks, with means and mean ranks. If there is a baseline, significant differences
 * are marked, and tested over treebanks.
 */
export function treebankTables(plan: Plan, cells: FilledCells): ReadableTable[] {
  const view = treebankView(plan, cells);
  // The source's figures are given by row, so they fit only if parsers are the rows.
  const sourced = (table: Table, name: FigureName) =>
    view.cells === cells ? withSource(plan, table, name) : table;
  return plan.experiment.report.map((name) => ({
    title: figures[name].title,
    table: sourced(treebankTable(view, name, overTreebanks(plan, view, name)), name),
  }));
}

function treebankTable(
  { parsers, treebanks, cells }: TreebankView,
  name: FigureName,
  { overall }: OverTreebanks,
): Table {
  const isTested = overall.some(({ p }) => p !== undefined);
  const right = (title: string): Column => ({ key: title, title, align: 'right' });
  const mark = (cell: FilledCell) => markOf(cell, name, cells);
  const cellsOf = (t: number) => cells.map((row) => row[t]);
  const columns = treebanks.map((_, t) => figureTexts(cellsOf(t), name, mark));
  const { decimals } = figures[name];
  return {
    columns: [
      { key: 'row', title: '' },
      ...[...treebanks, 'mean', ...(isRanked(name) ? ['rank'] : []), ...(isTested ? ['p'] : [])].map(right),
    ],
    rows: parsers.map((parser, i) => [
      parser,
      ...columns.map((texts) => texts[i]),
      shown(overall[i].mean, decimals),
      ...(isRanked(name) ? [shown(overall[i].rank, 2)] : []),
      ...(isTested ? [shownP(overall[i].p)] : []),
    ]),
  };
}

/** The mark, or a blank of the same width if other cells have one. */
function markOf(cell: FilledCell, name: FigureName, cells: FilledCells): string {
  const differs = ({ figures: own }: FilledCell) => (own.get(name)!.p ?? 1) < ALPHA;
  if (differs(cell)) return MARK;
  return cells.some((row) => row.some(differs)) ? ' ' : '';
}

const shown = (value: number, decimals: number) => (Number.isNaN(value) ? '–' : value.toFixed(decimals));
