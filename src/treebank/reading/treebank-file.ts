import { InputError } from '../../errors.ts';
import { TextFile } from '../../files/text/text-file.ts';
import { TextStart } from '../../files/text/text-start.ts';
import type { Sentence, Treebank } from '../sentence.ts';
import type { TextBatch } from './blocks.ts';
import type { TreebankFormat } from './format.ts';
import { readBatch } from './read-batch.ts';
import type { Expectation, ReadingOptions } from './reading-options.ts';
import { TreebankText } from './treebank-text.ts';

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

/**
 * Opens a treebank: a file, gzip-compressed or not, or standard input (`-`). Its format is recognised from
 * its first lines unless it is given.
 *
 * @throws InputError where the file cannot be read, has no sentences, or its format is not recognised
 * @throws UsageError for an unknown encoding
 */
export function openTreebank(path: string, options: TreebankOptions = {}): Promise<TreebankFile> {
  return TreebankFile.open(path, options);
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
  private readonly text: TreebankText;

  private constructor(text: TreebankText, reading: ReadingOptions) {
    this.name = text.name;
    this.format = text.format;
    this.encoding = text.file.encoding;
    this.reading = reading;
    this.text = text;
  }

  /** See `openTreebank`. */
  static async open(path: string, options: TreebankOptions): Promise<TreebankFile> {
    const { encoding, digest, format, expect = 'trees' } = options;
    const text = await TreebankText.open(new TextStart(new TextFile(path, encoding, digest)), format);
    return new TreebankFile(text, { ...options, expect, format: text.format });
  }

  get digest(): string | undefined {
    return this.text.file.digest;
  }

  get isReadOnce(): boolean {
    return !this.text.file.isRepeatable;
  }

  /**
   * The text in batches of whole sentences, about `size` characters each, for `readBatch` in a worker.
   *
   * @throws InputError where the text has no sentences
   */
  batches(size?: number): AsyncGenerator<TextBatch> {
    return this.text.batches(size);
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
