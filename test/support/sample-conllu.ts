import type { TreebankPart } from '../../src/treebank/catalogue.ts';
import { formatSentence } from '../../src/treebank/columns/write.ts';
import { parseBrackets } from '../../src/treebank/phrases/brackets.ts';
import { dependenciesOfPhrases } from '../../src/treebank/phrases/dependencies.ts';

/**
 * The CoNLL-U file of a part of the treebank in `data/sample`, which was written for this project. Traces are resolved
 * in its dependencies; comments give the id, register and text of each sentence.
 *
 * @param registers lines of `sent_id`, tab and register, in the order of the trees; lines of other parts are ignored
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

const LEFT = new Set(['``', '-LRB-', '$', '#']);
const RIGHT = new Set([',', '.', "''", '-RRB-', 'POS']);
/** Words that follow the one before without a space: enclitics, colon, semicolon, ellipsis and so on. */
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

/** Whether a space follows each word, judging by Penn tags and forms; entry d is for token d, counted from 1. */
export function spacesAfter(forms: readonly string[], tags: readonly string[]): boolean[] {
  return forms.map((form, d) => {
    const next = forms[d + 1];
    if (next === undefined || LEFT.has(tags[d]!) || RIGHT.has(tags[d + 1]!)) return false;
    return next === 'not' ? !NOT_AFTER_CAN.test(form) : !CLITIC.test(next);
  });
}

export function surfaceText(forms: readonly string[], spaces: readonly boolean[]): string {
  const words = forms.map(
    (form, d) => (ESCAPES.get(form) ?? form.replace(/\\([/*])/g, '$1')) + (spaces[d] ? ' ' : ''),
  );
  return words.slice(1).join('');
}
