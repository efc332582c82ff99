import type { Table } from './table.ts';

export interface TitledTable {
  readonly title: string;
  readonly table: Table;
  /** What a reader must know, one line each. */
  readonly notes: readonly string[];
}
