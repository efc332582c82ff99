import { UsageError } from '../../src/errors.ts';

/** What stands for a word's form in the `stem` column. */
export type Stem = string;

/** Accepted values of the stem option. */
export const stemPattern = /^(none|lemma|first-char|prefix:[1-9]\d?)$/;

/** The function from a form to its stem; lemmas come from their own column and stay as they are. */
export function stemmer(stem: Stem): (form: string) => string {
  if (!stemPattern.test(stem)) {
    throw new UsageError(`stem “${stem}”: expected none, lemma, first-char or prefix:N`);
  }
  if (stem === 'first-char') return (form) => prefix(form, 1);
  if (stem.startsWith('prefix:')) {
    const length = Number(stem.slice('prefix:'.length));
    return (form) => prefix(form, length);
  }
  return (lemma) => lemma;
}

/** The first characters (code points, not UTF-16 units). */
function prefix(form: string, length: number): string {
  let end = 0;
  for (let i = 0; i < length && end < form.length; i++) end += form.codePointAt(end)! > 0xffff ? 2 : 1;
  return form.slice(0, end);
}
