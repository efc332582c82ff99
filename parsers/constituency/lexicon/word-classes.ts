/** The name of the widest class. */
export const ALL_WORDS = '';

/**
 * The classes of a word, each within the one before: all words, words of its shape (capital, digits, hyphen),
 * and of these the ones that end in the same letter, the same two, … up to `suffix` letters. What is known of
 * a class stands in for what is not known of a word (as in Brants 2000, "TnT", and in the signatures of the
 * Stanford and Berkeley parsers).
 */
export function wordClasses(form: string, isFirst: boolean, suffix: number): string[] {
  const shape = shapeOf(form, isFirst);
  const letters = [...form.toLowerCase()];
  const most = Math.min(suffix, letters.length - 1);
  const endings = Array.from({ length: most }, (_, i) => `${shape} ${letters.slice(-1 - i).join('')}`);
  return [ALL_WORDS, shape, ...endings];
}

/**
 * How a word looks: its first character (a capital at the beginning of a sentence says little), whether there
 * are digits and hyphens in it. No shape is the empty string.
 */
function shapeOf(form: string, isFirst: boolean): string {
  let shape = 'other';
  if (/^\p{Lu}/u.test(form)) shape = isFirst && !/\p{Lu}/u.test(form.slice(1)) ? 'initial' : 'capital';
  else if (/\p{Lu}/u.test(form)) shape = 'mixed';
  else if (/\p{L}/u.test(form)) shape = 'lower';
  return shape + (/\d/.test(form) ? '+digit' : '') + (form.includes('-') ? '+hyphen' : '');
}
