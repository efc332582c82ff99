import { displayWidth } from './display-width.ts';
import { shownCell, type Table } from './table.ts';

/** Cells of a terminal that a column keeps in any case. */
const LEAST = 4;

/** Takes cells from the widest column again and again until all fit, two cells between them. */
export function shrink(wanted: readonly number[], room: number): number[] {
  const widths = [...wanted];
  for (let excess = total(widths) - room; excess > 0; excess--) {
    const widestColumn = widths.indexOf(Math.max(...widths));
    if (widths[widestColumn]! <= LEAST) break;
    widths[widestColumn]!--;
  }
  return widths;
}

/** Cells that columns of these widths take, two between them. */
export function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + 2, -2);
}

/** A text of no more cells than that, marked where it is cut. */
export function cut(text: string, width: number, mark = '…'): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let cells = 1;
  for (const character of text) {
    cells += displayWidth(character);
    if (cells > width) break;
    kept += character;
  }
  return kept + mark;
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** A text of exactly so many cells. */
export function fitted(text: string, width: number): string {
  return pad(cut(text, width), width);
}

/** A table whose lines as text are no wider than that, if need be with texts cut. */
export function fitTable({ columns, rows }: Table, width: number): Table {
  const shown = rows.map((row) => row.map((cell, i) => shownCell(cell, columns[i]!)));
  const wanted = columns.map(({ title }, i) =>
    [title, ...shown.map((row) => row[i]!)].reduce((most, text) => Math.max(most, displayWidth(text)), 0),
  );
  const widths = shrink(wanted, width);
  const isCut = (i: number) => widths[i]! < wanted[i]!;
  return {
    columns: columns.map((column, i) =>
      isCut(i) ? { ...column, title: cut(column.title, widths[i]!) } : column,
    ),
    rows: rows.map((row, r) => row.map((cell, i) => (isCut(i) ? cut(shown[r]![i]!, widths[i]!) : cell))),
  };
}
