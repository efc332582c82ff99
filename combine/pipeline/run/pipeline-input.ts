import type { TextLayout, Tokenizer } from '../../../annotators/annotator.ts';
import type { ParseFileOptions, SentenceSource } from '../../../parsers/run/parse-file.ts';
import { OptionError, type OptionStyle } from '../../../src/errors.ts';
import type { TextStart } from '../../../src/files/text-file.ts';
import { isBlank, isComment, lineAfter } from '../../../src/treebank/reading/batches.ts';
import { TreebankText } from '../../../src/treebank/reading/treebank-file.ts';
import type { KeepName } from '../sentence-annotation.ts';
import type { InputKind } from './input-kinds.ts';
import { tokenizedText } from './tokenized-text.ts';

export interface InputOptions extends Pick<ParseFileOptions, 'format' | 'skipInvalid'> {
  /** What the input is; by default what its first line shows, and sentences where there is no tokenizer. */
  readonly input?: InputKind | undefined;
  /** Of the annotation that sentences have, what stays as it is; the rest is filled anew. */
  readonly keep?: readonly KeepName[] | undefined;
}

/** The sentences of an input: as they are, or as the tokenizer finds them in text. */
export async function sentencesOf(
  start: TextStart,
  tokenizer: Tokenizer | undefined,
  options: InputOptions,
): Promise<SentenceSource> {
  const { input, format } = options;
  const isKnown = tokenizer === undefined || format !== undefined;
  const kind = input ?? (isKnown ? 'conllu' : await kindOf(start));
  if (kind === 'conllu') return TreebankText.open(start, format);
  if (tokenizer === undefined) {
    throw new OptionError((option) => `${option('input', kind)}: the pipeline has no tokenizer`);
  }
  checkTextOptions(kind, options);
  return tokenizedText(start, tokenizer, kind);
}

/** Options for sentences have nothing to say about text. */
function checkTextOptions(kind: TextLayout, { format, skipInvalid, keep = [] }: InputOptions): void {
  const refuse = (say: (option: OptionStyle) => string) => {
    throw new OptionError(say);
  };
  if (format !== undefined)
    refuse((option) => `${option('format', format)}: not with ${option('input', kind)}`);
  if (skipInvalid) refuse((option) => `${option('skipInvalid')}: there are no malformed sentences in a text`);
  if (keep.length > 0) refuse((option) => `${option('keep', keep)}: there is nothing to keep in a text`);
}

/** Characters that are read to see what a text is, and those of a line by which it is seen. */
const HEAD = 1 << 12;
const LINE = 32;

/** Sentences, where the first line that is neither blank nor a comment begins with a token's number and a tab. */
async function kindOf(start: TextStart): Promise<InputKind> {
  await start.read(HEAD, (head) => firstLine(head) + LINE <= head.length);
  const at = firstLine(start.head);
  return /^\ufeff?\d+([-.]\d+)?\t/.test(start.head.slice(at, at + LINE)) ? 'conllu' : 'text';
}

/** Where the first line begins that is neither blank nor a comment; the text's end where there is none. */
function firstLine(text: string): number {
  let at = 0;
  while (at < text.length && (isBlank(text, at) || isComment(text, at))) at = lineAfter(text, at);
  return at;
}
