import { type ColumnEncoder, type EncodedSentence, neighbour, valueAt } from './columns.ts';
import { AFTER, BEFORE, ROOT, UNKNOWN } from './vocabulary.ts';

const reserved: readonly string[] = Object.assign([], {
  [UNKNOWN]: '⟨unknown⟩',
  [ROOT]: '⟨root⟩',
  [BEFORE]: '⟨before⟩',
  [AFTER]: '⟨after⟩',
});

/** Gives the numbers of encoded sentences back what they stand for. */
export class ValueNames {
  private readonly strings: (readonly string[])[] = [];

  constructor(private readonly encoder: ColumnEncoder) {}

  /** What a number of a column stands for. */
  of(column: number, value: number): string {
    this.strings[column] ??= [...reserved, ...this.encoder.vocabulary(column).strings()];
    return this.strings[column][value];
  }

  /** What templates read in a column so many tokens beside a position. */
  beside(sentence: EncodedSentence, column: number, position: number, offset: number): string {
    return this.of(column, valueAt(sentence, column, neighbour(sentence.length, position, offset)));
  }
}
