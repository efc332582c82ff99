import { UsageError } from '../errors.ts';

const NUMBER = /^[+-]?\p{Nd}[\p{Nd}.,:/-]*$/u;
/** The normalised form of every number; no token has it, since forms hold no tabs. */
const NUMBER_FORM = '\t0';

/** Normalises a form: numbers (digits with . , : / - between them) become one form, others lower case. */
export const normalizeForm = (form: string): string => (NUMBER.test(form) ? NUMBER_FORM : form.toLowerCase());

export const stemPattern = /^(none|lemma|first-char|prefix:[1-9]\d?)$/;

/** Returns the function from form to stem, the identity for `lemma` and `none`; throws `UsageError` for an invalid option. */
export function stemmer(stem: string): (form: string) => string {
  if (!stemPattern.test(stem))
    throw new UsageError(`stem “${stem}”: expected none, lemma, first-char or prefix:N`);
  if (stem === 'first-char') return (form) => prefix(form, 1);
  if (stem.startsWith('prefix:')) {
    const length = Number(stem.slice('prefix:'.length));
    return (form) => prefix(form, length);
  }
  return (form) => form;
}

/** The first characters (code points, not UTF-16 units). */
export function prefix(form: string, length: number): string {
  let end = 0;
  for (let i = 0; i < length && end < form.length; i++) end += form.codePointAt(end)! > 0xffff ? 2 : 1;
  return form.slice(0, end);
}

/** The last characters (code points). */
export function suffix(form: string, length: number): string {
  let start = form.length;
  for (let i = 0; i < length && start > 0; i++) {
    const isPair = start > 1 && form.codePointAt(start - 2)! > 0xffff;
    start -= isPair ? 2 : 1;
  }
  return form.slice(start);
}

const LONGEST_SHAPE = 10;
const HALF_CHARACTER = /[\ud800-\udbff]$/;

/** The shape of a form: `Xx` for a capitalized word, `XX` for an acronym, `d` for digits; runs have at most two characters. */
export function shapeOf(form: string): string {
  return form
    .slice(0, 64)
    .replace(HALF_CHARACTER, '')
    .replace(/\p{Lu}+/gu, (run) => (run.length > 1 ? 'XX' : 'X'))
    .replace(/\p{Ll}+/gu, (run) => (run.length > 1 ? 'xx' : 'x'))
    .replace(/\p{Nd}+/gu, 'd')
    .replace(/([^Xxd])\1+/gu, '$1$1')
    .slice(0, LONGEST_SHAPE)
    .replace(HALF_CHARACTER, '');
}
