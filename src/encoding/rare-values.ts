import { type ColumnEncoder, type EncodedColumn, type EncodedSentence, valueCounts } from './columns.ts';

/** Makes values of columns that occur at most `most` times in training unknown. */
export function forgetRare(
  names: readonly EncodedColumn[],
  most: number,
  encoder: ColumnEncoder,
  examples: readonly EncodedSentence[],
): void {
  for (const name of names) {
    const column = encoder.names.indexOf(name);
    const counts = valueCounts(examples, column, encoder.vocabulary(column).size);
    encoder.keepMostFrequent(name, counts.filter((count) => count > most).length, examples);
  }
}
