import type { Table } from '../../src/report/tables/table.ts';

/** A part of a table of results as it is read, with a title of its own where there are several. */
export interface ReadableTable {
  readonly title: string;
  readonly table: Table;
}
