import type { DependencyFormat } from '../../src/treebank/reading/format.ts';
import { readBatch } from '../../src/treebank/reading/read-batch.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { textOf } from '../../src/treebank/surface/surface-tokens.ts';
import { sentenceWords } from './words.ts';

/** A way to write sentences that are parsed. */
interface Output {
  /** The format in which the parser is to write them. */
  readonly format: DependencyFormat;
  /** Makes of that what is asked for. */
  readonly finish: (parsed: string) => string;
}

/** A space within a word, where spaces separate words: U+00A0. */
const NO_BREAK_SPACE = '\u00a0';

export const outputs = {
  conllu: { format: 'conllu', finish: (conllu) => conllu },
  /** Objects separated by commas. */
  json: { format: 'json', finish: (lines) => lines.trimEnd().replaceAll('\n', ',') },
  /** A sentence a line, its words separated by spaces. */
  horizontal: eachSentence(
    ({ forms }) =>
      `${forms
        .slice(1)
        .map((form) => form.replaceAll(' ', NO_BREAK_SPACE))
        .join(' ')}\n`,
  ),
  /** A word a line, a blank line after each sentence. */
  vertical: eachSentence(({ forms }) => `${forms.slice(1).join('\n')}\n\n`),
  /** The text as it was. */
  plaintext: eachSentence(textOf),
  /** A sentence a line, as it was written but for white space. */
  'plaintext=normalized_spaces': eachSentence(
    (sentence) => `${textOf(sentence).trim().replace(/\s+/g, ' ')}\n`,
  ),
} as const satisfies Record<string, Output>;

export type OutputName = keyof typeof outputs;

/** Writes a text for each sentence. */
function eachSentence(write: (sentence: Sentence) => string): Output {
  const finish = (text: string) => {
    const { batch, format } = sentenceWords(text, 'conllu');
    return [...readBatch(batch, { format, expect: 'tokens', skipInvalid: false })].map(write).join('');
  };
  return { format: 'conllu', finish };
}
