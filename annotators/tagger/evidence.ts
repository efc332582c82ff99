import { FeatureHashes } from '../features/feature-hashes.ts';
import { NONE } from '../features/hash-index.ts';
import { fillContextFeatures, MOST_CONTEXT_FEATURES } from './features/context-features.ts';
import type { FeatureNumbers } from './features/feature-numbers.ts';
import { fillTagFeatures, MOST_TAG_FEATURES, type Side } from './features/tag-features.ts';
import { MOST_WORD_FEATURES, OFFSETS } from './features/word-features.ts';
import { WordViews } from './features/word-views.ts';
import type { TagSet } from './tag-set.ts';
import type { Words } from './words.ts';

/** The most features that a word has. */
export const MOST_FEATURES =
  OFFSETS.reduce<number>((sum, offset) => sum + MOST_WORD_FEATURES[Math.abs(offset)], 0) +
  MOST_CONTEXT_FEATURES +
  2 * MOST_TAG_FEATURES;

/** What speaks for the tags of the words of a sentence: the known features of each. */
export class Evidence {
  /** Of each word the numbers of its known features, `MOST_FEATURES` apart. */
  rows = new Int32Array(MOST_FEATURES);
  counts = new Int32Array(1);
  /** The features of single words. */
  readonly views: WordViews;
  private readonly list = new FeatureHashes(Math.max(MOST_CONTEXT_FEATURES, MOST_TAG_FEATURES));

  constructor(
    private readonly features: FeatureNumbers,
    private readonly tags: TagSet,
  ) {
    this.views = new WordViews(features.all);
  }

  /** Makes room for a sentence, of which nothing has been looked at. */
  open(length: number): void {
    if (length > this.counts.length) {
      this.counts = new Int32Array(2 * length);
      this.rows = new Int32Array(2 * length * MOST_FEATURES);
    }
    this.counts.fill(0, 0, length);
  }

  /** Looks at the text that word i stands in; first come the features of single words. Returns how many these are. */
  lookAtText(words: Words, i: number): number {
    for (let view = 0; view < OFFSETS.length; view++) this.addView(words, i, view);
    const count = this.counts[i];
    fillContextFeatures(this.list, words, i);
    this.addKnown(i);
    return count;
  }

  /** Looks at the tags on one side of word i, which are known. */
  lookAtTags(words: Words, i: number, bundles: Int32Array, side: Side): void {
    fillTagFeatures(this.list, words, i, this.tags, bundles, side);
    this.addKnown(i);
  }

  /** Forgets what has been looked at for word i. */
  clear(i: number): void {
    this.counts[i] = 0;
  }

  private addView(words: Words, i: number, view: number): void {
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
