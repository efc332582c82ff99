import type { Table } from '../../src/report/tables/table.ts';
import type { Plan } from '../definition/plan.ts';
import { reportedFigures } from '../definition/schema.ts';

/** A table with the figures of the source beside its rows, where the experiment has such. */
export function withSource({ experiment }: Plan, table: Table): Table {
  const reported = reportedFigures(experiment);
  if (!reported.some((figures) => figures !== '')) return table;
  return {
    columns: [...table.columns, { key: 'source', title: 'source', align: 'right' }],
    rows: table.rows.map((row, i) => [...row, reported[i] ?? '']),
  };
}
