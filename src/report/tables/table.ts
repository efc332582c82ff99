import { visible } from '../../visible.ts';
import { cut, displayWidth, shrink } from './text-width.ts';

/** Missing and undefined figures are `null` or NaN: empty in CSV, null in records, “–” for readers. */
export type Cell = string | number | null;

export interface Column {
  /** The field's name in records, e.g. `rootAccuracy`. */
  readonly key: string;
  /** What a reader sees above the column. */
  readonly title: string;
  /** Default: left. */
  readonly align?: 'left' | 'right' | undefined;
  /** How a value is shown to a reader; CSV and records keep the value itself. Default: `String`. */
  readonly format?: ((value: string | number) => string) | undefined;
}

/** One table, printed in any form. */
export interface Table {
  readonly columns: readonly Column[];
  /** Cells in the order of the columns. */
  readonly rows: readonly (readonly Cell[])[];
}

/** A column of a table of things: which cell it has of each. */
export type ColumnOf<T> = readonly [column: Column, cell: (item: T) => Cell];

/** A table with one row an item. */
export function tableOf<T>(items: readonly T[], columns: readonly ColumnOf<T>[]): Table {
  return {
    columns: columns.map(([column]) => column),
    rows: items.map((item) => columns.map(([, cell]) => cell(item))),
  };
}

/** A column of text. */
export function text(key: string, title = key): Column {
  return { key, title };
}

/** A column of figures, right-aligned, shown with a fixed number of decimals. */
export function figures(key: string, title: string, decimals: number): Column {
  return { key, title, align: 'right', format: (value) => Number(value).toFixed(decimals) };
}

/** The table without the columns that have no value in any row. */
export function withoutEmptyColumns({ columns, rows }: Table): Table {
  const kept = [...columns.keys()].filter((i) => rows.some((row) => known(row[i]!) !== null));
  return {
    columns: kept.map((i) => columns[i]!),
    rows: rows.map((row) => kept.map((i) => row[i]!)),
  };
}

/** Columns aligned with spaces, two between them, under a ruled header; ends with a line break. */
export function textTable(table: Table): string {
  const lines = shownLines(table);
  const widths = columnWidths(lines);
  const rule = widths.map((width) => '─'.repeat(width));
  const [header, ...rows] = lines.map((cells) => padded(cells, table.columns, widths));
  return [header!, rule, ...rows].map((cells) => `${cells.join('  ').trimEnd()}\n`).join('');
}

/** A table of GitHub-flavoured Markdown, aligned in its source too; ends with a line break. */
export function markdownTable(table: Table): string {
  const lines = shownLines(table).map((cells) => cells.map((cell) => cell.replace(/[\\|]/g, '\\$&')));
  const widths = columnWidths(lines).map((width) => Math.max(width, 3));
  const rule = table.columns.map(({ align }, i) =>
    align === 'right' ? `${'-'.repeat(widths[i]! - 1)}:` : '-'.repeat(widths[i]!),
  );
  const [header, ...rows] = lines.map((cells) => padded(cells, table.columns, widths));
  return [header!, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/**
 * Comma-separated values as in RFC 4180: a header of titles, CRLF after every line, values in full precision.
 */
export function csvTable({ columns, rows }: Table): string {
  const lines = [columns.map(({ title }) => title), ...rows.map((row) => row.map(plain))];
  return lines.map((cells) => `${cells.map(csvField).join(',')}\r\n`).join('');
}

/** One object a row, ready for JSON: keyed by the columns' keys, values as they are, NaN as null. */
export function tableRecords({ columns, rows }: Table): Record<string, Cell>[] {
  return rows.map((row) => Object.fromEntries(columns.map(({ key }, i) => [key, known(row[i]!)])));
}

/** The header and the rows as a reader sees them. */
export function shownLines({ columns, rows }: Table): string[][] {
  const header = columns.map(({ title }) => visible(title));
  return [header, ...rows.map((row) => columns.map((column, i) => shownCell(row[i]!, column)))];
}

/** A cell as a reader sees it, on one line: what a terminal would obey is escaped. */
export function shownCell(cell: Cell, { format = String }: Column): string {
  const value = known(cell);
  return value === null ? '–' : visible(format(value));
}

function known(cell: Cell): Cell {
  return Number.isNaN(cell) ? null : cell;
}

function plain(cell: Cell): string {
  return String(known(cell) ?? '');
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function columnWidths(lines: readonly (readonly string[])[]): number[] {
  return lines[0]!.map((_, i) => lines.reduce((width, cells) => Math.max(width, displayWidth(cells[i]!)), 0));
}

function padded(cells: readonly string[], columns: readonly Column[], widths: readonly number[]): string[] {
  return cells.map((cell, i) => {
    const space = ' '.repeat(widths[i]! - displayWidth(cell));
    return columns[i]!.align === 'right' ? space + cell : cell + space;
  });
}

export interface TitledTable {
  readonly title: string;
  readonly table: Table;
  /** What a reader must know, one line each. */
  readonly notes: readonly string[];
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
