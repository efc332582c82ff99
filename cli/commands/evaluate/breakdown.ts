/** Scores by a property of what is scored, as `evaluate` prints them: of arcs and of brackets alike. */
import { type ColumnOf, figures, type Table, text, textTable } from '../../../src/report/tables/table.ts';
import { print, printText } from '../../terminal/output.ts';

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
export function printBreakdown(file: string, by: string, table: Table): void {
  print(`\n${file} by ${by}:\n`);
  printText(textTable(table));
}
