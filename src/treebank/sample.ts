import type { TreebankPart } from './catalogue.ts';
import { formatSentence } from './columns/write.ts';
import { parseBrackets } from './phrases/brackets.ts';
import { dependenciesOfPhrases } from './phrases/dependencies.ts';

/** Makes the CoNLL-U files of the treebank in `data/sample`, which was written for this project, from its brackets. */

/**
 * The CoNLL-U file of a part of the sample: dependencies with traces resolved, and for each sentence its
 * number, register and text as comments, words written together as `SpaceAfter=No`.
 *
 * @param brackets the part's bracketed trees
 * @param registers lines of `sent_id`, tab, register, in the order of the trees; the other parts' lines are passed over
 * @throws InputError where the brackets are malformed
 */
export function sampleConllu(part: TreebankPart, brackets: string, registers: string): string {
  const names = registers
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([id]) => id!.startsWith(`sample-${part}-`));
  const place = { file: `${part}.mrg`, line: 1 };
  const sentences = Array.from(parseBrackets(brackets, place), ({ tree, source }, i) => {
    const [id, register] = names[i]!;
    const sentence = dependenciesOfPhrases(tree, { traces: 'resolve', place: source });
    const spaces = spacesAfter(sentence.forms, sentence.xpos);
    const misc = spaces.map((space, d) =>
      space || d === 0 || d === sentence.length ? '_' : 'SpaceAfter=No',
    );
    const text = surfaceText(sentence.forms, spaces);
    const comments = `# sent_id = ${id}\n# register = ${register}\n# text = ${text}\n`;
    return comments + formatSentence({ ...sentence, misc }, 'conllu');
  });
  return sentences.join('');
}

/** How words of Penn-style text were written together before they were separated. */

const LEFT = new Set(['``', '-LRB-', '$', '#']);
const RIGHT = new Set([',', '.', "''", '-RRB-', 'POS']);
/** Separated from the word before them by the tokeniser only: enclitics, the colon, semicolon and ellipsis. */
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
 * Whether a space followed each word, judging by Penn tags and forms (Penn tokenisation): entry d is for token d; the
 * last has none.
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
