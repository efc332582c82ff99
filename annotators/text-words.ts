import { basename } from 'node:path';
import { checkFields } from '../src/checks.ts';
import { TextFile } from '../src/files/text-file.ts';
import { yieldToEvents } from '../src/threads/scheduling.ts';
import type { TreebankRecord } from '../src/training/about-model.ts';
import { TextWords } from '../src/training/skip-gram/text-words.ts';
import type { Tokenizer } from './annotator.ts';
import { tokenizeText } from './tokenize-file.ts';

export interface ReadWordsOptions {
  readonly encoding?: string | undefined;
  /** Splits the text into sentences of words. Absent: each line is a sentence, whose words a regular expression splits. */
  readonly tokenizer?: Tokenizer | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((words: number) => void) | undefined;
}

export type ReadWords = { readonly text: TextWords; readonly files: readonly TreebankRecord[] };

/** Reads the words of texts, gzip or not; throws `InputError` where one cannot be read. */
export async function readWords(
  paths: readonly string[],
  options: ReadWordsOptions = {},
): Promise<ReadWords> {
  const fields = ['encoding', 'tokenizer', 'signal', 'onProgress'] as const;
  checkFields<keyof ReadWordsOptions>('readWords', options, fields);
  const { encoding, tokenizer, signal, onProgress } = options;
  const text = new TextWords();
  const files: TreebankRecord[] = [];
  for (const path of paths) {
    const file = new TextFile(path, encoding);
    const lines = tokenizer === undefined ? plainLines(file) : sentences(file, tokenizer);
    for await (const some of lines) {
      for (const line of some) text.add(line);
      onProgress?.(text.count);
      await yieldToEvents(signal);
    }
    files.push({ file: basename(path), digest: file.digest });
  }
  return { text, files };
}

async function* plainLines(file: TextFile): AsyncGenerator<string[][]> {
  let rest = '';
  for await (const chunk of file.chunks()) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    yield lines.map(plainWords);
  }
  yield [plainWords(rest)];
}

async function* sentences(file: TextFile, tokenizer: Tokenizer): AsyncGenerator<string[][]> {
  const { normalization } = tokenizer;
  for await (const some of tokenizeText(file.chunks(), tokenizer, 'text', file.path))
    yield some.map(({ forms }) => forms.slice(1).map((form) => normalization?.word(form) ?? form));
}

/** The words of texts, sentence by sentence; without a tokenizer split by plain rules. */
export async function* textSentences(files: readonly TextFile[], tokenizer: Tokenizer | undefined) {
  for (const file of files) {
    if (tokenizer === undefined) yield* plainSentences(file.chunks());
    else for await (const some of sentences(file, tokenizer)) yield* some;
  }
}

/** Letters and digits, joined by hyphens and apostrophes, or digits by points and commas; several full stops; else one character. */
const WORD = /[\p{L}\p{M}\p{N}]+(?:[-'’][\p{L}\p{M}\p{N}]+|(?<=\p{N})[.,:]\p{N}+)*|\.{2,}|\S/gu;
const SOFT_HYPHENS = /\u00ad/g;
const SENTENCE_END = /^(?:[.!?…。！？]|\.{2,})$/u;
const CLOSING = /^["'”’»)\]]$/u;
const LOWER_CASE = /^\p{Ll}/u;
const INITIAL = /^\p{Lu}$/u;
/** Number of characters without a blank line after which a paragraph is cut. */
const LONGEST_PARAGRAPH = 1 << 16;

/** Splits a line of text into words and punctuation marks by a regular expression. */
export const plainWords = (line: string): string[] => line.replace(SOFT_HYPHENS, '').match(WORD) ?? [];

/** Splits running text into sentences of words by simple rules, for training on large texts; blank lines end paragraphs. */
export async function* plainSentences(chunks: AsyncIterable<string>): AsyncGenerator<string[]> {
  let rest = '';
  for await (const chunk of chunks) {
    const paragraphs = (rest + chunk).split(/\r?\n[ \t]*\r?\n/);
    rest = paragraphs.pop()!;
    if (rest.length > LONGEST_PARAGRAPH) {
      const end = rest.lastIndexOf(' ') + 1 || rest.length;
      paragraphs.push(rest.slice(0, end));
      rest = rest.slice(end);
    }
    for (const paragraph of paragraphs) yield* sentencesIn(paragraph);
  }
  yield* sentencesIn(rest);
}

function* sentencesIn(paragraph: string): Generator<string[]> {
  const text = paragraph.replace(SOFT_HYPHENS, '');
  let sentence: string[] = [];
  let isOver = false;
  let end = 0;
  for (const { 0: token, index } of text.matchAll(WORD)) {
    const follows = index === end;
    end = index + token.length;
    if (isOver && !CLOSING.test(token) && !follows && !LOWER_CASE.test(token)) {
      yield sentence;
      sentence = [];
    }
    if (!CLOSING.test(token))
      isOver = SENTENCE_END.test(token) && !(token === '.' && INITIAL.test(sentence.at(-1) ?? ''));
    sentence.push(token);
  }
  if (sentence.length > 0) yield sentence;
}
