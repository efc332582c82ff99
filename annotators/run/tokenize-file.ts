import { InputError } from '../../src/errors.ts';
import { AtomicFile } from '../../src/files/atomic-file.ts';
import { TextFile } from '../../src/files/text-file.ts';
import { formatSentence } from '../../src/treebank/columns/write.ts';
import { writtenEncoding } from '../../src/treebank/reading/format.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import type { TextLayout, Tokenizer } from '../annotator.ts';

/** Characters that are cut before what was found in them is written: few, so that it does not grow old in memory. */
const SLICE = 1 << 13;

export interface TokenizeFileOptions {
  /** How the text is cut already; by default not at all. */
  readonly layout?: TextLayout | undefined;
  /** Of the text; CoNLL-U is UTF-8. */
  readonly encoding?: string | undefined;
  /** Told now and then how many sentences have been found. */
  readonly onProgress?: ((sentences: number) => void) | undefined;
}

export interface TokenizeFigures {
  readonly sentences: number;
  readonly words: number;
}

/**
 * Cuts a text file (`-` is standard input) into sentences and words, and writes them as CoNLL-U, from which the
 * text can be had back character by character. Reads and writes at the same time, in bounded memory; the
 * output appears as a whole when all is done, or not at all.
 *
 * @throws InputError where the text cannot be read, or there is none
 */
export async function tokenizeFile(
  tokenizer: Tokenizer,
  input: string,
  output: string,
  { layout = 'text', encoding, onProgress }: TokenizeFileOptions = {},
): Promise<TokenizeFigures> {
  const text = new TextFile(input, encoding, false);
  const file = await AtomicFile.create(output, { encoding: writtenEncoding('text', 'conllu', encoding) });
  try {
    const figures = { sentences: 0, words: 0 };
    for await (const sentences of cutText(text.chunks(), tokenizer, layout, input)) {
      for (const { length } of sentences) figures.words += length;
      figures.sentences += sentences.length;
      await file.write(sentences.map((sentence) => formatSentence(sentence, 'conllu')).join(''));
      onProgress?.(figures.sentences);
    }
    if (figures.sentences === 0) throw new InputError('no text, but white space at most', { file: input });
    await file.commit();
    return figures;
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/**
 * The sentences of a text, in bounded memory: some at a time, as soon as they are known.
 *
 * @param file what to call the text
 */
export async function* cutText(
  chunks: AsyncIterable<string>,
  tokenizer: Tokenizer,
  layout: TextLayout,
  file: string,
): AsyncGenerator<Sentence[]> {
  const stream = tokenizer.open(layout, file);
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += SLICE) yield stream.push(chunk.slice(at, at + SLICE));
  }
  yield stream.end();
}
