import { FeatureHashes } from '../features/feature-hashes.ts';
import { type HashIndex, NONE } from '../features/hash-index.ts';
import { fillWordFeatures, MOST_FEATURES } from './tag-features.ts';
import type { TagSet } from './tag-set.ts';
import { morphologyIndex, type TagWeights } from './tag-weights.ts';
import type { Words } from './words.ts';

/** Tags one word after another, each by the best choice at every step down the tree of tags. */
export class Decoder {
  /** Of the word at hand: the numbers of its features that are known. */
  readonly rows = new Int32Array(MOST_FEATURES);
  count = 0;
  readonly #list = new FeatureHashes(MOST_FEATURES);
  readonly #scores: Int32Array;
  readonly #mask: number;

  constructor(
    private readonly features: HashIndex,
    private readonly tags: TagSet,
    private readonly weights: TagWeights,
  ) {
    this.#scores = new Int32Array(tags.upos.length);
    this.#mask = weights.morphology.length - 1;
  }

  /** The bundles of a sentence's words, by number. */
  tag(words: Words, bundles: Int32Array): void {
    for (let i = 0; i < words.length; i++) {
      this.look(words, i, bundles);
      bundles[i] = this.bundle(this.pair(this.upos()));
    }
  }

  /** Takes up word i of a sentence, of which the words before have their bundles. */
  look(words: Words, i: number, bundles: Int32Array): void {
    const list = this.#list;
    fillWordFeatures(list, words, i, this.tags, bundles);
    this.count = 0;
    for (let k = 0; k < list.count; k++) {
      const row = this.features.numberOf(list.hashes[k]);
      if (row !== NONE) this.rows[this.count++] = row;
    }
  }

  /** The best universal tag of the word at hand; of equals the first seen in training. */
  upos(): number {
    const { rows, count } = this;
    const scores = this.#scores;
    const weights = this.weights.upos;
    const size = scores.length;
    scores.fill(0);
    for (let k = 0; k < count; k++) {
      const start = rows[k] * size;
      for (let c = 0; c < size; c++) scores[c] += weights[start + c];
    }
    let best = 0;
    for (let c = 1; c < size; c++) if (scores[c] > scores[best]) best = c;
    return best;
  }

  /** Its best pair among those of a universal tag. */
  pair(upos: number): number {
    return this.#best(this.tags.pairsOf[upos], 0);
  }

  /** Its best bundle among those of a pair. */
  bundle(pair: number): number {
    return this.#best(this.tags.bundlesOf[pair], this.tags.bundlesOf.length);
  }

  /** @param first what the number of a choice is counted from among all pairs and bundles */
  #best(choices: readonly number[], first: number): number {
    if (choices.length === 1) return choices[0];
    let best = choices[0];
    let highest = Number.NEGATIVE_INFINITY;
    for (let c = 0; c < choices.length; c++) {
      const score = this.#scoreOf(first + choices[c]);
      if (score <= highest) continue;
      highest = score;
      best = choices[c];
    }
    return best;
  }

  #scoreOf(choice: number): number {
    const { rows, count } = this;
    const weights = this.weights.morphology;
    const mask = this.#mask;
    let sum = 0;
    for (let k = 0; k < count; k++) sum += weights[morphologyIndex(rows[k], choice, mask)];
    return sum;
  }
}
