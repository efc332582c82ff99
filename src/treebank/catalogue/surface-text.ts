/** How words of Penn-style text were written together before they were separated. */

const LEFT = new Set(['``', '-LRB-', '$', '#']);
const RIGHT = new Set([',', '.', "''", '-RRB-', 'POS']);
/**
 * Separated from the word before them by the tokeniser only: enclitics, the colon, semicolon and ellipsis.
 */
const CLITIC = /^(?:n[o']t|'(?:s|re|ve|ll|d|m)|[:;?!]|\.\.\.|%)$/i;
const NOT_AFTER_CAN = /^can$/i;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['-LRB-', '('],
  ['-RRB-', ')'],
  ['-LSB-', '['],
  ['-RSB-', ']'],
  ['-LCB-', '{'],
  ['-RCB-', '}'],
  ['``', '"'],
  ["''", '"'],
  ['`', "'"],
]);

/**
 * Whether a space stood after each word, to judge by Penn tags and forms (Penn tokenisation): entry d tells
 * of token d, and none stands after the last.
 *
 * @param forms the words, from index 1
 * @param tags their Penn tags, likewise
 */
export function spacesAfter(forms: readonly string[], tags: readonly string[]): boolean[] {
  return forms.map((form, d) => {
    const next = forms[d + 1];
    if (next === undefined || LEFT.has(tags[d]!) || RIGHT.has(tags[d + 1]!)) return false;
    return next === 'not' ? !NOT_AFTER_CAN.test(form) : !CLITIC.test(next);
  });
}

/** The text of a sentence, put together from its words, with Penn's escapes undone. */
export function surfaceText(forms: readonly string[], spaces: readonly boolean[]): string {
  const words = forms.map(
    (form, d) => (ESCAPES.get(form) ?? form.replace(/\\([/*])/g, '$1')) + (spaces[d] ? ' ' : ''),
  );
  return words.slice(1).join('');
}
