/** Scores by a property of what is scored, as `evaluate` prints them: of arcs and of brackets alike. */
import { type ColumnOf, figures, type Table, text } from '../../../src/report/tables/table.ts';
import type { FileTable } from './print.ts';

/** What every bucket has; the scores come after. */
interface Bucket {
  readonly bucket: string;
  readonly gold: number;
  readonly predicted: number;
}

export function bucketColumns(by: string): readonly ColumnOf<Bucket>[] {
  return [
    [text('bucket', by), ({ bucket }) => bucket],
    [figures('gold', 'gold', 0), ({ gold }) => gold],
    [figures('predicted', 'predicted', 0), ({ predicted }) => predicted],
  ];
}

/** One file's scores under its name. */
export function fileBreakdown(file: string, by: string, table: Table): FileTable {
  return { file, title: `${file} by ${by}`, table, notes: [] };
}
