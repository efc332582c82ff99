import { ColumnLine } from './columns/column-line.ts';
import { FORM, ID, MISC } from './columns/names.ts';
import { universalSource } from './json/read-json.ts';
import { lineAfter } from './reading/batches.ts';
import { columnOf, type Sentence } from './sentence.ts';

/** A token as written: one word of the sentence, or several (a multiword token, `3-4` in CoNLL-U). */
export interface SurfaceToken {
  readonly form: string;
  readonly first: number;
  readonly last: number;
  readonly misc: string;
}

const ZERO = 48;
const NINE = 57;
/** Reused from line to line; nothing here is asynchronous. */
const row = new ColumnLine();

/** Only CoNLL-U and JSON have multiword tokens. */
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

/** By their first word. */
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

function isRange(text: string, at: number): boolean {
  let end = at;
  while (text.charCodeAt(end) >= ZERO && text.charCodeAt(end) <= NINE) end++;
  return end > at && text[end] === '-';
}

/** A sentence's text with the white space around it; joined, they are what the tokenizer read. */
export function textOf(sentence: Sentence): string {
  let text = '';
  for (const { form, misc } of surfaceTokens(sentence))
    text += spacesBefore(misc) + inText(form, misc) + spacesAfter(misc);
  return text;
}

export const startsParagraph = ({ source }: Sentence): boolean =>
  /^#[ \t]*new(?:par|doc)\b/m.test(universalSource(source)?.text ?? '');

/** Restores text from tokens: before a new paragraph without a recorded line break comes a blank line, not a space. */
export class PlainText {
  private last = '';

  /** Returns the sentence's text with the white space before it, but without a space at its end. */
  add(sentence: Sentence): string {
    const last = this.last;
    const text = textOf(sentence);
    const isBreakMissing = last !== '' && startsParagraph(sentence) && !/\n\s*$/.test(last);
    const between = isBreakMissing ? '\n\n' : last.endsWith(' ') ? ' ' : '';
    this.last = text;
    return between + text.replace(/ $/, '');
  }

  end(): string {
    return this.last.endsWith(' ') ? '\n' : '';
  }
}

export function originalText({ source }: Sentence): string | undefined {
  const [, text] =
    /^#[ \t]*text[ \t]*=[ \t]*(.*?)[ \t]*\r?$/m.exec(universalSource(source)?.text ?? '') ?? [];
  return text === '' ? undefined : text;
}

/** White space between tokens in MISC, as from UDPipe: `SpaceAfter=No`, nothing for one space, else `SpacesAfter=…`. */
const escapes: ReadonlyMap<string, string> = new Map([
  [' ', '\\s'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['|', '\\p'],
  ['\\', '\\\\'],
]);
const characters = new Map([...escapes].map(([character, escaped]) => [escaped, character]));

export const escapeSpaces = (text: string): string =>
  text.replace(/[ \t\n\r|\\]/g, (character) => escapes.get(character)!);

/** Anything that is not an escape stays. */
export const unescapeSpaces = (escaped: string): string =>
  escaped.replace(/\\[stnrp\\]/g, (one) => characters.get(one)!);

/** A token's MISC: the white space around it, and its text where that is not its form. */
export function miscOf(before: string, after: string, inToken?: string): string {
  const fields: string[] = [];
  if (after === '') fields.push('SpaceAfter=No');
  else if (after !== ' ') fields.push(`SpacesAfter=${escapeSpaces(after)}`);
  if (before !== '') fields.push(`SpacesBefore=${escapeSpaces(before)}`);
  if (inToken !== undefined) fields.push(`SpacesInToken=${escapeSpaces(inToken)}`);
  return fields.length === 0 ? '_' : fields.join('|');
}

export function spacesAfter(misc: string): string {
  const spaces = fieldOf(misc, 'SpacesAfter');
  if (spaces !== undefined) return unescapeSpaces(spaces);
  return fieldOf(misc, 'SpaceAfter') === 'No' ? '' : ' ';
}

/** Recorded where no token before it has it: at the beginning of a text. */
export const spacesBefore = (misc: string): string => unescapeSpaces(fieldOf(misc, 'SpacesBefore') ?? '');

/** The form with the white space inside the token. */
export function inText(form: string, misc: string): string {
  const whole = fieldOf(misc, 'SpacesInToken');
  return whole === undefined ? form : unescapeSpaces(whole);
}

function fieldOf(misc: string, name: string): string | undefined {
  if (misc === '_') return undefined;
  const field = misc.split('|').find((each) => each.startsWith(`${name}=`));
  return field?.slice(name.length + 1);
}
