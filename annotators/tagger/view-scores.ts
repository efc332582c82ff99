import { OFFSETS } from './features/word-features.ts';
import type { WordViews } from './features/word-views.ts';
import { FIELDS, Field, PAD, type Words } from './words.ts';

/** How many bytes the scores of a word take, beside the tags on either side, for so many universal tags. */
export function scoreBytes(tags: number): number {
  return Int32Array.BYTES_PER_ELEMENT * OFFSETS.length * 2 * tags;
}

/**
 * The scores of universal tags by the features of single words. They do not depend on the sentence: those of a word
 * in one view are summed once.
 */
export class ViewScores {
  /** Of each word and view the scores. */
  private sums = new Int32Array(0);
  private isSummed = new Uint8Array(0);

  constructor(
    private readonly views: WordViews,
    private readonly weights: ArrayLike<number>,
    /** How many scores there are. */
    private readonly size: number,
  ) {}

  /** Adds those of word i and the words around it. */
  add(words: Words, i: number, target: Int32Array | Float64Array, at: number): void {
    const { size } = this;
    for (let view = 0; view < OFFSETS.length; view++) {
      const word = words.data[(PAD + i + OFFSETS[view]) * FIELDS + Field.number];
      const place = word * OFFSETS.length + view;
      if (place >= this.isSummed.length) this.grow(2 * place + 1024);
      if (this.isSummed[place] === 0) this.sum(words, i, view, place);
      const sums = this.sums;
      const start = place * size;
      for (let c = 0; c < size; c++) target[at + c] += sums[start + c];
    }
  }

  private sum(words: Words, i: number, view: number, place: number): void {
    const { size, weights } = this;
    const sums = this.sums;
    const first = this.views.find(words, i, view);
    const { numbers } = this.views;
    const count = numbers[first] - 1;
    for (let k = 1; k <= count; k++) {
      const from = numbers[first + k] * size;
      for (let c = 0; c < size; c++) sums[place * size + c] += weights[from + c];
    }
    this.isSummed[place] = 1;
  }

  private grow(places: number): void {
    const [sums, isSummed] = [this.sums, this.isSummed];
    this.sums = new Int32Array(places * this.size);
    this.sums.set(sums);
    this.isSummed = new Uint8Array(places);
    this.isSummed.set(isSummed);
  }
}
