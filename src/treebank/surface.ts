import { ColumnLine } from './columns/column-line.ts';
import { FORM, ID, MISC } from './columns/names.ts';
import { universalSource } from './json/read-json.ts';
import { lineAfter } from './reading/batches.ts';
import { columnOf, type Sentence } from './sentence.ts';

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

/**
 * The text that sentences were cut out of, one after the other, as far as their tokens tell. Where one begins a
 * paragraph (`newpar`, `newdoc`) and nothing tells of a line break before it, a blank line is put there, in place of
 * the space that stands between sentences.
 */
export class PlainText {
  private last = '';

  /** The text of a sentence, with what is before it; a space at its end is kept back. */
  add(sentence: Sentence): string {
    const last = this.last;
    const text = textOf(sentence);
    const isBreakMissing = last !== '' && startsParagraph(sentence) && !/\n\s*$/.test(last);
    const between = isBreakMissing ? '\n\n' : last.endsWith(' ') ? ' ' : '';
    this.last = text;
    return between + withoutLastSpace(text);
  }

  /** What is left when all sentences have been added: a line end in place of the last space. */
  end(): string {
    return this.last.endsWith(' ') ? '\n' : '';
  }
}

function withoutLastSpace(text: string): string {
  return text.endsWith(' ') ? text.slice(0, -1) : text;
}

/** The text that a sentence was cut out of, by its `# text` comment; undefined where there is none. */
export function originalText({ source }: Sentence): string | undefined {
  const [, text] =
    /^#[ \t]*text[ \t]*=[ \t]*(.*?)[ \t]*\r?$/m.exec(universalSource(source)?.text ?? '') ?? [];
  return text === '' ? undefined : text;
}

/**
 * What stood between tokens, as UDPipe writes it in MISC: `SpaceAfter=No` for nothing, no word of it for one
 * space, and `SpacesAfter=…` for anything else, in escapes that leave neither blanks nor bars.
 */
const escapes: ReadonlyMap<string, string> = new Map([
  [' ', '\\s'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['|', '\\p'],
  ['\\', '\\\\'],
]);
const characters = new Map([...escapes].map(([character, escaped]) => [escaped, character]));

/** A text without blanks, line ends and bars. */
export function escapeSpaces(text: string): string {
  return text.replace(/[ \t\n\r|\\]/g, (character) => escapes.get(character)!);
}

/** The text that was escaped; what is no escape stands for itself. */
export function unescapeSpaces(escaped: string): string {
  return escaped.replace(/\\[stnrp\\]/g, (one) => characters.get(one)!);
}

/** The MISC column of a token: what stood before it, after it, and in it where that is not its form. */
export function miscOf(before: string, after: string, inToken?: string): string {
  const fields: string[] = [];
  if (after === '') fields.push('SpaceAfter=No');
  else if (after !== ' ') fields.push(`SpacesAfter=${escapeSpaces(after)}`);
  if (before !== '') fields.push(`SpacesBefore=${escapeSpaces(before)}`);
  if (inToken !== undefined) fields.push(`SpacesInToken=${escapeSpaces(inToken)}`);
  return fields.length === 0 ? '_' : fields.join('|');
}

/** What stood after a token, by its MISC column. */
export function spacesAfter(misc: string): string {
  const spaces = fieldOf(misc, 'SpacesAfter');
  if (spaces !== undefined) return unescapeSpaces(spaces);
  return fieldOf(misc, 'SpaceAfter') === 'No' ? '' : ' ';
}

/** What stood before a token that no token before it has after it: at the beginning of a text, mostly. */
export function spacesBefore(misc: string): string {
  return unescapeSpaces(fieldOf(misc, 'SpacesBefore') ?? '');
}

/** A token as it stood in the text: its form, but for white space in it. */
export function inText(form: string, misc: string): string {
  const whole = fieldOf(misc, 'SpacesInToken');
  return whole === undefined ? form : unescapeSpaces(whole);
}

/** The value of one of the fields `Name=Value|Name=Value`. */
function fieldOf(misc: string, name: string): string | undefined {
  if (misc === '_') return undefined;
  const field = misc.split('|').find((each) => each.startsWith(`${name}=`));
  return field?.slice(name.length + 1);
}
