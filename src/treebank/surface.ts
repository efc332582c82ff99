import { commentIn } from './columns/comments.ts';
import { universalSource } from './json/read-json.ts';
import { textForm } from './phrases/phrase-tree.ts';
import { columnOf, type Sentence, type SourcedSentence } from './sentence.ts';

/** A token as it stands in the text: one word, or several (a multiword token, `3-4` in CoNLL-U). */
export interface SurfaceToken {
  readonly form: string;
  readonly first: number;
  readonly last: number;
  readonly misc: string;
}

/**
 * Lists the tokens of a sentence as they stand in the text: words of bracketed trees without the Penn Treebank's escapes.
 * Only CoNLL-U and JSON have multiword tokens.
 */
export function surfaceTokens(sentence: Sentence): SurfaceToken[] {
  const forms = columnOf(sentence, 'forms');
  const misc = columnOf(sentence, 'misc');
  const ranges = multiwordTokens(sentence);
  const words = sentence.source?.format === 'brackets' ? forms.map(textForm) : forms;
  const tokens: SurfaceToken[] = [];
  for (let d = 1; d <= sentence.length; ) {
    const token = ranges.get(d) ?? { form: words[d], first: d, last: d, misc: misc[d] };
    tokens.push(token);
    d = token.last + 1;
  }
  return tokens;
}

/** A multiword token's line in CoNLL-U: first and last word, FORM, MISC. */
const RANGE = /(?:^\ufeff?|\n)(\d+)-(\d+)\t([^\t]*)\t(?:[^\t]*\t){7}([^\t\n]*?)(?=\r*(?:\n|$))/g;

/** Maps the first word of each multiword token to the token. */
export function multiwordTokens(sentence: SourcedSentence): ReadonlyMap<number, SurfaceToken> {
  const found = new Map<number, SurfaceToken>();
  const text = universalSource(sentence)?.text ?? '';
  for (const [, first, last, form, misc] of text.matchAll(RANGE))
    found.set(Number(first), { form, first: Number(first), last: Number(last), misc });
  return found;
}

/** Restores a sentence's text with the white space around it; joined texts are what the tokenizer read. */
export function textOf(sentence: Sentence): string {
  let text = '';
  for (const { form, misc } of surfaceTokens(sentence)) text += spacedText(form, misc);
  return text;
}

/** A token as it stands in the text, with the white space around it. */
export const spacedText = (form: string, misc: string): string =>
  spacesBefore(misc) + inText(form, misc) + spacesAfter(misc);

/** Whether a paragraph or document begins here, by a comment `# newpar` or `# newdoc`. */
export const startsParagraph = (sentence: Sentence): boolean =>
  /(?:^\ufeff?|\n)#[ \t]*new(?:par|doc)\b/.test(universalSource(sentence)?.text ?? '');

/** Characters that end a line or a paragraph. */
const LINE_END = /[\n\r\u0085\u2028\u2029]/;

/** Restores a text from its sentences, with a blank line before a new paragraph unless MISC records a line break. */
export class PlainText {
  private last = '';

  /** Returns the white space before a sentence and its text, without a space at the end. */
  add(sentence: Sentence): string {
    const last = this.last;
    const text = textOf(sentence);
    const isBreakMissing =
      last !== '' && startsParagraph(sentence) && !LINE_END.test(last.slice(last.trimEnd().length));
    const between = isBreakMissing ? '\n\n' : last.endsWith(' ') ? ' ' : '';
    this.last = text;
    return between + text.replace(/ $/, '');
  }

  end(): string {
    return this.last.endsWith(' ') ? '\n' : '';
  }
}

/** The text of a sentence in its comment `# text`. */
export function originalText(sentence: Sentence): string | undefined {
  const text = commentIn(universalSource(sentence)?.text ?? '', 'text');
  return text === '' ? undefined : text;
}

/** How white space is escaped in MISC, as in UDPipe: `SpaceAfter=No`, nothing for one space, else `SpacesAfter=…`. */
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

/** The reverse of `escapeSpaces`; a backslash that begins no escape stays. */
export const unescapeSpaces = (escaped: string): string =>
  escaped.replace(/\\[stnrp\\]/g, (one) => characters.get(one)!);

/** Writes a token's MISC from the white space around it and, if it differs from the form, its text. */
export function miscOf(before: string, after: string, inToken?: string): string {
  const fields: string[] = [];
  if (after === '') fields.push('SpaceAfter=No');
  else if (after !== ' ') fields.push(`SpacesAfter=${escapeSpaces(after)}`);
  if (before !== '') fields.push(`SpacesBefore=${escapeSpaces(before)}`);
  if (inToken !== undefined) fields.push(`SpacesInToken=${escapeSpaces(inToken)}`);
  return fields.length === 0 ? '_' : fields.join('|');
}

/** The white space after a token, from its MISC. */
export function spacesAfter(misc: string): string {
  const spaces = fieldOf(misc, 'SpacesAfter');
  if (spaces !== undefined) return unescapeSpaces(spaces);
  return fieldOf(misc, 'SpaceAfter') === 'No' ? '' : ' ';
}

/** The white space before a token: recorded only if no token precedes it, at the beginning of a text. */
export const spacesBefore = (misc: string): string => unescapeSpaces(fieldOf(misc, 'SpacesBefore') ?? '');

/** A token as it stands in the text, with the white space inside it. */
export function inText(form: string, misc: string): string {
  const whole = fieldOf(misc, 'SpacesInToken');
  return whole === undefined ? form : unescapeSpaces(whole);
}

function fieldOf(misc: string, name: string): string | undefined {
  if (misc === '_') return undefined;
  const field = misc.split('|').find((each) => each.startsWith(`${name}=`));
  return field?.slice(name.length + 1);
}
