import { BYTE_ORDER_MARK } from '../../files/encoding.ts';
import { DEPREL, DEPS, HEAD, ID, MISC } from '../columns/names.ts';
import { readColumns } from '../columns/read.ts';
import type { Sentence } from '../sentence.ts';
import { textOf } from '../surface.ts';

/** A line of a sentence in CoNLL-U; comments and blank lines have one cell. */
export interface Row {
  readonly cells: readonly string[];
  /** Its line end. */
  readonly end: string;
}

const MARK = String.fromCharCode(BYTE_ORDER_MARK);

/** The lines of a sentence's text; `textOfRows` gives it back byte for byte. */
export function rowsOf(text: string): Row[] {
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => {
    const [, content, end] = /^(.*?)(\r?\n|)$/s.exec(line)!;
    const isTokens = /^\ufeff?\d/.test(content);
    return { cells: isTokens ? content.split('\t') : [content], end };
  });
}

export function textOfRows(rows: readonly Row[]): string {
  const last = rows.length - 1;
  return rows.map(({ cells, end }, i) => cells.join('\t') + (i < last ? end || '\n' : end)).join('');
}

export const readSentence = (text: string, file = 'text'): Sentence =>
  readColumns({ file, line: 1, text }, 'conllu', { format: 'conllu', expect: 'tokens' }).next().value!;

/** The ID of a token's line (`3`, `3-4`, `3.1`); empty for other lines. */
export const idOf = ({ cells }: Row): string => (cells.length === 1 ? '' : cells[ID].replace(MARK, ''));
/** The number that an ID begins with; 0 for comments and blank lines. */
export const placeOf = (row: Row): number => Number.parseInt(idOf(row), 10) || 0;

/** The first and the last word of a multiword token's line; undefined for other lines. */
export function rangeOf(row: Row): readonly [first: number, last: number] | undefined {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(idOf(row)) ?? [];
  return first === undefined ? undefined : [Number(first), Number(last)];
}

export const wordAt = (rows: readonly Row[], d: number): number =>
  rows.findIndex((row) => idOf(row) === String(d));

/** The row with other values in some columns; an empty value is `_`. */
export const withCells = (row: Row, values: Readonly<Partial<Record<number, string>>>): Row => ({
  ...row,
  cells: row.cells.map((cell, i) => (values[i] === undefined ? cell : values[i] || '_')),
});

/** Rows whose IDs, HEADs and DEPS are renamed; arcs of DEPS that begin and end at one token are left out. */
export function renumbered(rows: readonly Row[], rename: (id: string) => string): Row[] {
  return rows.map((row) => {
    const id = idOf(row);
    if (id === '') return row;
    const mark = row.cells[ID].startsWith(MARK) ? MARK : '';
    const own = id.split('-').map(rename).join('-');
    const head = row.cells[HEAD];
    const arcs = arcsOf(row).map((arc) => ({ ...arc, head: rename(arc.head) }));
    const loopless = arcs.filter((arc) => arc.head !== own);
    return withCells(row, {
      [ID]: mark + own,
      [HEAD]: head === '_' ? head : rename(head),
      [DEPS]: depsOf(loopless),
    });
  });
}

/** An arc of the enhanced graph. */
export type EnhancedArc = { readonly head: string; readonly label: string };

export function arcsOf({ cells }: Row): EnhancedArc[] {
  const deps = cells[DEPS];
  if (deps === undefined || deps === '_') return [];
  return deps.split('|').map((arc) => {
    const colon = arc.indexOf(':');
    return { head: arc.slice(0, colon), label: arc.slice(colon + 1) };
  });
}

export const depsOf = (arcs: readonly EnhancedArc[]): string =>
  arcs.map(({ head, label }) => `${head}:${label}`).join('|');

/** The row with another arc; where DEPS repeats the old one, it has the new one in its place. */
export function reattached(row: Row, head: string, label: string): Row {
  const old = { head: row.cells[HEAD], label: row.cells[DEPREL] };
  const arcs = arcsOf(row).map((arc) =>
    arc.head === old.head && arc.label === old.label ? { head, label } : arc,
  );
  arcs.sort((a, b) => Number(a.head) - Number(b.head));
  return withCells(row, { [HEAD]: head, [DEPREL]: label, [DEPS]: depsOf(arcs) });
}

const SPACES = /^Spaces?After=/;

/** The fields of MISC, without or with only those that tell the white space after a token. */
export const miscWithout = (row: Row): string[] =>
  row.cells[MISC].split('|').filter((field) => field !== '_' && !SPACES.test(field));

export const spacesIn = (row: Row): string[] =>
  row.cells[MISC].split('|').filter((field) => SPACES.test(field));

const TEXT = /^(\ufeff?#[ \t]*text[ \t]*=[ \t]*)(.*)$/;

/** The sentence's text with the comment `# text` made anew from its words. */
export function withText(text: string): string {
  const plain = plainText(text);
  const rows = rowsOf(text).map((row) => {
    const [, before] = TEXT.exec(row.cells[0]) ?? [];
    return before === undefined ? row : { ...row, cells: [before + plain] };
  });
  return textOfRows(rows);
}

/** Whether the comment `# text` says what the words say. */
export function hasOwnText(text: string): boolean {
  const [, , said] = rowsOf(text).flatMap(({ cells }) => TEXT.exec(cells[0]) ?? []);
  return said !== undefined && said.trimEnd() === plainText(text);
}

function plainText(text: string): string {
  return textOf(readSentence(text))
    .trim()
    .replace(/\s*[\r\n\t]\s*/g, ' ');
}
