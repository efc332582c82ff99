import { inAscii } from '../text-normalization.ts';
import { namedForm } from './phrase-tree.ts';

/** The Penn Treebank's spelling of marks, which is tried before the ASCII spelling of other treebanks. */
const PENN: ReadonlyMap<string, string> = new Map([
  ...Array.from('“„«', (mark) => [mark, '``'] as const),
  ...Array.from('”‟»', (mark) => [mark, "''"] as const),
  ...Array.from('–—―', (mark) => [mark, '--'] as const),
  ['‘', '`'],
]);
const QUOTES: ReadonlySet<string> = new Set(['``', "''"]);

/**
 * Returns words in the spelling of the training trees. A word that does not occur there is replaced by the first of its
 * other spellings that does: `-LRB-` for `(`, `` or '' for " and for typographic quotation marks, 's for ’s.
 * @param forms the words of a sentence, in their order
 */
export function knownForms(forms: readonly string[], isKnown: (form: string) => boolean): string[] {
  let isInQuotes = false;
  return forms.map((form, i) => {
    // A mark at the end of a sentence closes a quotation that an earlier one opened.
    const quote = form === '"' ? (isInQuotes || i === forms.length - 1 ? "''" : '``') : PENN.get(form);
    if (QUOTES.has(quote ?? form)) isInQuotes = (quote ?? form) === '``';
    if (isKnown(form)) return form;
    const ascii = QUOTES.has(form) ? '"' : inAscii.word(form);
    return [quote, ascii, namedForm(form)].find((one) => one !== undefined && isKnown(one)) ?? form;
  });
}
