import type { ArcKind } from '../../evaluate/comparison/comparison.ts';
import type { Interval } from '../../evaluate/significance/resampling.ts';
import { visible } from '../../visible.ts';
import { displayWidth, shrink, truncate, widest } from './text-width.ts';

/** A table cell. A missing or undefined figure is `null` or NaN: empty in CSV, “–” in print. */
export type Cell = string | number | null;

export interface Column<Key extends string = string> {
  /** Name of the field that the column shows, e.g. `rootAccuracy`. */
  readonly key: Key;
  readonly title: string;
  /** Whether the title is a parser's name or a word of a sentence: it is never capitalised. */
  readonly isName?: true;
  /** Default: left. */
  readonly align?: 'left' | 'right' | undefined;
  /** Formats a value for print; CSV and JSON keep the value itself. Default: `String`. */
  readonly format?: ((value: string | number) => string) | undefined;
}

export interface Table {
  readonly columns: readonly Column[];
  /** Cells in the order of the columns. */
  readonly rows: readonly (readonly Cell[])[];
}

/** A column that shows a field of the items, or one with the function that computes its cell for an item. */
export type ColumnOf<T> = Column<keyof T & string> | readonly [column: Column, cell: (item: T) => Cell];

/** Builds a table with one row per item. */
export function tableOf<T>(items: readonly T[], columns: readonly ColumnOf<T>[]): Table {
  const cellOf = (item: T, column: ColumnOf<T>) =>
    'key' in column ? (item[column.key] as Cell) : column[1](item);
  return {
    columns: columns.map((column) => ('key' in column ? column : column[0])),
    rows: items.map((item) => columns.map((column) => cellOf(item, column))),
  };
}

export const text = <Key extends string>(key: Key, title: string = key): Column<Key> => ({ key, title });

/** A right-aligned column of numbers. */
export const numbers = <Key extends string>(
  key: Key,
  title: string,
  format: (value: number) => string,
): Column<Key> => ({ key, title, align: 'right', format: (value) => format(Number(value)) });

/** A right-aligned column of numbers with a fixed number of decimals; with 0 decimals, with thousands separators. */
export const figures = <Key extends string>(key: Key, title: string, decimals: number): Column<Key> =>
  numbers(key, title, (value) => (decimals === 0 ? count(value) : value.toFixed(decimals)));

/** A column of one parser's figures, with the parser's name as its title. */
export const parserFigures = (name: string, decimals: number): Column => ({
  ...figures(name, name, decimals),
  isName: true,
});

/** A column of figures for each parser; `cell` computes them from an item and the parser's index. */
export const parserColumns = <T>(
  parsers: readonly { readonly name: string }[],
  decimals: number,
  cell: (item: T, parser: number) => Cell,
): ColumnOf<T>[] => parsers.map(({ name }, i) => [parserFigures(name, decimals), (item) => cell(item, i)]);

export function withoutEmptyColumns({ columns, rows }: Table): Table {
  const filled = [...columns.keys()].filter((i) => rows.some((row) => known(row[i]) !== null));
  return { columns: filled.map((i) => columns[i]), rows: rows.map((row) => filled.map((i) => row[i])) };
}

/** Aligned columns, two spaces apart, under a ruled header; ends with a line break. */
export function textTable(table: Table): string {
  const lines = formattedRows(table);
  const widths = columnWidths(lines);
  const rule = widths.map((width) => '─'.repeat(width));
  const [header, ...rows] = lines.map((cells) => padded(cells, table.columns, widths));
  return [header!, rule, ...rows].map((cells) => `${cells.join('  ').trimEnd()}\n`).join('');
}

/** Escapes what Markdown would take for markup; signs that it takes as they are, such as `< 0.05` and `7*`, stay. */
export const escapeMarkdown = (text: string): string =>
  text.replace(/[\\|`]|\*(?=\S)|(?<![\p{L}\p{N}])_(?=\S)|<(?=[a-z/!?])|&(?=#?\w+;)/giu, '\\$&');

/** A table in GitHub-flavoured Markdown with an aligned source; ends with a line break. */
export function markdownTable(table: Table): string {
  const lines = formattedRows(table).map((cells) => cells.map(escapeMarkdown));
  const widths = columnWidths(lines).map((width) => Math.max(width, 3));
  const rule = table.columns.map(({ align }, i) =>
    align === 'right' ? `${'-'.repeat(widths[i] - 1)}:` : '-'.repeat(widths[i]),
  );
  const [header, ...rows] = lines.map((cells) => padded(cells, table.columns, widths));
  return [header!, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** CSV as in RFC 4180: a header of titles, CRLF line ends, values in full precision. */
export function csvTable({ columns, rows }: Table): string {
  const lines = [columns.map(({ title }) => title), ...rows];
  return lines.map((cells) => `${cells.map(csvField).join(',')}\r\n`).join('');
}

/** Formats the header and all rows as text, cell by cell. */
export function formattedRows({ columns, rows }: Table): string[][] {
  const header = columns.map(({ title }) => visible(title));
  return [header, ...rows.map((row) => columns.map((column, i) => shownCell(row[i], column)))];
}

/** Formats a cell on one line; control characters are escaped. */
export function shownCell(cell: Cell, { format = String }: Column): string {
  const value = known(cell);
  return value === null ? '–' : visible(format(value));
}

const known = (cell: Cell): Cell => (Number.isNaN(cell) ? null : cell);

function csvField(cell: Cell): string {
  const text = String(known(cell) ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const columnWidths = (lines: readonly (readonly string[])[]): number[] =>
  lines[0].map((_, i) => widest(lines.map((cells) => cells[i])));

function padded(cells: readonly string[], columns: readonly Column[], widths: readonly number[]): string[] {
  return cells.map((cell, i) => {
    const space = ' '.repeat(widths[i] - displayWidth(cell));
    return columns[i].align === 'right' ? space + cell : cell + space;
  });
}

export interface TitledTable {
  readonly title: string;
  readonly table: Table;
  /** Explanations below the table, one line each. */
  readonly notes: readonly string[];
}

/** Shortens titles and cells so that the printed table is at most `width` cells wide, if possible. */
export function fitTable(table: Table, width: number): Table {
  const lines = formattedRows(table);
  const wanted = columnWidths(lines);
  const widths = shrink(wanted, width);
  const isCut = (i: number) => widths[i] < wanted[i];
  return {
    columns: table.columns.map((column, i) =>
      isCut(i) ? { ...column, title: truncate(column.title, widths[i]), format: undefined } : column,
    ),
    rows: table.rows.map((row, r) =>
      row.map((cell, i) => (isCut(i) ? truncate(lines[r + 1][i], widths[i]) : cell)),
    ),
  };
}

/** 12345.6 → `12,346`; `toLocaleString` would take 40 ms at its first call. */
export const count = (n: number): string => String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ',');
/** `1 sentence`, `2,001 sentences`. */
export const plural = (n: number, noun: string): string => `${count(n)} ${noun}${n === 1 ? '' : 's'}`;

export const pText = (p: number): string => (p < 0.0001 ? '<0.0001' : p.toFixed(4));

export const signed = (value: string | number): string =>
  `${Number(value) < 0 ? '' : '+'}${figureText(Number(value))}`;

export const intervalText = (interval: Interval | undefined): string | null =>
  interval === undefined ? null : `${figureText(interval.low)} … ${figureText(interval.high)}`;

export const figureText = (value: number): string => value.toFixed(2).replace('-', '−');

/** Formats an arc's label, head tag and the side of the head, for example `obl of VERB, left`. */
export function arcText({ label, headTag, head }: ArcKind): string {
  if (head === 'missing') return 'no such word';
  if (head === 'elsewhere') return `${label} of a word elsewhere`;
  return head === 'root' ? `${label} of the sentence` : `${label} of ${headTag}, ${head}`;
}
