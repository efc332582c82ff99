import { basename } from 'node:path';
import { checkFields } from '../src/checks.ts';
import { TextFile } from '../src/files/text-file.ts';
import { yieldToEvents } from '../src/threads/scheduling.ts';
import type { TreebankRecord } from '../src/training/about-model.ts';
import { plainSentences, plainWords } from '../src/training/encoder/plain-text.ts';
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
