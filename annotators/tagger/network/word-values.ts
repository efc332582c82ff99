import type { EmbeddedField } from '../../../src/learn/network/layers/embeddings.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import { HashIndex, NONE } from '../../hash-index.ts';
import { Field } from '../words.ts';

/** Fields with an embedding, its size, and the minimum count of a value; the flags, which depend on the sentence, are last. */
const embedded: readonly { readonly field: number; readonly size: number; readonly least: number }[] = [
  { field: Field.lower, size: 64, least: 2 },
  { field: Field.form, size: 16, least: 2 },
  { field: Field.shape, size: 16, least: 1 },
  { field: Field.endings, size: 12, least: 1 },
  { field: Field.endings + 1, size: 24, least: 1 },
  { field: Field.endings + 2, size: 32, least: 2 },
  { field: Field.endings + 3, size: 32, least: 2 },
  { field: Field.endings + 4, size: 16, least: 2 },
  { field: Field.beginnings, size: 8, least: 1 },
  { field: Field.beginnings + 1, size: 16, least: 1 },
  { field: Field.beginnings + 2, size: 16, least: 2 },
  { field: Field.beginnings + 3, size: 16, least: 2 },
  { field: Field.ambiguity, size: 16, least: 2 },
  { field: Field.usual, size: 12, least: 2 },
  { field: Field.flags, size: 8, least: 1 },
];

export const VALUES = embedded.length;
/** Indices of the form and of the flags among the embedded fields. */
export const FORM = 0;
export const FLAGS = VALUES - 1;
export const UNKNOWN = 0;
/** Embeddings are drawn between −spread and spread. */
const SPREAD = 0.25;

/** Numbers the values of embedded fields, from 1 on in the order of their first appearance. */
export class WordValues {
  private constructor(private readonly indices: readonly HashIndex[]) {}

  static of(seen: (see: (data: Int32Array, at: number) => void) => void): WordValues {
    const counts = embedded.map(() => new Map<number, number>());
    seen((data, at) => {
      for (const [v, { field }] of embedded.entries()) {
        const hash = data[at + field];
        counts[v].set(hash, (counts[v].get(hash) ?? 0) + 1);
      }
    });
    const indices = embedded.map(({ least }, v) => {
      const index = new HashIndex();
      for (const [hash, count] of counts[v]) if (count >= least) index.add(hash);
      return index;
    });
    return new WordValues(indices);
  }

  /** Throws `InputError` if the model does not hold the values that its header announces. */
  static load(model: ModelReader): WordValues {
    const counts = model.fields('tagger').fields('network').integers('values', 0);
    const length = counts.reduce((sum, count) => sum + count, 0);
    const hashes = model.section('tagger.network.values', 'int32', { length });
    if (counts.length !== VALUES)
      model.refuse(`header field tagger.network.values: expected ${VALUES} numbers`);
    let start = 0;
    const indices = counts.map((count) => {
      start += count;
      return HashIndex.of(hashes.subarray(start - count, start));
    });
    return new WordValues(indices);
  }

  /** Writes a section; returns the header's field. */
  save(model: ModelWriter): number[] {
    const hashes = this.indices.map((index) => index.hashes());
    model.section('tagger.network.values', Int32Array.from(hashes.flatMap((part) => [...part])));
    return hashes.map(({ length }) => length);
  }

  get fields(): EmbeddedField[] {
    return embedded.map(({ size }, v) => {
      return { name: `${v}`, values: this.indices[v].size + 1, size, spread: SPREAD };
    });
  }

  fill(data: Int32Array, at: number, target: Int32Array, targetAt: number): void {
    for (let v = 0; v < VALUES; v++) target[targetAt + v] = this.numberOf(v, data[at + embedded[v].field]);
  }

  numberOf(place: number, value: number): number {
    const number = this.indices[place].numberOf(value);
    return number === NONE ? UNKNOWN : number + 1;
  }
}
