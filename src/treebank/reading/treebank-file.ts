import { InputError } from '../../errors.ts';
import { TextFile } from '../../files/text/text-file.ts';
import { TextStart } from '../../files/text/text-start.ts';
import type { Sentence, Treebank } from '../sentence.ts';
import { isBlank, isComment, lineAfter, type TextBatch, textBatches } from './blocks.ts';
import { detectFormat, type TreebankFormat } from './format.ts';
import { readBatch } from './read-batch.ts';
import type { Expectation, ReadingOptions } from './reading-options.ts';

export interface TreebankOptions extends Omit<ReadingOptions, 'format' | 'expect'> {
  /** Recognised from the first lines where it is not given. */
  readonly format?: TreebankFormat | undefined;
  /** What the heads must be; `trees` where it is not given. */
  readonly expect?: Expectation | undefined;
  /** The file's character encoding; UTF-8 by default. */
  readonly encoding?: string | undefined;
  /** Whether a pass over the file finds its digest; true where it is not given. */
  readonly digest?: boolean | undefined;
}

/** Characters by which the format is recognised, if they hold a whole token line. */
const HEAD = 1 << 15;

/**
 * Opens a treebank: a file, gzip-compressed or not, or standard input (`-`). Its format is recognised from
 * its first lines unless it is given.
 *
 * @param path of the file, or its text whose beginning has been looked at
 * @throws InputError where the file cannot be read, has no sentences, or its format is not recognised
 * @throws UsageError for an unknown encoding
 */
export function openTreebank(path: string | TextStart, options: TreebankOptions = {}): Promise<TreebankFile> {
  const { encoding, digest } = options;
  const start = typeof path === 'string' ? new TextStart(new TextFile(path, encoding, digest)) : path;
  return TreebankFile.open(start, options);
}

/**
 * A treebank in a file: any number of passes over its sentences (one, over standard input), one batch in
 * memory at a time.
 */
export class TreebankFile implements Treebank {
  readonly name: string;
  readonly format: TreebankFormat;
  readonly encoding: string;
  /** How the text is read; `onSkip` apart it can be sent to a worker, for `readBatch`. */
  readonly reading: ReadingOptions;
  /** Sentences left out in the pass begun last. */
  skipped = 0;
  readonly #start: TextStart;

  private constructor(start: TextStart, reading: ReadingOptions) {
    const { file } = start;
    this.name = file.path;
    this.format = reading.format;
    this.encoding = file.encoding;
    this.reading = reading;
    this.#start = start;
  }

  /** See `openTreebank`. */
  static async open(start: TextStart, options: TreebankOptions): Promise<TreebankFile> {
    await start.read(HEAD, hasWholeTokenLine);
    const { path } = start.file;
    if (/^\s*$/.test(start.head)) throw new InputError('no sentences', { file: path });
    const format = options.format ?? detectFormat(start.head, path);
    return new TreebankFile(start, { ...options, expect: options.expect ?? 'trees', format });
  }

  get digest(): string | undefined {
    return this.#start.file.digest;
  }

  get isReadOnce(): boolean {
    return !this.#start.file.isRepeatable;
  }

  /**
   * The text in batches of whole sentences, about `size` characters each, for `readBatch` in a worker.
   *
   * @throws InputError where the text has no sentences
   */
  async *batches(size?: number): AsyncGenerator<TextBatch> {
    let isEmpty = true;
    for await (const batch of textBatches(this.#start.chunks(), this.name, this.format, size)) {
      isEmpty = false;
      yield batch;
    }
    if (isEmpty) throw new InputError('no sentences', { file: this.name });
  }

  /**
   * Throws `InputError` at the first invalid sentence unless these are skipped, and where no sentence is
   * left.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Sentence> {
    let count = 0;
    this.skipped = 0;
    const onSkip = (error: InputError): void => {
      this.skipped++;
      this.reading.onSkip?.(error);
    };
    const reading = { ...this.reading, onSkip };
    for await (const batch of this.batches()) {
      for (const sentence of readBatch(batch, reading)) {
        count++;
        yield sentence;
      }
    }
    if (count === 0)
      throw new InputError(`no valid sentences, ${this.skipped} malformed`, { file: this.name });
  }
}

function hasWholeTokenLine(text: string): boolean {
  let next: number;
  for (let start = 0; start < text.length; start = next) {
    next = lineAfter(text, start);
    if (!isBlank(text, start) && !isComment(text, start)) return text[next - 1] === '\n';
  }
  return false;
}
