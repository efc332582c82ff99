import type { Table } from '../../src/report/tables/table.ts';
import { type FigureName, figures } from '../cells/figures.ts';
import type { Plan } from '../definition/plan.ts';
import { reportedFigures } from '../definition/schema.ts';
import { type FilledCell, NOT_DONE } from './fill.ts';

/** A part of a table of results as it is read, with a title of its own where there are several. */
export interface ReadableTable {
  readonly title: string;
  readonly table: Table;
}

/**
 * One figure of several cells, as it is read below each other: `79.21 ± 0.08`, `79.21`, – where there is nothing, `…`
 * where it is not done yet, or that it failed; filled up so that the points stand below each other.
 *
 * @param mark what stands directly after a value
 */
export function figureTexts(
  cells: readonly FilledCell[],
  name: FigureName,
  mark: (cell: FilledCell) => string = () => '',
): string[] {
  const { decimals } = figures[name];
  const endings = cells.map((cell) => {
    const { deviation } = cell.figures.get(name)!;
    return mark(cell) + (deviation === undefined ? '' : ` ± ${deviation.toFixed(decimals)}`);
  });
  const width = Math.max(...endings.map(({ length }) => length));
  return cells.map(({ problem, figures: own }, i) => {
    if (problem !== undefined) return problem === NOT_DONE ? '…' : 'failed';
    const { value } = own.get(name)!;
    return Number.isNaN(value) ? '–' : value.toFixed(decimals) + endings[i].padEnd(width);
  });
}

/** `0.012`; nothing where there is no test. */
export function shownP(p: number | undefined): string {
  if (p === undefined) return '';
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}

/**
 * A table with the figures of the source beside its rows, where the experiment has such.
 *
 * @param figure which of these, where the table is of one figure
 */
export function withSource({ experiment }: Plan, table: Table, figure?: FigureName): Table {
  const reported = reportedFigures(experiment, figure);
  if (!reported.some((figures) => figures !== '')) return table;
  return {
    columns: [...table.columns, { key: 'source', title: 'source', align: 'right' }],
    rows: table.rows.map((row, i) => [...row, reported[i] ?? '']),
  };
}
