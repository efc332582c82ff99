import { FeatureHashes } from '../../features/feature-hashes.ts';
import { type HashIndex, NONE } from '../../features/hash-index.ts';
import { FIELDS, Field, PAD, type Words } from '../words.ts';
import { fillWordFeatures, MOST_WORD_FEATURES, OFFSETS } from './word-features.ts';

/** How many features a word has at most, seen from each place, and one number more: how many they are. */
const ROOM = OFFSETS.map((offset) => 1 + MOST_WORD_FEATURES[Math.abs(offset)]);
/** Where those of each begin. */
const START = ROOM.map((_, view) => ROOM.slice(0, view).reduce((a, b) => a + b, 0));
const WIDTH = ROOM.reduce((a, b) => a + b, 0);

/**
 * The known features of single words, as numbers. They depend on the word alone, and on how far off it is seen
 * from (a view): each is looked up once for every different word.
 */
export class WordViews {
  /** Of each word and view one more than the number of its features (0: not yet looked up), then these. */
  numbers = new Int32Array(1024 * WIDTH);
  private readonly list = new FeatureHashes(MOST_WORD_FEATURES[0]);

  constructor(private readonly features: HashIndex) {}

  /** Where in `numbers` those of the word begin that is seen from word i. */
  find({ data }: Words, i: number, view: number): number {
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
