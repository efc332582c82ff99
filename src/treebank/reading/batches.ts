import { InputError } from '../../errors.ts';
import { BYTE_ORDER_MARK, countLines } from '../../files/encoding.ts';
import { globalColumns } from '../columns/names.ts';
import { TreeSplitter } from '../phrases/brackets.ts';
import type { TextBatch } from '../sentence.ts';
import type { TreebankFormat } from './format.ts';

/** Characters per batch, unless a sentence is longer. */
export const DEFAULT_BATCH = 1 << 16;
/** In characters: a file without blank lines must not fill the memory. */
const LONGEST_SENTENCE = 1 << 24;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const NUMBER_SIGN = 35;

/**
 * Cuts a text that arrives in pieces into batches of complete sentences, about `size` characters each. It
 * does not parse columns, so that one thread can feed many workers that do. The texts of all batches, joined,
 * are the file.
 *
 * The text of a sentence is the comments before it, its token lines (in JSON Lines: its line), and the blank
 * lines after it; the last sentence takes the rest of the file. A line of spaces is not blank.
 * @throws InputError for a sentence of more than 16 million characters
 */
export async function* textBatches(
  chunks: AsyncIterable<string>,
  file: string,
  format: TreebankFormat,
  size: number = DEFAULT_BATCH,
): AsyncGenerator<TextBatch> {
  let line = 1;
  let columns: readonly string[] | undefined;
  const texts = format === 'brackets' ? treeTexts(chunks, size) : blockTexts(chunks, format, size);
  try {
    for await (const text of texts) {
      if (format === 'conllup') columns ??= globalColumns(text);
      yield columns === undefined ? { file, line, text } : { file, line, text, columns };
      line += countLines(text, text.length);
    }
  } catch (error) {
    if (!(error instanceof TooLongError)) throw error;
    const expected = expectedEnds[format] ?? 'blank lines between sentences';
    const problem = `a sentence longer than ${LONGEST_SENTENCE} characters, expected ${expected}`;
    throw new InputError(problem, { file, line });
  }
}

class TooLongError extends Error {}

/** The end of a sentence in formats without blank lines, for messages. */
const expectedEnds: Readonly<Partial<Record<TreebankFormat, string>>> = {
  brackets: '“)” where it ends',
  json: 'a line for each',
};

async function* blockTexts(chunks: AsyncIterable<string>, format: TreebankFormat, size: number) {
  const comments = format === 'conllu' || format === 'conllup';
  let pending = '';
  let goal = size;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += size) {
      pending += chunk.slice(at, at + size);
      if (pending.length < goal) continue;
      if (pending.length >= LONGEST_SENTENCE) throw new TooLongError();
      const cut = format === 'json' ? lastSentenceLine(pending) : lastBoundary(pending, comments);
      if (cut > 0) yield pending.slice(0, cut);
      pending = pending.slice(cut);
      // With no place to cut, the next search waits until the text has doubled: linear time overall.
      goal = cut > 0 ? size : Math.min(2 * pending.length, LONGEST_SENTENCE);
    }
  }
  if (hasTokenLine(pending, comments)) yield pending;
}

/** The end of the last sentence that is followed by another one, or 0; searches backwards, line by line. */
function lastBoundary(text: string, comments: boolean): number {
  let seenToken = false;
  let boundary = 0;
  for (let next = text.length; next > 0; ) {
    const start = next < 2 ? 0 : text.lastIndexOf('\n', next - 2) + 1;
    if (isBlank(text, start)) {
      if (seenToken && boundary === 0) boundary = next;
    } else if (!comments || !isComment(text, start)) {
      if (boundary > 0) return boundary;
      seenToken = true;
    } else {
      boundary = 0;
    }
    next = start;
  }
  return 0;
}

/** The start of the last line that is not blank, if there is such a line before it; else 0. */
function lastSentenceLine(text: string): number {
  for (let next = text.length; next > 0; ) {
    const start = next < 2 ? 0 : text.lastIndexOf('\n', next - 2) + 1;
    if (!isBlank(text, start)) return hasTokenLine(text.slice(0, start), false) ? start : 0;
    next = start;
  }
  return 0;
}

function hasTokenLine(text: string, comments: boolean): boolean {
  for (let start = 0; start < text.length; start = lineAfter(text, start))
    if (!isBlank(text, start) && !(comments && isComment(text, start))) return true;
  return false;
}

/** The start of the next line; the text's length if there is none. */
export function lineAfter(text: string, at: number): number {
  const feed = text.indexOf('\n', at);
  return feed < 0 ? text.length : feed + 1;
}

/** Whether a line is empty, apart from a byte-order mark. */
export function isBlank(text: string, start: number): boolean {
  let at = start;
  if (text.charCodeAt(at) === BYTE_ORDER_MARK) at++;
  if (text.charCodeAt(at) === CARRIAGE_RETURN) at++;
  return at >= text.length || text.charCodeAt(at) === LINE_FEED;
}

/** Whether a line begins with `#`, possibly after a byte-order mark. */
export function isComment(text: string, start: number): boolean {
  const code = text.charCodeAt(start);
  return code === NUMBER_SIGN || (code === BYTE_ORDER_MARK && text.charCodeAt(start + 1) === NUMBER_SIGN);
}

async function* treeTexts(chunks: AsyncIterable<string>, size: number): AsyncGenerator<string> {
  const splitter = new TreeSplitter();
  let batch = '';
  let unfinished = 0;
  for await (const chunk of chunks) {
    let trees = splitter.push(chunk);
    unfinished = trees.length > 0 ? 0 : unfinished + chunk.length;
    if (unfinished > LONGEST_SENTENCE) {
      // An unclosed bracket: the reader of the batch reports its place.
      trees = splitter.giveUp();
      if (trees.length === 0) throw new TooLongError();
      unfinished = 0;
    }
    for (const tree of trees) {
      batch += tree;
      if (batch.length < size) continue;
      yield batch;
      batch = '';
    }
  }
  batch += splitter.end();
  if (/[^\s\ufeff]/.test(batch)) yield batch;
}
