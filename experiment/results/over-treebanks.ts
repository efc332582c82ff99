import { criticalDifference, ranks, wilcoxon } from '../../src/evaluate/significance/over-treebanks.ts';
import type { Column, Table } from '../../src/report/tables/table.ts';
import { type FigureName, figures, mean } from '../cells/figures.ts';
import type { Plan } from '../definition/plan.ts';
import { treebankAxis } from '../definition/schema.ts';
import type { FilledCell, FilledCells } from './fill.ts';
import { figureTexts, type ReadableTable, shownP, withSource } from './table-texts.ts';

/** A table as one of parsers and treebanks, whichever side of it these stand on. */
export interface TreebankView {
  readonly parsers: readonly string[];
  readonly treebanks: readonly string[];
  /** A row a parser, with a cell a treebank. */
  readonly cells: FilledCells;
}

/** Whether a table is one over treebanks: where that is asked for, and there are several. */
export function isOverTreebanks({ experiment, rows, columns }: Plan): boolean {
  const axis = treebankAxis(experiment);
  return experiment.averages && axis !== undefined && (axis === 'rows' ? rows : columns).length > 1;
}

export function treebankView({ experiment, rows, columns }: Plan, cells: FilledCells): TreebankView {
  if (treebankAxis(experiment) === 'columns') return { parsers: rows, treebanks: columns, cells };
  const turned = columns.map((_, j) => cells.map((row) => row[j]));
  return { parsers: columns, treebanks: rows, cells: turned };
}

/** How a parser does over all treebanks that have a figure of every parser. */
export interface Overall {
  readonly mean: number;
  /** NaN for what is no parser: the best of others, and the oracle. */
  readonly rank: number;
  /** By Wilcoxon's signed-rank test, of the difference from the baseline; undefined where there is none. */
  readonly p: number | undefined;
}

export interface OverTreebanks {
  /** By parser. */
  readonly overall: readonly Overall[];
  /** How many treebanks these are. */
  readonly treebanks: number;
  /** Of the mean ranks; NaN where there are too few to tell. */
  readonly criticalDifference: number;
}

/** Means, mean ranks and tests of one figure over treebanks (Demšar 2006). */
export function overTreebanks(plan: Plan, view: TreebankView, name: FigureName): OverTreebanks {
  const values = view.cells.map((row) => row.map((cell) => cell.figures.get(name)!.value));
  const complete = [...view.treebanks.keys()].filter((t) => values.every((row) => !Number.isNaN(row[t])));
  const known = values.map((row) => complete.map((t) => row[t]));
  const ranked = [...known.keys()].filter((i) => view.cells[i].every(isParser));
  const byTreebank = complete.map((_, t) =>
    ranks(
      ranked.map((i) => known[i][t]),
      figures[name].better,
    ),
  );
  const baseline = baselineOf(plan, view);
  return {
    treebanks: complete.length,
    criticalDifference:
      ranked.length < 2 || complete.length < 2
        ? Number.NaN
        : criticalDifference(ranked.length, complete.length),
    overall: known.map((row, i) => {
      const b = baseline === 'previous' ? i - 1 : baseline;
      const place = ranked.indexOf(i);
      return {
        mean: meanOf(row),
        rank: place < 0 ? Number.NaN : meanOf(byTreebank.map((own) => own[place])),
        p: b < 0 || b === i || complete.length < 2 ? undefined : wilcoxon(row, known[b]),
      };
    }),
  };
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : mean(values);
}

/** The baseline's number among the parsers, or −1 where these are not the rows. */
function baselineOf({ experiment }: Plan, { parsers }: TreebankView): number | 'previous' {
  const { baseline } = experiment;
  if (baseline === undefined || treebankAxis(experiment) !== 'columns') return -1;
  return baseline === 'previous' ? baseline : parsers.indexOf(baseline);
}

/** The best of others is one of them, and the oracle knows the answers. */
function isParser({ cell: { settings } }: FilledCell): boolean {
  return !('of' in settings) || (settings.vote !== undefined && settings.vote.method !== 'oracle');
}

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
