import { digestOf } from '../../digest.ts';
import type { HeaderFields } from '../../model/header-fields.ts';
import type { ModelReader } from '../../model/model-reader.ts';
import type { ModelWriter } from '../../model/model-writer.ts';
import { lengthened } from '../../typed-arrays.ts';
import { NgramTable } from './ngram-table.ts';
import { LINE_END, WordIndex } from './word-index.ts';

/** Vectors of words. */
export interface WordVectors {
  readonly dimensions: number;
  /** Writes the vector of a form from `at` on; returns false, and writes nothing, for a form without one. */
  fill(form: string, out: Float32Array, at: number): boolean;
}

export const MOST_DIMENSIONS = 4096;
export const MOST_WORDS = 10_000_000;
/** The largest number of a quantized row. */
const LARGEST = 127;
/** Initial size of a table whose number of words is not known: untouched pages use no physical memory. */
const FIRST_BYTES = 2 ** 30;
/** The root mean square to which the numbers of a table are scaled. */
const MEAN_SIZE = 0.4;

/** The vectors of many words: rows of 8-bit numbers, each with a scale. */
export class VectorTable implements WordVectors {
  constructor(
    readonly dimensions: number,
    private readonly words: WordIndex,
    /** words × dimensions. */
    private readonly rows: Int8Array,
    private readonly scales: Float32Array,
    /** Vectors of n-grams, for other words. */
    private readonly ngrams?: NgramTable,
  ) {}

  /** Opens the sections of a table; throws `InputError` if they do not fit its header's fields. */
  static load(model: ModelReader, name: string, fields: HeaderFields): VectorTable {
    const dimensions = fields.integer('dimensions', 1, MOST_DIMENSIONS);
    const words = fields.integer('words', 1, MOST_WORDS);
    const rows = model.section(`${name}.rows`, 'int8', { length: words * dimensions });
    const scales = model.section(`${name}.scales`, 'float32', { length: words, finite: 'scales' });
    const index = new WordIndex(model.section(`${name}.words`, 'uint8'));
    if (index.size !== words) model.refuse(`section ${name}.words: ${index.size} words, expected ${words}`);
    const ngrams = fields.has('ngrams')
      ? NgramTable.load(model, `${name}.ngrams`, fields.fields('ngrams'), dimensions)
      : undefined;
    return new VectorTable(dimensions, index, rows, scales, ngrams);
  }

  /** Writes its sections; returns the header's fields. */
  save(model: ModelWriter, name: string): { dimensions: number; words: number; ngrams?: object | undefined } {
    model.section(`${name}.rows`, this.rows);
    model.section(`${name}.scales`, this.scales);
    model.section(`${name}.words`, this.words.bytes);
    const ngrams = this.ngrams?.save(model, `${name}.ngrams`);
    return { dimensions: this.dimensions, words: this.words.size, ngrams };
  }

  /** Identifies words and numbers. */
  get digest(): string {
    const own = [this.words.bytes, this.rows, this.scales];
    if (this.ngrams === undefined) return digestOf(own);
    const { subwords, buckets, rows, scales } = this.ngrams;
    return digestOf([...own, JSON.stringify(subwords.settings), buckets, rows, scales]);
  }

  get size(): number {
    return this.words.size;
  }

  wordAt(number: number): string {
    return this.words.wordAt(number);
  }

  /** The first `count` words, and the n-grams that several words of this table share. */
  limited(count: number): VectorTable {
    const words = this.words.first(count);
    const rows = this.rows.subarray(0, words.size * this.dimensions);
    const all = Array.from({ length: this.size }, (_, number) => this.wordAt(number));
    const ngrams = this.ngrams?.sharedBy(all, this.dimensions);
    return new VectorTable(this.dimensions, words, rows, this.scales.subarray(0, words.size), ngrams);
  }

  /** Writes the vector of a word by its number. */
  fillRow(number: number, out: Float32Array, at: number): void {
    const { rows, scales, dimensions } = this;
    const start = number * dimensions;
    for (let i = 0; i < dimensions; i++) out[at + i] = scales[number] * rows[start + i];
  }

  has(form: string): boolean {
    return this.words.numberOf(form) !== -1 || this.words.numberOf(form.toLowerCase()) !== -1;
  }

  /** Looks up the form, then its lower case, then the form's n-grams. */
  fill(form: string, out: Float32Array, at: number): boolean {
    const { words, dimensions } = this;
    let number = words.numberOf(form);
    if (number === -1) number = words.numberOf(form.toLowerCase());
    if (number === -1) return this.ngrams?.fill(form, out, at, dimensions) ?? false;
    this.fillRow(number, out, at);
    return true;
  }
}

/** Fills a row of 8-bit numbers; returns its scale. */
export function quantizeRow(row: Int8Array, numbers: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < row.length; i++) largest = Math.max(largest, Math.abs(numbers[i]));
  const factor = largest === 0 ? 0 : LARGEST / largest;
  for (let i = 0; i < row.length; i++) row[i] = Math.round(factor * numbers[i]);
  return largest / LARGEST;
}

/** Collects words and their vectors, which it quantizes. */
export class TableBuilder {
  private rows: Int8Array;
  private scales: Float32Array;
  private words = new Uint8Array(1 << 16);
  private wordBytes = 0;
  private count = 0;
  private squares = 0;

  /** @param most maximum number of words */
  constructor(
    readonly dimensions: number,
    private readonly most: number,
  ) {
    const capacity = Math.min(most, Math.floor(FIRST_BYTES / dimensions));
    this.rows = new Int8Array(capacity * dimensions);
    this.scales = new Float32Array(capacity);
  }

  get size(): number {
    return this.count;
  }

  get isFull(): boolean {
    return this.count === this.most;
  }

  /** @param word without a line end */
  add(word: Uint8Array, numbers: ArrayLike<number>): void {
    const { dimensions, count } = this;
    if (count === this.scales.length) this.grow();
    for (let i = 0; i < dimensions; i++) this.squares += numbers[i] * numbers[i];
    this.scales[count] = quantizeRow(
      this.rows.subarray(count * dimensions, (count + 1) * dimensions),
      numbers,
    );
    this.addWord(word);
    this.count++;
  }

  private grow(): void {
    const capacity = Math.min(this.most, 2 * this.count);
    this.rows = lengthened(this.rows, capacity * this.dimensions);
    this.scales = lengthened(this.scales, capacity);
  }

  private addWord(word: Uint8Array): void {
    const end = this.wordBytes + word.length + 1;
    if (end > this.words.length) this.words = lengthened(this.words, 2 * end);
    this.words.set(word, this.wordBytes);
    this.words[end - 1] = LINE_END;
    this.wordBytes = end;
  }

  /** The table; scales words and n-grams to the common root mean square of the words' numbers. */
  table(ngrams?: NgramTable): VectorTable {
    const { dimensions, count, squares } = this;
    const scales = this.scales.subarray(0, count);
    const factor = squares === 0 ? 1 : MEAN_SIZE / Math.sqrt(squares / (count * dimensions));
    for (let i = 0; i < count; i++) scales[i] *= factor;
    for (const i of ngrams?.scales.keys() ?? []) ngrams!.scales[i] *= factor;
    const index = new WordIndex(this.words.subarray(0, this.wordBytes));
    return new VectorTable(dimensions, index, this.rows.subarray(0, count * dimensions), scales, ngrams);
  }
}
