import {
  type Column,
  figures as numbers,
  type Table,
  type Cell as TableCell,
} from '../../src/report/tables/table.ts';
import type { Plan } from '../definition/plan.ts';
import { type FigureName, figures } from './figures.ts';
import type { CellFigure, FilledCell, FilledCells } from './fill.ts';

/** A column of the printed table: one figure of one of the experiment's columns. */
interface Place {
  readonly j: number;
  readonly name: FigureName;
  readonly title: string;
}

/** Columns that can be taken in side by side. */
const MOST_COLUMNS = 9;

/** A part of the table as it is read, with a title of its own where there are several. */
export interface ReadableTable {
  readonly title: string;
  readonly table: Table;
}

/**
 * The table as it is read: `79.21 ± 0.08`, failed cells named so. One too wide is cut into one for each of
 * its columns.
 */
export function readableTables(plan: Plan, cells: FilledCells): ReadableTable[] {
  const all = places(plan);
  const width = all.reduce((sum, place) => sum + (hasTest(plan, place) ? 2 : 1), 0);
  if (plan.columns.length === 1 || width <= MOST_COLUMNS) {
    return [{ title: '', table: readableTable(plan, cells, all) }];
  }
  return plan.columns.map((title, j) => {
    const own = all.filter((place) => place.j === j);
    const untitled = own.map((place) => ({ ...place, title: figures[place.name].title }));
    return { title, table: readableTable(plan, cells, untitled) };
  });
}

function readableTable(plan: Plan, cells: FilledCells, shown: readonly Place[]): Table {
  const texts = shown.map((place) => ({
    place,
    values: valueTexts(cells, place),
    pValues: hasTest(plan, place) ? cells.map((row) => pText(figureAt(row, place))) : undefined,
  }));
  return {
    columns: [
      { key: 'row', title: plan.experiment.sweep?.option ?? '' },
      ...texts.flatMap(({ place: { title }, pValues }): Column[] => [
        { key: title, title, align: 'right' },
        ...(pValues === undefined ? [] : [{ key: `${title} p`, title: 'p', align: 'right' as const }]),
      ]),
    ],
    rows: plan.rows.map((row, i) => [
      row,
      ...texts.flatMap(({ values, pValues }) => [values[i], ...(pValues === undefined ? [] : [pValues[i]])]),
    ]),
  };
}

/** The table for programs: numbers in full precision, deviations and p-values in columns of their own. */
export function dataTable(plan: Plan, cells: FilledCells): Table {
  const deviates = cells
    .flat()
    .some(({ figures }) => [...figures.values()].some((f) => f.deviation !== undefined));
  const all = places(plan);
  return {
    columns: [
      { key: 'row', title: plan.experiment.sweep?.option ?? 'row' },
      ...all.flatMap((place): Column[] => [
        numbers(place.title, place.title, figures[place.name].decimals),
        ...(deviates ? [numbers(`${place.title} deviation`, `${place.title} deviation`, 2)] : []),
        ...(hasTest(plan, place) ? [numbers(`${place.title} p`, `${place.title} p`, 4)] : []),
      ]),
    ],
    rows: plan.rows.map((row, i) => [
      row,
      ...all.flatMap((place): TableCell[] => {
        const { value, deviation, p } = cells[i][place.j].figures.get(place.name)!;
        return [
          value,
          ...(deviates ? [deviation ?? null] : []),
          ...(hasTest(plan, place) ? [p ?? null] : []),
        ];
      }),
    ]),
  };
}

function places({ columns, experiment: { report } }: Plan): Place[] {
  return columns.flatMap((column, j) =>
    report.map((name) => ({ j, name, title: `${column} ${figures[name].title}`.trim() })),
  );
}

function hasTest({ experiment }: Plan, { name }: Place): boolean {
  return experiment.baseline !== undefined && figures[name].counts !== undefined;
}

function figureAt(row: readonly FilledCell[], { j, name }: Place): CellFigure {
  return row[j].figures.get(name)!;
}

/**
 * `79.21 ± 0.08`, `79.21`, – where there is nothing, or failed; filled up so that the points stand below each
 * other.
 */
function valueTexts(cells: FilledCells, place: Place): string[] {
  const { decimals } = figures[place.name];
  const ranges = cells.map((row) => {
    const { deviation } = figureAt(row, place);
    return deviation === undefined ? '' : ` ± ${deviation.toFixed(decimals)}`;
  });
  const width = Math.max(...ranges.map(({ length }) => length));
  return cells.map((row, i) => {
    if (row[place.j].problem !== undefined) return 'failed';
    const { value } = figureAt(row, place);
    return Number.isNaN(value) ? '–' : value.toFixed(decimals) + ranges[i].padEnd(width);
  });
}

function pText({ p }: CellFigure): string {
  if (p === undefined) return '';
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}
