import { type HashIndex, NONE } from '../hash-index.ts';
import { FeatureHashes } from '../hashed-features.ts';
import {
  type FeatureNumbers,
  fillContextFeatures,
  fillTagFeatures,
  fillWordFeatures,
  MOST_CONTEXT_FEATURES,
  MOST_TAG_FEATURES,
  MOST_WORD_FEATURES,
  OFFSETS,
  type Side,
} from './features.ts';
import type { TagSet } from './tag-set.ts';
import { type EncodedWords, FIELDS, Field, PAD } from './words.ts';

/** The most features of a word in each view, and one number for their count. */
const ROOM = OFFSETS.map((offset) => 1 + MOST_WORD_FEATURES[Math.abs(offset)]);
const START = ROOM.map((_, view) => ROOM.slice(0, view).reduce((a, b) => a + b, 0));
const WIDTH = ROOM.reduce((a, b) => a + b, 0);

/** The known features of single words in each view: looked up once for every different word. */
export class WordViews {
  /** For each word and view: the number of features + 1 (0: not yet looked up), then the features. */
  numbers = new Int32Array(1024 * WIDTH);
  private readonly list = new FeatureHashes(MOST_WORD_FEATURES[0]);

  constructor(private readonly features: HashIndex) {}

  /** Where in `numbers` the features begin that word i has in a view. */
  find({ data }: EncodedWords, i: number, view: number): number {
    const at = (PAD + i + OFFSETS[view]) * FIELDS;
    const start = data[at + Field.number] * WIDTH + START[view];
    if (start + ROOM[view] > this.numbers.length) this.grow(start + ROOM[view]);
    if (this.numbers[start] === 0) this.lookUp(data, at, view, start);
    return start;
  }

  private lookUp(data: Int32Array, at: number, view: number, start: number): void {
    const { numbers, features } = this;
    const list = this.list;
    fillWordFeatures(list, data, at, OFFSETS[view]);
    let end = start + 1;
    for (let k = 0; k < list.count; k++) {
      const number = features.numberOf(list.hashes[k]);
      if (number !== NONE) numbers[end++] = number;
    }
    numbers[start] = end - start;
  }

  private grow(size: number): void {
    const before = this.numbers;
    this.numbers = new Int32Array(2 * size);
    this.numbers.set(before);
  }
}

export const MOST_FEATURES =
  OFFSETS.reduce<number>((sum, offset) => sum + MOST_WORD_FEATURES[Math.abs(offset)], 0) +
  MOST_CONTEXT_FEATURES +
  2 * MOST_TAG_FEATURES;

/** The known features of each word of a sentence, found step by step. */
export class SentenceFeatures {
  /** The numbers of each word's features, `MOST_FEATURES` apart. */
  rows = new Int32Array(MOST_FEATURES);
  counts = new Int32Array(1);
  readonly views: WordViews;
  private readonly list = new FeatureHashes(Math.max(MOST_CONTEXT_FEATURES, MOST_TAG_FEATURES));

  constructor(
    private readonly features: FeatureNumbers,
    private readonly tags: TagSet,
  ) {
    this.views = new WordViews(features.all);
  }

  reset(length: number): void {
    if (length > this.counts.length) {
      this.counts = new Int32Array(2 * length);
      this.rows = new Int32Array(2 * length * MOST_FEATURES);
    }
    this.counts.fill(0, 0, length);
  }

  /** Adds the text features of word i, those of single words first; returns the number of these. */
  addTextFeatures(words: EncodedWords, i: number): number {
    for (let view = 0; view < OFFSETS.length; view++) this.addView(words, i, view);
    const count = this.counts[i];
    fillContextFeatures(this.list, words, i);
    this.addKnown(i);
    return count;
  }

  addTagFeatures(words: EncodedWords, i: number, bundles: Int32Array, side: Side): void {
    fillTagFeatures(this.list, words, i, this.tags, bundles, side);
    this.addKnown(i);
  }

  clear(i: number): void {
    this.counts[i] = 0;
  }

  private addView(words: EncodedWords, i: number, view: number): void {
    const first = this.views.find(words, i, view);
    const { numbers } = this.views;
    const count = numbers[first] - 1;
    const end = i * MOST_FEATURES + this.counts[i];
    for (let k = 0; k < count; k++) this.rows[end + k] = numbers[first + 1 + k];
    this.counts[i] += count;
  }

  private addKnown(i: number): void {
    const { rows } = this;
    const { all } = this.features;
    const { hashes, count } = this.list;
    let end = i * MOST_FEATURES + this.counts[i];
    for (let k = 0; k < count; k++) {
      const row = all.numberOf(hashes[k]);
      if (row !== NONE) rows[end++] = row;
    }
    this.counts[i] = end - i * MOST_FEATURES;
  }
}
