import type { ColumnEncoder, EncodedColumn, EncodedSentence } from '../../encoding/columns.ts';
import { columnStart } from '../../encoding/columns.ts';
import { isAttributeColumn } from '../../encoding/features.ts';
import { ROOT, UNKNOWN } from '../../encoding/vocabulary.ts';
import type { TagColumn } from '../../treebank/columns/names.ts';
import { type EmbeddedField, NO_EMBEDDING } from './layers/embeddings.ts';

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

/** Returns the columns to embed, as far as the treebank fills them. */
export function columnsOver(tags: readonly TagColumn[]): EncodedColumn[] {
  const names = Object.keys(SIZES) as (keyof typeof SIZES)[];
  return names.filter((name) => (name !== 'upos' && name !== 'xpos') || tags.includes(name));
}

/** Columns with large vocabularies: values seen only once share the embedding of unknown values. */
export const OPEN_COLUMNS = [
  'form',
  'lemma',
  'suffix3',
  'prefix3',
] as const satisfies readonly EncodedColumn[];

/** Embeddings are initialised between −1 and 1: smaller ones learn less about rare values (docs/notes.md). */
const SPREAD = 1;

/** Dimensions of the embedding of morphological features: the sum over a token's attribute–value pairs. */
const FEATURES_SIZE = 32;

/** Returns the embedded fields of a token: one per column, and one for all attribute columns together. */
export function embeddedFields(columns: readonly EncodedColumn[], encoder: ColumnEncoder): EmbeddedField[] {
  const { whole, attributes } = byKind(columns);
  const sizeOf = (name: EncodedColumn) => encoder.vocabulary(encoder.names.indexOf(name)).size;
  const fields = whole.map((name) => {
    return { name, values: sizeOf(name), size: SIZES[name as keyof typeof SIZES], spread: SPREAD };
  });
  if (attributes.length === 0) return fields;
  const values = attributes.reduce((sum, name) => sum + sizeOf(name), 0);
  const features = { name: 'features', values, size: FEATURES_SIZE, summed: attributes.length };
  return [...fields, { ...features, spread: SPREAD }];
}

function byKind(columns: readonly EncodedColumn[]) {
  const attributes = columns.filter(isAttributeColumn);
  return { whole: columns.filter((name) => !isAttributeColumn(name)), attributes };
}

/** Gathers the ids of the embedded columns of a sentence: (n + 1) × columns, row 0 = root. */
export class TokenValues {
  private values = new Int32Array(0);
  private readonly places: readonly number[];
  /** For each attribute column, the row of each value in the shared embedding table. */
  private readonly embeddings: readonly Int32Array[];
  private readonly wholeCount: number;

  constructor(columns: readonly EncodedColumn[], encoder: ColumnEncoder) {
    const { whole, attributes } = byKind(columns);
    this.wholeCount = whole.length;
    this.places = [...whole, ...attributes].map((name) => encoder.names.indexOf(name));
    let before = 0;
    this.embeddings = this.places.slice(whole.length).map((place) => {
      const vocabulary = encoder.vocabulary(place);
      const embeddings = Int32Array.from({ length: vocabulary.size }, (_, value) => before + value);
      for (const value of [UNKNOWN, ROOT, vocabulary.idOf('_')]) embeddings[value] = NO_EMBEDDING;
      before += vocabulary.size;
      return embeddings;
    });
  }

  read({ length, columns }: EncodedSentence): Int32Array {
    const { places, embeddings, wholeCount } = this;
    const count = (length + 1) * places.length;
    if (this.values.length < count) this.values = new Int32Array(2 * count);
    for (let c = 0; c < places.length; c++) {
      const start = columnStart(length, places[c]);
      const own = c < wholeCount ? undefined : embeddings[c - wholeCount];
      for (let t = 0; t <= length; t++) {
        const value = columns[start + t];
        this.values[t * places.length + c] = own === undefined ? value : own[value];
      }
    }
    return this.values;
  }
}
