import { createHash } from 'node:crypto';
import type { HeaderFields } from '../../model/header-fields.ts';
import type { ModelReader } from '../../model/model-reader.ts';
import type { ModelWriter } from '../../model/model-writer.ts';
import { LINE_END, WordIndex } from './word-index.ts';
import type { WordVectors } from './word-vectors.ts';

export const MOST_DIMENSIONS = 4096;
export const MOST_WORDS = 10_000_000;

/** The largest number of a quantized row. */
const LARGEST = 127;

/** The root mean square of the numbers of a table, whatever program made them. */
const MEAN_SIZE = 0.4;

/** Vectors of many words as a model holds them: rows of 8-bit numbers, each with a scale. */
export class VectorTable implements WordVectors {
  constructor(
    readonly dimensions: number,
    private readonly words: WordIndex,
    /** words × dimensions. */
    private readonly rows: Int8Array,
    private readonly scales: Float32Array,
  ) {}

  /** Opens the sections of a part of a model; throws `InputError` where they do not fit its header's fields. */
  static load(model: ModelReader, name: string, fields: HeaderFields): VectorTable {
    const dimensions = fields.integer('dimensions', 1, MOST_DIMENSIONS);
    const words = fields.integer('words', 1, MOST_WORDS);
    const rows = model.section(`${name}.rows`, 'int8', { length: words * dimensions });
    const scales = model.section(`${name}.scales`, 'float32', { length: words });
    if (!scales.every(Number.isFinite))
      model.refuse(`section ${name}.scales has scales that are not finite numbers`);
    const bytes = model.section(`${name}.words`, 'uint8');
    const index = new WordIndex(bytes);
    if (index.size !== words) model.refuse(`section ${name}.words: ${index.size} words, expected ${words}`);
    return new VectorTable(dimensions, index, rows, scales);
  }

  /** Writes its sections; returns the header's fields. */
  save(model: ModelWriter, name: string): { dimensions: number; words: number } {
    model.section(`${name}.rows`, this.rows);
    model.section(`${name}.scales`, this.scales);
    model.section(`${name}.words`, this.words.bytes);
    return { dimensions: this.dimensions, words: this.words.size };
  }

  /** Identifies words and numbers. */
  get digest(): string {
    const hash = createHash('sha256');
    for (const part of [this.words.bytes, this.rows, this.scales]) hash.update(part);
    return hash.digest('hex');
  }

  has(form: string): boolean {
    return this.words.numberOf(form) !== -1 || this.words.numberOf(form.toLowerCase()) !== -1;
  }

  /** Looks up the form, then its lower case. */
  fill(form: string, out: Float32Array, at: number): boolean {
    const { words, rows, scales, dimensions } = this;
    let number = words.numberOf(form);
    if (number === -1) number = words.numberOf(form.toLowerCase());
    if (number === -1) return false;
    const start = number * dimensions;
    for (let i = 0; i < dimensions; i++) out[at + i] = scales[number] * rows[start + i];
    return true;
  }
}

/** Collects words and their rows, which it quantizes. */
export class TableBuilder {
  private readonly rows: Int8Array;
  private readonly scales: Float32Array;
  private words = new Uint8Array(1 << 16);
  private wordBytes = 0;
  private count = 0;
  private squares = 0;

  /** @param most of words; memory that is not filled is not used */
  constructor(
    readonly dimensions: number,
    private readonly most: number,
  ) {
    this.rows = new Int8Array(most * dimensions);
    this.scales = new Float32Array(most);
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
    let largest = 0;
    for (let i = 0; i < dimensions; i++) {
      largest = Math.max(largest, Math.abs(numbers[i]));
      this.squares += numbers[i] * numbers[i];
    }
    const factor = largest === 0 ? 0 : LARGEST / largest;
    const start = count * dimensions;
    for (let i = 0; i < dimensions; i++) this.rows[start + i] = Math.round(factor * numbers[i]);
    this.scales[count] = largest / LARGEST;
    this.addWord(word);
    this.count++;
  }

  private addWord(word: Uint8Array): void {
    const end = this.wordBytes + word.length + 1;
    if (end > this.words.length) {
      const before = this.words;
      this.words = new Uint8Array(2 * end);
      this.words.set(before);
    }
    this.words.set(word, this.wordBytes);
    this.words[end - 1] = LINE_END;
    this.wordBytes = end;
  }

  /** The table, scaled as a whole to a common size of numbers. */
  table(): VectorTable {
    const { dimensions, count, squares } = this;
    const scales = this.scales.subarray(0, count);
    const factor = squares === 0 ? 1 : MEAN_SIZE / Math.sqrt(squares / (count * dimensions));
    for (let i = 0; i < count; i++) scales[i] *= factor;
    const index = new WordIndex(this.words.subarray(0, this.wordBytes));
    return new VectorTable(dimensions, index, this.rows.subarray(0, count * dimensions), scales);
  }
}
