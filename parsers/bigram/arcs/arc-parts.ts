import { columnStart, type EncodedSentence } from '../../../src/encoding/columns.ts';

/**
 * What patterns may know of an arc besides its words; each in the list tells the arc's direction.
 * - `direction`: to the left or to the right;
 * - `distance`: in the buckets of MSTParser: 1, 2, 3, 4, 5, 6–10, more;
 * - `between`: whether the two are neighbours, near or far, and how many tokens with the head's tag, with the
 *   dependent's tag, and punctuation marks stand between them: 0, 1, more;
 * - `crossed`: which tags stand between, and whether any does.
 */
export type ArcPart = 'direction' | 'distance' | 'between' | 'crossed';

/** What patterns read of arcs besides their words. */
export interface Parts<P extends string> {
  /** of[part][h]: the part of the arc from h to the dependent at hand, as a number. */
  readonly of: Readonly<Record<P, Int32Array>>;
  /** Fills `of` for the arcs into d. */
  prepare(sentence: EncodedSentence, d: number): void;
}

/** Where the coarse tags stand in encoded sentences, the forms too, and which of these are punctuation. */
export interface PartColumns {
  readonly tag: number;
  readonly form: number;
  readonly tagCount: number;
  readonly punctuation: Uint8Array;
}

/** The parts of the arcs into one dependent, from all heads. */
export class ArcParts implements Parts<ArcPart> {
  readonly of: Readonly<Record<ArcPart, Int32Array>>;
  private readonly seen: Int32Array;

  /** For sentences of up to `most` tokens. */
  constructor(
    private readonly columns: PartColumns,
    most: number,
  ) {
    const numbers = () => new Int32Array(most + 1);
    this.of = { direction: numbers(), distance: numbers(), between: numbers(), crossed: numbers() };
    this.seen = new Int32Array(columns.tagCount);
  }

  prepare(sentence: EncodedSentence, d: number): void {
    this.walk(sentence, d, -1);
    this.walk(sentence, d, 1);
  }

  /** Meets the heads on one side from the nearest on, counting what stands between. */
  private walk({ length, columns }: EncodedSentence, d: number, step: 1 | -1): void {
    const { tag, form, punctuation } = this.columns;
    const { seen } = this;
    const { direction, distance, between, crossed } = this.of;
    const tagAt = columnStart(length, tag);
    const formAt = columnStart(length, form);
    const dependentTag = columns[tagAt + d];
    const right = step === 1 ? 1 : 0;
    const end = step === 1 ? length + 1 : -1;
    let marks = 0;
    let set = 0;
    seen.fill(0);
    for (let h = d + step, far = 1; h !== end; h += step, far++) {
      const headTag = columns[tagAt + h];
      direction[h] = right;
      distance[h] = 2 * (far <= 5 ? far : far <= 10 ? 6 : 7) + right;
      const counted = (atMostTwo(seen[headTag]) * 3 + atMostTwo(seen[dependentTag])) * 3 + atMostTwo(marks);
      between[h] = 2 * (counted * 3 + (far === 1 ? 0 : far < 4 ? 1 : 2)) + right;
      crossed[h] = 2 * set + right;
      seen[headTag]++;
      set |= 1 << (headTag % 29);
      marks += punctuation[columns[formAt + h]];
    }
  }
}

function atMostTwo(count: number): number {
  return count < 2 ? count : 2;
}
