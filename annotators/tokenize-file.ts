import { checkFields } from '../src/checks.ts';
import { InputError, UsageError } from '../src/errors.ts';
import { AtomicFile } from '../src/files/atomic-file.ts';
import { withoutMark } from '../src/files/decoding.ts';
import { TextFile } from '../src/files/text-file.ts';
import { formatSentence } from '../src/treebank/columns/write.ts';
import { writtenEncoding } from '../src/treebank/reading/format.ts';
import type { Sentence, TextBatch } from '../src/treebank/sentence.ts';
import type { StreamOptions, TextLayout, Tokenizer } from './annotator.ts';

/** Characters tokenized at a time: few, so that sentences stay in the young generation of the garbage collector. */
const SLICE = 1 << 13;

export interface TokenizeFileOptions {
  /** Layout of the text; default: running text. */
  readonly layout?: TextLayout | undefined;
  /** Encoding of the text; the output is UTF-8. */
  readonly encoding?: string | undefined;
  /** Write the confidence of each token into MISC: `TokenConfidence=0.987`. */
  readonly confidence?: boolean | undefined;
  readonly onProgress?: ((sentences: number) => void) | undefined;
}

export type TokenizeFigures = { readonly sentences: number; readonly words: number };

/**
 * Splits a text file (`-`: standard input) into sentences and words, in bounded memory, as CoNLL-U from which the text can be
 * restored, apart from a byte-order mark. The output appears as a whole at the end, or not at all. Throws `InputError`, also for an empty text.
 */
export async function tokenizeFile(
  tokenizer: Tokenizer,
  input: string,
  output: string,
  options: TokenizeFileOptions = {},
): Promise<TokenizeFigures> {
  const fields = ['layout', 'encoding', 'confidence', 'onProgress'] as const;
  checkFields<keyof TokenizeFileOptions>('tokenizeFile', options, fields);
  if (typeof tokenizer?.open !== 'function') throw new UsageError('tokenizeFile takes a tokenizer');
  const { layout = 'text', encoding, confidence, onProgress } = options;
  const text = withoutMark(new TextFile(input, encoding, false).chunks());
  const fill = async (file: AtomicFile) => {
    const figures = { sentences: 0, words: 0 };
    for await (const sentences of tokenizeText(text, tokenizer, layout, input, { confidence })) {
      for (const { length } of sentences) figures.words += length;
      figures.sentences += sentences.length;
      await file.write(sentences.map((sentence) => formatSentence(sentence, 'conllu')).join(''));
      onProgress?.(figures.sentences);
    }
    if (figures.sentences === 0) throw new InputError('no text, but white space', { file: input });
    return figures;
  };
  const written = writtenEncoding('text', 'conllu', encoding);
  return AtomicFile.writeWhole(output, fill, { encoding: written, inputs: [input] });
}

/** Streams the sentences of a text in bounded memory; `file` names the text in messages. */
export async function* tokenizeText(
  chunks: AsyncIterable<string>,
  tokenizer: Tokenizer,
  layout: TextLayout,
  file: string,
  options?: StreamOptions,
): AsyncGenerator<Sentence[]> {
  const stream = tokenizer.open(layout, file, options);
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += SLICE) yield stream.push(chunk.slice(at, at + SLICE));
  yield stream.end();
}

/** Groups the sentences of a tokenizer into batches of about `size` characters of CoNLL-U. */
export class SentenceBatches {
  count = 0;
  private waiting: Sentence[] = [];
  private characters = 0;

  constructor(
    private readonly file: string,
    private readonly size: number,
  ) {}

  *add(sentences: readonly Sentence[]): Generator<TextBatch> {
    for (const sentence of sentences) {
      this.waiting.push(sentence);
      this.characters += sentence.source!.text.length;
      if (this.characters >= this.size) yield* this.end();
    }
  }

  *end(): Generator<TextBatch> {
    const { file, waiting: sentences } = this;
    if (sentences.length === 0) return;
    this.waiting = [];
    this.characters = 0;
    this.count++;
    const text = sentences.map(({ source }) => source!.text).join('');
    yield { file, line: sentences[0].source!.line, text, sentences };
  }
}
