import { FeatureHashes } from '../features/feature-hashes.ts';
import { type HashIndex, NONE } from '../features/hash-index.ts';
import { fillWordFeatures, MOST_FEATURES } from './tag-features.ts';
import type { TagSet } from './tag-set.ts';
import { morphologyStart, type TagWeights } from './tag-weights.ts';
import type { Words } from './words.ts';

/** What scores tags where the tags on one side of a word are known. */
export class Direction {
  /** Of each word of the sentence at hand the numbers of its known features, `MOST_FEATURES` apart. */
  rows = new Int32Array(MOST_FEATURES);
  counts = new Int32Array(1);
  /** Of each word the scores of the universal tags: whole numbers where the weights are. */
  upos: Int32Array | Float64Array;
  readonly #list = new FeatureHashes(MOST_FEATURES);
  readonly #mask: number;

  constructor(
    private readonly features: HashIndex,
    private readonly tags: TagSet,
    private readonly weights: TagWeights,
  ) {
    this.#mask = weights.morphology.length - 1;
    this.upos = this.#scoresOf(1);
  }

  /** Makes room for a sentence. */
  open(length: number): void {
    if (length <= this.counts.length) return;
    this.counts = new Int32Array(2 * length);
    this.rows = new Int32Array(2 * length * MOST_FEATURES);
    this.upos = this.#scoresOf(2 * length);
  }

  #scoresOf(length: number): Int32Array | Float64Array {
    const size = length * this.tags.upos.length;
    return this.weights.upos instanceof Int16Array ? new Int32Array(size) : new Float64Array(size);
  }

  /** Takes up word i of a sentence, of which the words before have their bundles. */
  look(words: Words, i: number, bundles: Int32Array): void {
    const { rows, features } = this;
    const list = this.#list;
    fillWordFeatures(list, words, i, this.tags, bundles);
    const start = i * MOST_FEATURES;
    let count = 0;
    for (let k = 0; k < list.count; k++) {
      const row = features.numberOf(list.hashes[k]);
      if (row !== NONE) rows[start + count++] = row;
    }
    this.counts[i] = count;
  }

  /** Scores the universal tags of word i by its features. */
  scoreUpos(i: number): void {
    const { rows, upos } = this;
    const weights = this.weights.upos;
    const size = this.tags.upos.length;
    const at = i * size;
    const start = i * MOST_FEATURES;
    const end = start + this.counts[i];
    upos.fill(0, at, at + size);
    for (let k = start; k < end; k++) {
      const first = rows[k] * size;
      for (let c = 0; c < size; c++) upos[at + c] += weights[first + c];
    }
  }

  /** Adds what word i has for some pairs or bundles, numbered from `first` on. */
  addChoices(i: number, choices: readonly number[], first: number, scores: Float64Array): void {
    const { rows } = this;
    const weights = this.weights.morphology;
    const mask = this.#mask;
    const start = i * MOST_FEATURES;
    const end = start + this.counts[i];
    for (let k = start; k < end; k++) {
      const at = morphologyStart(rows[k]) + first;
      for (let c = 0; c < choices.length; c++) scores[c] += weights[(at + choices[c]) & mask];
    }
  }
}
