import type { Table } from '../../src/report/tables/table.ts';
import type { Plan } from '../definition/plan.ts';
import { reportedFigures } from '../definition/schema.ts';
import type { FigureName } from './figures.ts';

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
