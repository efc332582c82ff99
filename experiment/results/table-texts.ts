import type { Table } from '../../src/report/tables/table.ts';
import { type FigureName, figures } from '../cells/figures.ts';
import type { Plan } from '../definition/plan.ts';
import { reportedFigures } from '../definition/schema.ts';
import { type FilledCell, NOT_DONE } from './fill.ts';

/** A table for reading, with a title if there are several. */
export interface ReadableTable {
  readonly title: string;
  readonly table: Table;
}

/** A figure's texts, aligned at the points: `79.21 ± 0.08`, `–` (undefined), `…` (not finished), `failed`. */
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

/** A p-value such as `0.012`; empty without a test. */
export function shownP(p: number | undefined): string {
  if (p === undefined) return '';
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}

/** Adds a column with the source's figures, if the experiment has them; of one `figure` if given. */
export function withSource({ experiment }: Plan, table: Table, figure?: FigureName): Table {
  const reported = reportedFigures(experiment, figure);
  if (!reported.some((figures) => figures !== '')) return table;
  return {
    columns: [...table.columns, { key: 'source', title: 'source', align: 'right' }],
    rows: table.rows.map((row, i) => [...row, reported[i] ?? '']),
  };
}
