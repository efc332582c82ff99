import type { HeaderFields } from '../../model/header-fields.ts';
import type { ModelReader } from '../../model/model-reader.ts';
import type { ModelWriter } from '../../model/model-writer.ts';
import { MOST_BUCKETS, MOST_NGRAM, Subwords } from './subwords.ts';

/** In a parser's model, the number of words that have an n-gram. */
const LEAST_WORDS = 5;

/** Vectors of character n-grams as a model holds them, for words that have none of their own. */
export class NgramTable {
  constructor(
    readonly subwords: Subwords,
    /** The hash buckets that occur, ascending: one row each. */
    readonly buckets: Int32Array,
    readonly rows: Int8Array,
    readonly scales: Float32Array,
  ) {}

  /** Opens the sections of a table; throws `InputError` where they do not fit its header's fields. */
  static load(model: ModelReader, name: string, fields: HeaderFields, dimensions: number): NgramTable {
    const least = fields.integer('least', 1, MOST_NGRAM);
    const most = fields.integer('most', least, MOST_NGRAM);
    const all = fields.integer('buckets', 1, MOST_BUCKETS);
    const buckets = model.section(`${name}.buckets`, 'int32', { least: 0, most: all - 1 });
    if (!buckets.every((bucket, i) => i === 0 || bucket > buckets[i - 1]))
      model.refuse(`section ${name}.buckets: expected ascending numbers`);
    const rows = model.section(`${name}.rows`, 'int8', { length: buckets.length * dimensions });
    const scales = model.section(`${name}.scales`, 'float32', { length: buckets.length });
    if (!scales.every(Number.isFinite))
      model.refuse(`section ${name}.scales has scales that are not finite numbers`);
    return new NgramTable(new Subwords({ least, most, buckets: all }), buckets, rows, scales);
  }

  /** Writes its sections; returns the header's fields. */
  save(model: ModelWriter, name: string): object {
    model.section(`${name}.buckets`, this.buckets);
    model.section(`${name}.rows`, this.rows);
    model.section(`${name}.scales`, this.scales);
    return this.subwords.settings;
  }

  /** Writes the mean of a form's n-grams; returns false where none of them has a vector. */
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

  /** The n-grams that at least `LEAST_WORDS` of the words have: those of one word say little about others. */
  sharedBy(words: readonly string[], dimensions: number): NgramTable {
    const counts = new Uint32Array(this.buckets.length);
    for (const word of words)
      for (const bucket of new Set(this.subwords.bucketsOf(word))) counts[this.rowOf(bucket) ?? -1]++;
    const kept = Int32Array.from(counts.keys()).filter((row) => counts[row] >= LEAST_WORDS);
    const rows = new Int8Array(kept.length * dimensions);
    for (const [i, row] of kept.entries())
      rows.set(this.rows.subarray(row * dimensions, (row + 1) * dimensions), i * dimensions);
    const scales = Float32Array.from(kept, (row) => this.scales[row]);
    return new NgramTable(
      this.subwords,
      kept.map((row) => this.buckets[row]),
      rows,
      scales,
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
