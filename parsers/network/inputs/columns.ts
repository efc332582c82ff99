import type { ColumnEncoder, ColumnName, EncodedSentence, TagColumn } from '../../../src/encoding/columns.ts';
import { columnStart } from '../../../src/encoding/columns.ts';
import type { Numbering } from '../../../src/encoding/numbering.ts';
import type { EmbeddedField } from '../../../src/learn/network/layers/embeddings.ts';
import type { NetworkSettings } from '../settings.ts';
import { guideFields, writeGuideValues } from './guide-values.ts';

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
} as const satisfies Partial<Record<ColumnName, number>>;

/** The columns that are looked at where they are filled. */
export function columnsOver(tags: readonly TagColumn[]): ColumnName[] {
  const names = Object.keys(SIZES) as (keyof typeof SIZES)[];
  return names.filter((name) => (name !== 'upos' && name !== 'xpos') || tags.includes(name));
}

/** Columns whose values are too many for all of them to be learnt: of those seen once nothing would be known. */
export const OPEN_COLUMNS = ['form', 'lemma', 'suffix3', 'prefix3'] as const satisfies readonly ColumnName[];

function embeddedFields(columns: readonly ColumnName[], encoder: ColumnEncoder): EmbeddedField[] {
  return columns.map((name) => ({
    name,
    values: encoder.vocabulary(encoder.names.indexOf(name)).size,
    size: SIZES[name as keyof typeof SIZES],
  }));
}

/** All that stands for a word: values of columns, and what guides say of it. */
export function wordFields(
  { columns, guides = 0 }: Pick<NetworkSettings, 'columns' | 'guides'>,
  { encoder, labels }: Pick<Numbering, 'encoder' | 'labels'>,
): EmbeddedField[] {
  return [...embeddedFields(columns, encoder), ...guideFields(guides, labels.length)];
}

/** Reads the values of tokens, the root first, out of encoded sentences: of each token, those of all its fields. */
export class TokenValues {
  /** Of the sentence last read. */
  values = new Int32Array(0);
  private readonly places: readonly number[];

  /** @param width how many fields there are: those of columns, then those of guides */
  constructor(
    columns: readonly ColumnName[],
    encoder: ColumnEncoder,
    private readonly width: number,
  ) {
    this.places = columns.map((name) => encoder.names.indexOf(name));
  }

  read(sentence: EncodedSentence): Int32Array {
    const { places, width } = this;
    const { length, columns } = sentence;
    const count = (length + 1) * width;
    if (this.values.length < count) this.values = new Int32Array(2 * count);
    for (let c = 0; c < places.length; c++) {
      const start = columnStart(length, places[c]);
      for (let t = 0; t <= length; t++) this.values[t * width + c] = columns[start + t];
    }
    writeGuideValues(sentence, this.values, places.length, width);
    return this.values;
  }
}
