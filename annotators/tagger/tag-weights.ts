import { finish } from '../../src/learn/hashing.ts';
import { lengthened } from '../../src/typed-arrays.ts';
import { type FeatureNumbers, OFFSETS, type WordViews } from './features.ts';
import type { TagSet } from './tag-set.ts';
import { type EncodedWords, FIELDS, Field, PAD } from './words.ts';

/**
 * The weights of the two passes. Universal tags: one row per feature, text features with a row for each pass. Pairs and
 * bundles, of which only a few are scored: a hashed table whose size is a power of two (hash kernel, Bohnet 2010).
 */
export interface TagWeights<Weights = Int16Array | Float32Array> {
  readonly upos: Weights;
  readonly morphology: Weights;
}

export const uposSize = ({ all, text }: FeatureNumbers, { upos }: TagSet): number =>
  (all.size + text) * upos.length;

/** The index of a feature's first weight in the hashed table; output c is at + 2c, modulo the table's size. */
export const morphologyStart = (row: number): number => finish(row) & ~1;
export const scoreBytes = (tags: number): number => Int32Array.BYTES_PER_ELEMENT * OFFSETS.length * 2 * tags;

/** Caches each word's scores of universal tags by single-word features, which do not depend on the sentence. */
export class ViewScores {
  /** words × views × scores. */
  private sums: Int32Array = new Int32Array(0);
  private isSummed = new Uint8Array(0);

  constructor(
    private readonly views: WordViews,
    private readonly weights: ArrayLike<number>,
    private readonly size: number,
  ) {}

  add(words: EncodedWords, i: number, target: Int32Array | Float64Array, at: number): void {
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

  private sum(words: EncodedWords, i: number, view: number, place: number): void {
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
    const { isSummed } = this;
    this.sums = lengthened(this.sums, places * this.size);
    this.isSummed = new Uint8Array(places);
    this.isSummed.set(isSummed);
  }
}
