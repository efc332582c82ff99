import { UsageError } from '../../errors.ts';
import { BYTE_ORDER_MARK } from '../../files/encoding.ts';
import { quote } from '../../visible.ts';
import { commentIn, withValue } from '../columns/comments.ts';
import { DEPREL, DEPS, HEAD, ID, MISC } from '../columns/names.ts';
import { readColumns } from '../columns/read.ts';
import type { Sentence } from '../sentence.ts';
import { textOf } from '../surface.ts';

/** A line of a sentence in CoNLL-U; comments and blank lines have one cell. */
export interface Row {
  readonly cells: readonly string[];
  /** LF, CR LF, or empty in an unfinished last line. */
  readonly end: string;
}

const MARK = String.fromCharCode(BYTE_ORDER_MARK);

/** Splits a sentence's text into lines; `textOfRows` restores it byte for byte. */
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

export const readSentence = (text: string): Sentence =>
  readColumns({ file: 'text', line: 1, text }, 'conllu', { format: 'conllu', expect: 'tokens' }).next()
    .value!;

/** The ID of a token's line (`3`, `3-4`, `3.1`); empty for other lines. */
export const idOf = ({ cells }: Row): string => (cells.length === 1 ? '' : cells[ID].replace(MARK, ''));
/** Whether a line holds a word, not a multiword range, an empty node or a comment. */
export const isWord = (row: Row): boolean => /^\d+$/.test(idOf(row));
/** The number at the beginning of a line's ID; 0 for comments and blank lines. */
export const placeOf = (row: Row): number => Number.parseInt(idOf(row), 10) || 0;

/** The first and the last word of a multiword token's line; undefined for other lines. */
export function rangeOf(row: Row): readonly [first: number, last: number] | undefined {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(idOf(row)) ?? [];
  return first === undefined ? undefined : [Number(first), Number(last)];
}

/** The index of a word's line; −1 if there is no such word. */
export const wordAt = (rows: readonly Row[], d: number): number =>
  rows.findIndex((row) => idOf(row) === String(d));

/** Returns a row with other values in some columns; an empty value becomes `_`. */
export const withCells = (row: Row, values: Readonly<Partial<Record<number, string>>>): Row => ({
  ...row,
  cells: row.cells.map((cell, i) => (values[i] === undefined ? cell : values[i] || '_')),
});

/** Gives the word `3` or the empty node `3.1` (`node`: `1`) another number. */
type Renumber = (word: number, node: string | undefined) => readonly [word: number, node: string | undefined];

/** Renumbers IDs, HEADs and DEPS; drops arcs of DEPS that then begin and end at the same token. */
export function renumbered(rows: readonly Row[], renumber: Renumber): Row[] {
  const rename = (id: string): string => {
    const [word, node] = id.split('.');
    const renamed = renumber(Number(word), node);
    return renamed[1] === undefined ? String(renamed[0]) : renamed.join('.');
  };
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

/** An arc of the enhanced dependencies (DEPS). */
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

/** Returns a row with another head and label, also in DEPS if it repeats the old arc. */
export function reattached(row: Row, head: string, label: string): Row {
  const isOld = (arc: EnhancedArc) => arc.head === row.cells[HEAD] && arc.label === row.cells[DEPREL];
  const before = arcsOf(row);
  if (label.includes('|') && before.some(isOld))
    throw new UsageError(`label ${quote(label)}, expected one without “|”, which separates arcs in DEPS`);
  const arcs = before.map((arc) => (isOld(arc) ? { head, label } : arc));
  arcs.sort((a, b) => Number(a.head) - Number(b.head));
  return withCells(row, { [HEAD]: head, [DEPREL]: label, [DEPS]: depsOf(arcs) });
}

const SPACES = /^Spaces?After=/;

/** The fields of MISC except those for the white space after a token. */
export const miscWithout = (row: Row): string[] =>
  row.cells[MISC].split('|').filter((field) => field !== '_' && !SPACES.test(field));

/** The fields of MISC of two tokens that become one, except those for white space: where both have a key, the first's. */
export function miscOfBoth(first: Row, second: Row): string[] {
  const keyOf = (field: string) => field.split('=')[0];
  const own = miscWithout(first);
  const keys = new Set(own.map(keyOf));
  return [...own, ...miscWithout(second).filter((field) => !keys.has(keyOf(field)))];
}

/** The fields of MISC for the white space after a token. */
export const spacesIn = (row: Row): string[] =>
  row.cells[MISC].split('|').filter((field) => SPACES.test(field));

/** Updates the comment `# text` of a sentence from its words. */
export const withText = (text: string, sentence = readSentence(text)): string =>
  withValue(text, 'text', plainText(sentence));

/** Whether the comment `# text` is the text of the words. */
export const textMatchesWords = (text: string): boolean =>
  commentIn(text, 'text') === plainText(readSentence(text));

function plainText(sentence: Sentence): string {
  const text = textOf(sentence).trim();
  return text.replace(/\s+/g, (blanks) => (/[\r\n\t]/.test(blanks) ? ' ' : blanks));
}
