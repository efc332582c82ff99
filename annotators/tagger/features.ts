import { lengthened } from '../../src/typed-arrays.ts';
import { type HashIndex, NONE } from '../hash-index.ts';
import { FeatureHashes } from '../hashed-features.ts';
import { type TagSet, UNSEEN } from './tag-set.ts';
import { BEGINNINGS, ENDINGS, type EncodedWords, FIELDS, Field, PAD } from './words.ts';

/** The features with weights, numbered: text features below `text`, then features of neighbours' tags. */
export type FeatureNumbers = { readonly all: HashIndex; readonly text: number };
/** A word is tagged by single-word features of the words at these offsets. A view is a word seen from an offset. */
export const OFFSETS = [0, -1, 1, -2, 2] as const;
const MOST_WORD_FEATURES = [24, 3, 1] as const;

/** Fills in the features of the word with fields at `at`, seen at this offset from the word to be tagged. */
export function fillWordFeatures(list: FeatureHashes, data: Int32Array, at: number, offset: number): void {
  list.clear();
  if (offset === 0) addOwnFeatures(list, data, at);
  else addNearFeatures(list, data, at, offset);
}

function addNearFeatures(list: FeatureHashes, data: Int32Array, at: number, offset: number): void {
  const template = 50 + 10 * offset;
  list.add(template, data[at + Field.lower]);
  if (Math.abs(offset) > 1) return;
  list.add(template + 1, data[at + Field.endings + 2]);
  list.add(template + 2, data[at + Field.ambiguity]);
}

/** The features of the word to be tagged: its form, affixes, shape, and the lexicon's knowledge of its tags. */
function addOwnFeatures(list: FeatureHashes, data: Int32Array, at: number): void {
  const shape = data[at + Field.shape];
  list.add(1, 0);
  list.add(2, data[at + Field.lower]);
  list.add(3, data[at + Field.form]);
  list.add(4, shape);
  list.add(5, data[at + Field.ambiguity]);
  list.add(6, data[at + Field.usual]);
  list.add(7, data[at + Field.endings + 2], shape);
  list.add(8, data[at + Field.ambiguity], shape);
  const isUnseen = data[at + Field.ambiguity] === UNSEEN;
  for (let k = 0; k < ENDINGS; k++) {
    const hash = data[at + Field.endings + k];
    if (hash === 0) break;
    list.add(10 + k, hash);
    if (isUnseen) list.add(30 + k, hash, shape);
  }
  for (let k = 0; k < BEGINNINGS; k++) {
    const hash = data[at + Field.beginnings + k];
    if (hash !== 0) list.add(20 + k, hash);
  }
}

const MOST_CONTEXT_FEATURES = 24;

/** The features of word i (from 0) that combine several words of the text, or depend on its place. */
export function fillContextFeatures(list: FeatureHashes, { data, length }: EncodedWords, i: number): void {
  const at = (PAD + i) * FIELDS;
  const [w, shape, amb, usual] = [at + Field.lower, at + Field.shape, at + Field.ambiguity, at + Field.usual];
  const word = data[w];
  const [w1, w2] = [data[w - FIELDS], data[w - 2 * FIELDS]];
  const [n1, n2] = [data[w + FIELDS], data[w + 2 * FIELDS]];
  const [a, a1, n1a, n2a] = [data[amb], data[amb - FIELDS], data[amb + FIELDS], data[amb + 2 * FIELDS]];
  const s = data[at + Field.endings + 2];
  const h = data[shape];
  list.clear();
  list.add(100, w1, word);
  list.add(101, word, n1);
  list.add(102, w1, n1);
  list.add(103, w1, w2);
  list.add(104, n1, n2);
  list.add(105, h, i === 0 ? 1 : 0);
  list.add(106, data[at + Field.flags]);
  list.add(107, data[shape - FIELDS], h);
  list.add(108, h, data[shape + FIELDS]);
  list.add(109, n1a, n2a);
  list.add(110, a1, n1a);
  list.add(111, a, n1a);
  list.add(112, a1, a);
  list.add(113, s, n1a);
  list.add(114, s, a1);
  list.add(115, data[usual], data[usual + FIELDS]);
  list.add(116, data[(PAD + length - 1) * FIELDS + Field.lower]);
}

/** The side of a word on which the tags are already predicted: the offset of the nearest neighbour there. */
export const Side = { before: -1, after: 1 } as const;
export type Side = (typeof Side)[keyof typeof Side];
const MOST_TAG_FEATURES = 20;
const NO_TAGS = -1;

/** Fills in the features of word i from the tags (UPOS and bundle) of the two nearest words on one side. */
export function fillTagFeatures(
  list: FeatureHashes,
  { data, length }: EncodedWords,
  i: number,
  { uposOfBundle }: TagSet,
  bundles: Int32Array,
  side: Side,
): void {
  const [near, far] = [i + side, i + 2 * side];
  const bundle1 = near >= 0 && near < length ? bundles[near] : NO_TAGS;
  const bundle2 = far >= 0 && far < length ? bundles[far] : NO_TAGS;
  const tag1 = bundle1 === NO_TAGS ? NO_TAGS : uposOfBundle[bundle1];
  const tag2 = bundle2 === NO_TAGS ? NO_TAGS : uposOfBundle[bundle2];
  const at = (PAD + i) * FIELDS;
  const opposite = at - side * FIELDS;
  const word = data[at + Field.lower];
  const amb = data[at + Field.ambiguity];
  const ending = data[at + Field.endings + 2];
  const template = 250 + 50 * side;
  list.clear();
  list.add(template, tag1);
  list.add(template + 1, tag1, tag2);
  list.add(template + 2, tag1, word);
  list.add(template + 3, tag1, data[opposite + Field.lower]);
  list.add(template + 4, tag1, data[opposite + Field.ambiguity]);
  list.add(template + 5, tag1, amb);
  list.add(template + 6, tag1, ending);
  list.add(template + 7, tag2, word);
  list.add(template + 8, tag1, tag2, amb);
  list.add(template + 9, tag1, tag2, word);
  list.add(template + 10, tag1, data[at + Field.shape]);
  list.add(template + 11, bundle1);
  list.add(template + 12, bundle1, bundle2);
  list.add(template + 13, bundle1, ending);
  list.add(template + 14, bundle1, amb);
  list.add(template + 15, bundle1, word);
  list.add(template + 16, bundle2, ending);
}

/** Length of an entry in the cache of each view (the number of features, then the features), and where it starts. */
const LENGTHS = OFFSETS.map((offset) => 1 + MOST_WORD_FEATURES[Math.abs(offset)]);
const STARTS = LENGTHS.map((_, view) => LENGTHS.slice(0, view).reduce((a, b) => a + b, 0));
const WIDTH = LENGTHS.reduce((a, b) => a + b, 0);

/** Caches the known features of each word in each view. */
export class WordViews {
  /** For each word and view: the number of features + 1 (0: not yet looked up), then the features. */
  numbers: Int32Array = new Int32Array(1024 * WIDTH);
  private readonly list = new FeatureHashes(MOST_WORD_FEATURES[0]);

  constructor(private readonly features: HashIndex) {}

  /** The index in `numbers` of the features in a view of word i. */
  find({ data }: EncodedWords, i: number, view: number): number {
    const at = (PAD + i + OFFSETS[view]) * FIELDS;
    const start = data[at + Field.number] * WIDTH + STARTS[view];
    const end = start + LENGTHS[view];
    if (end > this.numbers.length) this.numbers = lengthened(this.numbers, 2 * end);
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
}

export const MOST_FEATURES =
  OFFSETS.reduce<number>((sum, offset) => sum + MOST_WORD_FEATURES[Math.abs(offset)], 0) +
  MOST_CONTEXT_FEATURES +
  2 * MOST_TAG_FEATURES;

/** The known features of each word of a sentence; features of neighbouring tags are added as these are predicted. */
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

  /** Adds the text features of word i, single-word features first; returns the number of single-word features. */
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
