import { InputError } from '../../errors.ts';
import { TextFile } from '../../files/text/text-file.ts';
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

/**
 * Characters by which the format is recognised, if they hold a whole token line; it is not looked for beyond
 * the second number.
 */
const HEAD = 1 << 15;
const LONGEST_HEAD = 1 << 24;

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
  readonly #file: TextFile;
  readonly #start: TextStart;

  private constructor(file: TextFile, start: TextStart, reading: ReadingOptions) {
    this.name = file.path;
    this.format = reading.format;
    this.encoding = file.encoding;
    this.reading = reading;
    this.#file = file;
    this.#start = start;
  }

  /** See `openTreebank`. */
  static async open(path: string, options: TreebankOptions): Promise<TreebankFile> {
    const file = new TextFile(path, options.encoding, options.digest);
    const start = await TextStart.of(file);
    const format = options.format ?? detectFormat(start.head, path);
    return new TreebankFile(file, start, { ...options, expect: options.expect ?? 'trees', format });
  }

  get digest(): string | undefined {
    return this.#file.digest;
  }

  get isReadOnce(): boolean {
    return !this.#file.isRepeatable;
  }

  /**
   * The text in batches of whole sentences, about `size` characters each, for `readBatch` in a worker.
   *
   * @throws InputError where the text has no sentences
   */
  async *batches(size?: number): AsyncGenerator<TextBatch> {
    let isEmpty = true;
    for await (const batch of textBatches(this.#start.chunks(this.#file), this.name, this.format, size)) {
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

/**
 * The beginning of a text, read to recognise its format. Standard input and pipes cannot be read again: they
 * go on from there.
 */
class TextStart {
  readonly head: string;
  #rest: AsyncGenerator<string> | undefined;

  private constructor(head: string, rest: AsyncGenerator<string> | undefined) {
    this.head = head;
    this.#rest = rest;
  }

  static async of(file: TextFile): Promise<TextStart> {
    const chunks = file.chunks();
    let head = '';
    let goal = HEAD;
    for (;;) {
      const { value, done } = await chunks.next();
      if (done) break;
      head += value;
      if (head.length < goal) continue;
      if (head.length > LONGEST_HEAD || hasWholeTokenLine(head)) break;
      // Twice as much before the next look, so that a line of any length is looked at in linear time.
      goal = 2 * head.length;
    }
    if (/^\s*$/.test(head)) throw new InputError('no sentences', { file: file.path });
    if (!file.isRepeatable) return new TextStart(head, chunks);
    await chunks.return(undefined);
    return new TextStart(head, undefined);
  }

  async *chunks(file: TextFile): AsyncGenerator<string> {
    const rest = this.#rest;
    this.#rest = undefined;
    if (rest === undefined) return yield* file.chunks();
    yield this.head;
    yield* rest;
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
