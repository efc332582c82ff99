import type { HeaderFields } from '../../model/header-fields.ts';
import type { ModelReader } from '../../model/model-reader.ts';
import type { ModelWriter } from '../../model/model-writer.ts';

/** Minimum number of words with an n-gram for it to be kept in a parser's model. */
const LEAST_WORDS = 5;

/** Vectors of character n-grams, for words that have no vector of their own. */
export class NgramTable {
  constructor(
    readonly subwords: Subwords,
    /** The hash buckets that occur, ascending: one row each. */
    readonly buckets: Int32Array,
    readonly rows: Int8Array,
    readonly scales: Float32Array,
  ) {}

  /** Opens the sections of a table; throws `InputError` if they do not fit its header's fields. */
  static load(model: ModelReader, name: string, fields: HeaderFields, dimensions: number): NgramTable {
    const least = fields.integer('least', 1, MOST_NGRAM);
    const most = fields.integer('most', least, MOST_NGRAM);
    const all = fields.integer('buckets', 1, MOST_BUCKETS);
    const buckets = model.section(`${name}.buckets`, 'int32', { least: 0, most: all - 1 });
    if (!buckets.every((bucket, i) => i === 0 || bucket > buckets[i - 1]))
      model.refuse(`section ${name}.buckets: expected ascending numbers`);
    const rows = model.section(`${name}.rows`, 'int8', { length: buckets.length * dimensions });
    const scales = model.section(`${name}.scales`, 'float32', { length: buckets.length, finite: 'scales' });
    return new NgramTable(new Subwords({ least, most, buckets: all }), buckets, rows, scales);
  }

  /** Writes its sections; returns the header's fields. */
  save(model: ModelWriter, name: string): object {
    model.section(`${name}.buckets`, this.buckets);
    model.section(`${name}.rows`, this.rows);
    model.section(`${name}.scales`, this.scales);
    return this.subwords.settings;
  }

  /** Writes the mean of the vectors of a form's n-grams; returns false if none has one. */
  fill(form: string, out: Float32Array, at: number, dimensions: number): boolean {
    const found = this.subwords.bucketsOf(form).flatMap((bucket) => this.rowOf(bucket) ?? []);
    if (found.length === 0) return false;
    out.fill(0, at, at + dimensions);
    for (const row of found) {
      const scale = this.scales[row] / found.length;
      const start = row * dimensions;
      for (let i = 0; i < dimensions; i++) out[at + i] += scale * this.rows[start + i];
    }
    return true;
  }

  /** The n-grams that occur in at least `LEAST_WORDS` of the words: an n-gram of a single word is no help with others. */
  sharedBy(words: readonly string[], dimensions: number): NgramTable {
    const counts = new Uint32Array(this.buckets.length);
    for (const word of words)
      for (const bucket of new Set(this.subwords.bucketsOf(word))) counts[this.rowOf(bucket) ?? -1]++;
    const kept = Int32Array.from(counts.keys()).filter((row) => counts[row] >= LEAST_WORDS);
    const rows = new Int8Array(kept.length * dimensions);
    for (const [i, row] of kept.entries())
      rows.set(this.rows.subarray(row * dimensions, (row + 1) * dimensions), i * dimensions);
    return new NgramTable(
      this.subwords,
      kept.map((row) => this.buckets[row]),
      rows,
      Float32Array.from(kept, (row) => this.scales[row]),
    );
  }

  private rowOf(bucket: number): number | undefined {
    let [low, high] = [0, this.buckets.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.buckets[middle] < bucket) low = middle + 1;
      else high = middle;
    }
    return this.buckets[low] === bucket ? low : undefined;
  }
}

/** The longest character n-grams, and the most hash buckets for them. */
const MOST_NGRAM = 29;
export const MOST_BUCKETS = 100_000_000;

/** Minimum and maximum length of character n-grams, and number of hash buckets. */
export interface SubwordSettings {
  readonly least: number;
  readonly most: number;
  readonly buckets: number;
}

/** The character n-grams of words (Bojanowski et al. 2017), hashed as fastText does. */
export class Subwords {
  private bytes = new Uint8Array(256);
  private readonly encoder = new TextEncoder();

  constructor(readonly settings: SubwordSettings) {}

  /** The buckets of the n-grams of `<word>`, in characters, not bytes; without `<` and `>` alone. */
  bucketsOf(word: string): number[] {
    const { least, most, buckets } = this.settings;
    const end = this.encode(word);
    const found: number[] = [];
    for (let from = 0; from < end; from++) {
      if (isContinuation(this.bytes[from])) continue;
      let hash = 0x811c9dc5;
      for (let [to, length] = [from, 1]; to < end && length <= most; length++) {
        do hash = addByte(hash, this.bytes[to++]);
        while (to < end && isContinuation(this.bytes[to]));
        if (length < least || (length === 1 && (from === 0 || to === end))) continue;
        found.push((hash >>> 0) % buckets);
      }
    }
    return found;
  }

  /** Encodes `<word>`; returns the number of bytes. */
  private encode(word: string): number {
    const text = `<${word}>`;
    if (this.bytes.length < 3 * text.length) this.bytes = new Uint8Array(6 * text.length);
    return this.encoder.encodeInto(text, this.bytes).written;
  }
}

/** A step of FNV-1a; bytes are signed, as in fastText. */
const addByte = (hash: number, byte: number): number => Math.imul(hash ^ ((byte << 24) >> 24), 0x01000193);
const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;
