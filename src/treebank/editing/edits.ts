import { UsageError } from '../../errors.ts';
import { DEPREL, DEPS, FEATS, FORM, HEAD, ID, LEMMA, MISC, UPOS, XPOS } from '../columns/names.ts';
import {
  arcsOf,
  depsOf,
  idOf,
  isWord,
  miscOfBoth,
  miscWithout,
  placeOf,
  type Row,
  rangeOf,
  reattached,
  renumbered,
  rowsOf,
  spacesIn,
  textOfRows,
  withCells,
  withText,
  wordAt,
} from './rows.ts';

/** A change to one sentence, or to a sentence and the next one; tokens count from 1. */
export type Edit =
  | { readonly kind: 'set'; readonly token: number; readonly column: EditedColumn; readonly value: string }
  /** Without `label`, the old label stays if it fits the new head. */
  | { readonly kind: 'attach'; readonly token: number; readonly head: number; readonly label?: string }
  /** The second token begins at position `at` of the form. */
  | { readonly kind: 'split-token'; readonly token: number; readonly at: number }
  /** Joins a token with the next one. */
  | { readonly kind: 'join-tokens'; readonly token: number }
  /** The second sentence begins with `token`. */
  | { readonly kind: 'split-sentence'; readonly token: number }
  /** Joins a sentence with the next one. */
  | { readonly kind: 'join-sentences' };

export const editedColumns = {
  form: FORM,
  lemma: LEMMA,
  upos: UPOS,
  xpos: XPOS,
  feats: FEATS,
  label: DEPREL,
  misc: MISC,
} as const;
export type EditedColumn = keyof typeof editedColumns;
/** The labels of the arcs that edits create. */
export type EditLabels = { readonly root: string; readonly unknown: string; readonly joined: string };

/**
 * Edits a sentence in CoNLL-U; returns its text, or two texts if it is split. What an edit does not touch keeps its bytes.
 * @param next the text of the next sentence, for an edit that joins the two
 * @throws UsageError for an impossible edit
 */
export function editedText(text: string, edit: Edit, labels: EditLabels, next?: string): string[] {
  const rows = rowsOf(text);
  if (edit.kind === 'join-sentences') return [joinSentences(rows, next, labels)];
  if (wordAt(rows, edit.token) < 0) throw new UsageError(`there is no token ${edit.token}`);
  switch (edit.kind) {
    case 'set':
      return [textOfRows(setCell(rows, edit.token, edit.column, edit.value))];
    case 'attach':
      return [textOfRows(attach(rows, edit.token, edit.head, labels, edit.label))];
    case 'split-token':
      return [textOfRows(splitToken(rows, edit.token, edit.at, labels))];
    case 'join-tokens':
      return [textOfRows(joinTokens(rows, edit.token))];
    case 'split-sentence':
      return splitSentence(rows, edit.token, labels);
  }
}

function setCell(rows: readonly Row[], d: number, column: EditedColumn, value: string): Row[] {
  if (/[\t\r\n]/.test(value)) throw new UsageError(`${column}: expected a value without tabs and line ends`);
  const trimmed = value.trim();
  if (column === 'form' && trimmed === '') throw new UsageError('a token has no form, expected some text');
  return replaced(rows, d, (row) =>
    column === 'label'
      ? reattached(row, row.cells[HEAD], trimmed || '_')
      : withCells(row, { [editedColumns[column]]: trimmed }),
  );
}

function attach(rows: readonly Row[], d: number, head: number, labels: EditLabels, label?: string): Row[] {
  if (Number.isNaN(head)) throw new UsageError(`token ${d} has no head, expected 0 or another token`);
  if (head === d) throw new UsageError(`token ${d} cannot be its own head`);
  if (head !== 0 && wordAt(rows, head) < 0) throw new UsageError(`there is no token ${head}`);
  return replaced(rows, d, (row) => {
    const old = row.cells[DEPREL];
    const fitting = head === 0 ? labels.root : old === labels.root ? labels.unknown : old;
    return reattached(row, String(head), label ?? fitting);
  });
}

function replaced(rows: readonly Row[], d: number, change: (row: Row) => Row): Row[] {
  const at = wordAt(rows, d);
  return rows.map((row, i) => (i === at ? change(row) : row));
}

/** Splits a token in two; the second depends on the first and has no tags yet. */
function splitToken(rows: readonly Row[], d: number, at: number, { unknown }: EditLabels): Row[] {
  const place = wordAt(rows, d);
  const row = rows[place];
  const form = row.cells[FORM];
  const [before, after] = [form.slice(0, at), form.slice(at)];
  if (before.trim() === '' || after.trim() === '' || /[\ud800-\udbff]$/.test(before))
    throw new UsageError(`token ${d}: expected a place between two characters of its form`);
  const isWithin = rows.some((each) => isInRange(each, d));
  const isApart = /\s$/.test(before) || /^\s/.test(after);
  const glue = isWithin || isApart ? [] : ['SpaceAfter=No'];
  const first = withCells(row, {
    [FORM]: before.trim(),
    [LEMMA]: row.cells[LEMMA] === form ? before.trim() : row.cells[LEMMA],
    [MISC]: [...miscWithout(row), ...glue].join('|'),
  });
  const values = { [ID]: '', [FORM]: after.trim(), [HEAD]: String(d), [DEPREL]: unknown };
  const deps = row.cells[DEPS] === '_' ? '' : `${d}:${unknown}`;
  const empty = { [LEMMA]: '', [UPOS]: '', [XPOS]: '', [FEATS]: '' };
  const second = withCells(row, { ...values, ...empty, [DEPS]: deps, [MISC]: spacesIn(row).join('|') });
  const moved = renumbered([...rows.slice(0, place), first, ...rows.slice(place + 1)], (word, node) => {
    const shifts = node === undefined ? word > d : word >= d;
    return [word + (shifts ? 1 : 0), node];
  });
  const ranged = moved.map((each, i) => {
    const [from, to] = (isInRange(rows[i], d) && rangeOf(rows[i])) || [];
    return from === undefined ? each : withCells(each, { [ID]: `${from}-${to! + 1}` });
  });
  return [
    ...ranged.slice(0, place + 1),
    withCells(second, { [ID]: String(d + 1) }),
    ...ranged.slice(place + 1),
  ];
}

function isInRange(row: Row, d: number): boolean {
  const [first, last] = rangeOf(row) ?? [0, -1];
  return first <= d && d <= last;
}

/** Joins a token with the next; keeps the annotation of the one that the other depends on, else of the first. */
function joinTokens(rows: readonly Row[], d: number): Row[] {
  const [place, next] = [wordAt(rows, d), wordAt(rows, d + 1)];
  if (next < 0) throw new UsageError(`token ${d} is the last, expected one with another after it`);
  const ranges = rows.filter((row) => isInRange(row, d) || isInRange(row, d + 1));
  if (ranges.some((row) => !isInRange(row, d) || !isInRange(row, d + 1)))
    throw new UsageError(`tokens ${d} and ${d + 1} do not belong to the same multiword token`);
  const [first, second] = [rows[place], rows[next]];
  const isSecond = first.cells[HEAD] === String(d + 1) && second.cells[HEAD] !== String(d);
  const head = isSecond ? second : first;
  const isOwnHead = head.cells[HEAD] === String(isSecond ? d : d + 1);
  const space = ranges.length > 0 || spacesIn(first).includes('SpaceAfter=No') ? '' : ' ';
  const together = (column: number) => first.cells[column] + space + second.cells[column];
  const hasLemmas = first.cells[LEMMA] !== '_' && second.cells[LEMMA] !== '_';
  const isForm = head.cells[LEMMA] === head.cells[FORM];
  const joined = withCells(head, {
    [ID]: first.cells[ID],
    [FORM]: together(FORM),
    [LEMMA]: hasLemmas ? together(LEMMA) : isForm ? together(FORM) : head.cells[LEMMA],
    [HEAD]: isOwnHead ? '' : head.cells[HEAD],
    [MISC]: [...miscOfBoth(first, second), ...spacesIn(second)].join('|'),
  });
  const nodes = rows.filter((row) => idOf(row).startsWith(`${d}.`)).length;
  const left = rows.map((row, i) => (i === place ? joined : row)).filter((_, i) => i !== next);
  const moved = renumbered(left, (word, node) => {
    const isMoved = node !== undefined && word === d + 1;
    return [word - (word > d ? 1 : 0), isMoved ? String(Number(node) + nodes) : node];
  });
  return withoutSingleRanges(moved);
}

/** Removes a multiword range of a single word, which takes the range's form. */
function withoutSingleRanges(rows: readonly Row[]): Row[] {
  const single = rows.find((row) => {
    const [first, last] = rangeOf(row) ?? [0, 1];
    return first === last;
  });
  if (single === undefined) return [...rows];
  return replaced(rows, rangeOf(single)![0], (row) => {
    const misc = [...miscOfBoth(single, row), ...spacesIn(single)];
    return withCells(row, { [FORM]: single.cells[FORM], [MISC]: misc.join('|') });
  }).filter((row) => row !== single);
}

function splitSentence(rows: readonly Row[], d: number, labels: EditLabels): string[] {
  if (d === 1) throw new UsageError('token 1 begins its sentence already');
  if (rows.some((row) => isInRange(row, d) && rangeOf(row)![0] < d))
    throw new UsageError(`token ${d} is within a multiword token, expected the first of a sentence`);
  const cut = rows.findIndex((row) => placeOf(row) >= d);
  const isFirst = (row: Row, i: number) => (idOf(row) === '' ? i < cut : placeOf(row) < d);
  const first = rows.filter(isFirst);
  const second = rows.filter((row, i) => !isFirst(row, i));
  const end = rows[cut].end || '\n';
  const comment = (text: string): Row => ({ cells: [text], end });
  const id = first.map(({ cells }) => /^\ufeff?#[ \t]*sent_id[ \t]*=(.*)$/.exec(cells[0])?.[1].trim());
  const name = id.find((each) => each !== undefined);
  const hasText = first.some(({ cells }) => /^\ufeff?#[ \t]*text[ \t]*=/.test(cells[0]));
  const head = [
    ...(name === undefined ? [] : [comment(`# sent_id = ${name}-2`)]),
    ...(hasText ? [comment('# text = ')] : []),
  ];
  const moved = renumbered(asSentence(second, labels), (word, node) => [word === 0 ? 0 : word - d + 1, node]);
  const parts = [
    [...asSentence(first, labels), comment('')],
    [...head, ...moved],
  ];
  return parts.map((part) => withText(textOfRows(part)));
}

/**
 * Makes a part of a sentence a tree: words whose heads are outside become its root, or depend on the root. Empty nodes
 * depend on the artificial root then.
 */
function asSentence(rows: readonly Row[], { root }: EditLabels): Row[] {
  const ids = new Set(rows.map(idOf).filter((id) => id !== ''));
  const words = rows.filter(isWord);
  const isOutside = ({ cells }: Row) => /^[1-9]/.test(cells[HEAD]) && !ids.has(cells[HEAD]);
  const top = words.find(({ cells }) => cells[HEAD] === '0') ?? words.find(isOutside);
  return rows.map((row) => {
    if (idOf(row) === '') return row;
    const arcs = arcsOf(row);
    const isCut = isWord(row) && isOutside(row);
    const isTop = row === top || !isWord(row);
    const head = isTop ? '0' : idOf(top ?? row);
    const label = isTop ? root : row.cells[DEPREL];
    const basic = isCut ? reattached(row, head, label) : row;
    const inside = arcsOf(basic).filter((arc) => arc.head === '0' || ids.has(arc.head));
    const deps = arcs.length > 0 && inside.length === 0 ? [{ head, label }] : inside;
    return withCells(basic, { [DEPS]: depsOf(deps) });
  });
}

/** Joins two sentences; the root of the second becomes a dependent of the root of the first. */
function joinSentences(rows: readonly Row[], next: string | undefined, labels: EditLabels): string {
  if (next === undefined)
    throw new UsageError('this is the last sentence, expected one with another after it');
  const words = rows.filter(isWord);
  const root = words.find(({ cells }) => cells[HEAD] === '0');
  const following = renumbered(rowsOf(next), (word, node) => {
    const isRoot = node === undefined && word === 0;
    return [isRoot ? 0 : word + words.length, node];
  }).map((row) => {
    const isRoot = root !== undefined && isWord(row) && row.cells[HEAD] === '0';
    return isRoot ? reattached(row, idOf(root), labels.joined) : row;
  });
  const isKept = ({ cells }: Row) => !/^#[ \t]*(?:(?:sent_id|text)[ \t]*=|new(?:par|doc)\b)/.test(cells[0]);
  const isToken = (row: Row) => idOf(row) !== '';
  const start = rows.findIndex(isToken);
  const last = rows.findLastIndex(isToken);
  const from = following.findIndex(isToken);
  const joined = [
    ...rows.slice(0, start),
    ...following.slice(0, from).filter(isKept),
    ...rows.slice(start, last + 1),
    ...following.slice(from),
  ];
  return withText(textOfRows(joined));
}
