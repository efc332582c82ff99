import type { TextLayout } from '../../annotators/annotator.ts';
import { NO_FILE } from '../../src/errors.ts';
import type { DependencyFormat, TreebankFormat } from '../../src/treebank/reading/format.ts';
import { readBatch } from '../../src/treebank/reading/treebank-file.ts';
import type { Sentence, TextBatch } from '../../src/treebank/sentence.ts';
import { textOf } from '../../src/treebank/surface.ts';

export interface TextInput {
  readonly text: string;
  readonly layout: TextLayout;
  /** Whether MISC gets each token's position in the text (`TokenRange`). */
  readonly ranges?: boolean | undefined;
  readonly confidence?: boolean | undefined;
}

export interface SentenceInput {
  readonly batch: TextBatch;
  readonly format: TreebankFormat;
  /**
   * Whether a tokenizer or a conversion made the sentences: one that a step refuses is then answered without a tree,
   * instead of refusing the request.
   */
  readonly isText?: boolean | undefined;
  /** The number of the first sentence, for messages, where a conversion made them. */
  readonly first?: number | undefined;
}

/** Characters of CoNLL-U per task, unless a sentence is longer: about 10 ms of work. */
export const SLICE = 1 << 13;

export type RequestInput = TextInput | SentenceInput;

/** Adds the final line break and blank line if they are missing, so that answers have both. */
export function sentenceInput(text: string, format: TreebankFormat): SentenceInput {
  return { batch: { file: NO_FILE, line: 1, text: text + missingEnd(text) }, format };
}

function missingEnd(text: string): string {
  if (text === '' || text.endsWith('\n\n') || text.endsWith('\n\r\n')) return '';
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  return text.endsWith('\n') ? lineEnd : lineEnd + lineEnd;
}

export const charactersOf = (input: RequestInput): number =>
  'batch' in input ? input.batch.text.length : input.text.length;

interface Output {
  readonly format: DependencyFormat;
  readonly finish: (parsed: string) => string;
}

/** Replaces a space within a word in formats that separate words by spaces: U+00A0. */
export const NO_BREAK_SPACE = '\u00a0';

export const outputs = {
  conllu: { format: 'conllu', finish: (conllu) => conllu },
  json: { format: 'json', finish: (lines) => lines.trimEnd().replaceAll('\n', ',') },
  horizontal: eachSentence(({ forms }) => {
    const words = forms.slice(1).map((form) => form.replaceAll(' ', NO_BREAK_SPACE));
    return `${words.join(' ')}\n`;
  }),
  /** One word per line, a blank line after each sentence. */
  vertical: eachSentence(({ forms }) => `${forms.slice(1).join('\n')}\n\n`),
  plaintext: eachSentence(textOf),
  'plaintext=normalized_spaces': eachSentence(
    (sentence) => `${textOf(sentence).trim().replace(/\s+/g, ' ')}\n`,
  ),
} as const satisfies Record<string, Output>;

export type OutputName = keyof typeof outputs;

function eachSentence(write: (sentence: Sentence) => string): Output {
  const finish = (text: string) => {
    const { batch, format } = sentenceInput(text, 'conllu');
    return [...readBatch(batch, { format, expect: 'tokens', skipInvalid: false })].map(write).join('');
  };
  return { format: 'conllu', finish };
}
