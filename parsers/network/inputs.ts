import {
  type ColumnEncoder,
  columnStart,
  type EncodedColumn,
  type EncodedSentence,
} from '../../src/encoding/columns.ts';
import type { EmbeddedField } from '../../src/learn/network/layers/embeddings.ts';
import type { TagColumn } from '../../src/treebank/columns/names.ts';

const SIZES = {
  form: 80,
  lemma: 48,
  upos: 24,
  xpos: 24,
  feats: 24,
  suffix3: 24,
  suffix2: 16,
  prefix3: 16,
  shape: 8,
} as const satisfies Partial<Record<EncodedColumn, number>>;

/** The columns that are embedded if the treebank fills them. */
export function columnsOver(tags: readonly TagColumn[]): EncodedColumn[] {
  const names = Object.keys(SIZES) as (keyof typeof SIZES)[];
  return names.filter((name) => (name !== 'upos' && name !== 'xpos') || tags.includes(name));
}

/** Columns with so many values that those seen only once share the embedding for unknown values. */
export const OPEN_COLUMNS = [
  'form',
  'lemma',
  'suffix3',
  'prefix3',
] as const satisfies readonly EncodedColumn[];

export function embeddedFields(columns: readonly EncodedColumn[], encoder: ColumnEncoder): EmbeddedField[] {
  return columns.map((name) => ({
    name,
    values: encoder.vocabulary(encoder.names.indexOf(name)).size,
    size: SIZES[name as keyof typeof SIZES],
  }));
}

/** Collects the values of the embedded columns of an encoded sentence: (n + 1) × columns, the root first. */
export class TokenValues {
  private values = new Int32Array(0);
  private readonly places: readonly number[];

  constructor(columns: readonly EncodedColumn[], encoder: ColumnEncoder) {
    this.places = columns.map((name) => encoder.names.indexOf(name));
  }

  read({ length, columns }: EncodedSentence): Int32Array {
    const { places } = this;
    const count = (length + 1) * places.length;
    if (this.values.length < count) this.values = new Int32Array(2 * count);
    for (let c = 0; c < places.length; c++) {
      const start = columnStart(length, places[c]);
      for (let t = 0; t <= length; t++) this.values[t * places.length + c] = columns[start + t];
    }
    return this.values;
  }
}
