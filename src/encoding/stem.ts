import { UsageError } from '../errors.ts';
import { prefix } from './affixes.ts';

/** Accepted values of the stem option. */
export const stemPattern = /^(none|lemma|first-char|prefix:[1-9]\d?)$/;

/**
 * The function from a form to its stem. For `lemma` and `none` it changes nothing: lemmas come from their own
 * column, and nothing reads stems where there are none. Throws `UsageError` for a value that is not accepted.
 */
export function stemmer(stem: string): (form: string) => string {
  if (!stemPattern.test(stem)) {
    throw new UsageError(`stem “${stem}”: expected none, lemma, first-char or prefix:N`);
  }
  if (stem === 'first-char') return (form) => prefix(form, 1);
  if (stem.startsWith('prefix:')) {
    const length = Number(stem.slice('prefix:'.length));
    return (form) => prefix(form, length);
  }
  return (form) => form;
}
