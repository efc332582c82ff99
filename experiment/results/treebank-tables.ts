import type { Column, Table } from '../../src/report/tables/table.ts';
import type { Plan } from '../definition/plan.ts';
import { figureTexts, shownP } from './figure-texts.ts';
import { type FigureName, figures } from './figures.ts';
import type { FilledCell, FilledCells } from './fill.ts';
import { type OverTreebanks, overTreebanks, type TreebankView, treebankView } from './over-treebanks.ts';
import type { ReadableTable } from './readable-table.ts';
import { withSource } from './with-source.ts';

/** What marks a value that differs from the baseline's on that treebank. */
const MARK = '*';
const ALPHA = 0.05;

/**
 * A table for each figure, parsers × treebanks, with means and mean ranks; where there is a baseline what differs from
 * it is marked, and tested over treebanks.
 */
export function treebankTables(plan: Plan, cells: FilledCells): ReadableTable[] {
  const view = treebankView(plan, cells);
  // What a source reports is of rows.
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
  const columns = treebanks.map((_, t) =>
    figureTexts(
      cells.map((row) => row[t]),
      name,
      (cell) => markOf(cell, name, cells),
    ),
  );
  const { decimals } = figures[name];
  return {
    columns: [
      { key: 'row', title: '' },
      ...[...treebanks, 'mean', 'rank', ...(isTested ? ['p'] : [])].map(right),
    ],
    rows: parsers.map((parser, i) => [
      parser,
      ...columns.map((texts) => texts[i]),
      shown(overall[i].mean, decimals),
      shown(overall[i].rank, 2),
      ...(isTested ? [shownP(overall[i].p)] : []),
    ]),
  };
}

/** A mark, or its place where another cell of the table has one. */
function markOf(cell: FilledCell, name: FigureName, cells: FilledCells): string {
  const differs = ({ figures: own }: FilledCell) => (own.get(name)!.p ?? 1) < ALPHA;
  if (differs(cell)) return MARK;
  return cells.some((row) => row.some(differs)) ? ' ' : '';
}

function shown(value: number, decimals: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(decimals);
}
