import {
  type ColumnEncoder,
  columnStart,
  type EncodedColumn,
  type EncodedSentence,
} from '../../../src/encoding/columns.ts';
import type { EmbeddedField } from '../../../src/learn/network/layers/embeddings.ts';
import type { TagColumn } from '../../../src/treebank/columns/names.ts';

/** How many numbers stand for a value of each column. */
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

/** The columns that are looked at where they are filled. */
export function columnsOver(tags: readonly TagColumn[]): EncodedColumn[] {
  const names = Object.keys(SIZES) as (keyof typeof SIZES)[];
  return names.filter((name) => (name !== 'upos' && name !== 'xpos') || tags.includes(name));
}

/** Columns whose values are too many for all of them to be learnt: of those seen once nothing would be known. */
export const OPEN_COLUMNS = [
  'form',
  'lemma',
  'suffix3',
  'prefix3',
] as const satisfies readonly EncodedColumn[];

/** What stands for the values of columns. */
export function embeddedFields(columns: readonly EncodedColumn[], encoder: ColumnEncoder): EmbeddedField[] {
  return columns.map((name) => ({
    name,
    values: encoder.vocabulary(encoder.names.indexOf(name)).size,
    size: SIZES[name as keyof typeof SIZES],
  }));
}

/** Reads the values of tokens, the root first, out of encoded sentences: of each token, those of all its columns. */
export class TokenValues {
  /** Of the sentence last read. */
  values = new Int32Array(0);
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
