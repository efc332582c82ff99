import { ColumnLine } from '../columns/column-line.ts';
import { FORM, ID, MISC } from '../columns/names.ts';
import { universalSource } from '../json/universal-source.ts';
import { lineAfter } from '../reading/blocks.ts';
import { columnOf, type Sentence } from '../sentence.ts';
import { inText, spacesAfter, spacesBefore } from './spaces.ts';

/** A token as it is written: one word of the sentence, or several (`3-4` in CoNLL-U). */
export interface SurfaceToken {
  readonly form: string;
  /** The words that it consists of: the first and the last. */
  readonly first: number;
  readonly last: number;
  readonly misc: string;
}

const ZERO = 48;
const NINE = 57;

/** Reused from line to line; nothing here is asynchronous. */
const row = new ColumnLine();

/** The tokens of a sentence as they are written; those of several words stand in CoNLL-U and JSON alone. */
export function surfaceTokens(sentence: Sentence): SurfaceToken[] {
  const forms = columnOf(sentence, 'forms');
  const misc = columnOf(sentence, 'misc');
  const ranges = multiwordTokens(sentence);
  const tokens: SurfaceToken[] = [];
  for (let d = 1; d <= sentence.length; ) {
    const token = ranges.get(d) ?? { form: forms[d], first: d, last: d, misc: misc[d] };
    tokens.push(token);
    d = token.last + 1;
  }
  return tokens;
}

/** The tokens of several words, by the first of these. */
export function multiwordTokens({ source }: Pick<Sentence, 'source'>): ReadonlyMap<number, SurfaceToken> {
  const found = new Map<number, SurfaceToken>();
  const text = universalSource(source)?.text ?? '';
  for (let at = 0; at < text.length; at = lineAfter(text, at)) {
    if (!isRange(text, at)) continue;
    row.read(text, at);
    const [, first, last] = /^(\d+)-(\d+)$/.exec(row.field(ID)) ?? [];
    if (first === undefined) continue;
    const token = { form: row.field(FORM), first: Number(first), last: Number(last), misc: row.field(MISC) };
    found.set(token.first, token);
  }
  return found;
}

/** Whether a line begins with a number and a hyphen. */
function isRange(text: string, at: number): boolean {
  let end = at;
  while (text.charCodeAt(end) >= ZERO && text.charCodeAt(end) <= NINE) end++;
  return end > at && text[end] === '-';
}

/**
 * The text of a sentence with what stood before and after it: what a tokenizer was given is the texts of its
 * sentences, one after the other.
 */
export function textOf(sentence: Sentence): string {
  let text = '';
  for (const { form, misc } of surfaceTokens(sentence)) {
    text += spacesBefore(misc) + inText(form, misc) + spacesAfter(misc);
  }
  return text;
}

/** Whether a new paragraph, or a new document, begins with a sentence. */
export function startsParagraph({ source }: Sentence): boolean {
  return /^#[ \t]*new(?:par|doc)\b/m.test(universalSource(source)?.text ?? '');
}
