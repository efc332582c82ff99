import type { FeatureHashes } from '../features/feature-hashes.ts';
import type { TagSet } from './tag-set.ts';
import { BEGINNINGS, ENDINGS, FIELDS, Field, PAD, type Words } from './words.ts';

/** The most features that a word has. */
export const MOST_FEATURES = 96;

/**
 * The features of word i (from 0) that lie in the text: the word, its affixes and shape, and two words each way
 * with what is known of their tags.
 */
function fillTextFeatures(list: FeatureHashes, { data, length }: Words, i: number): void {
  const at = (PAD + i) * FIELDS;
  const [w, form, shape, amb] = [at + Field.lower, at + Field.form, at + Field.shape, at + Field.ambiguity];
  const word = data[w];
  const [w1, w2] = [data[w - FIELDS], data[w - 2 * FIELDS]];
  const [n1, n2] = [data[w + FIELDS], data[w + 2 * FIELDS]];
  const [a, a1, n1a, n2a] = [data[amb], data[amb - FIELDS], data[amb + FIELDS], data[amb + 2 * FIELDS]];
  const ending = at + Field.endings + 2;
  const [s, s1, ns] = [data[ending], data[ending - FIELDS], data[ending + FIELDS]];
  const h = data[shape];
  list.add(1, 0);
  list.add(2, word);
  list.add(3, data[form]);
  list.add(4, w1);
  list.add(5, n1);
  list.add(6, w2);
  list.add(7, n2);
  list.add(8, w1, word);
  list.add(9, word, n1);
  list.add(10, w1, n1);
  list.add(11, h);
  list.add(12, h, i === 0 ? 1 : 0);
  list.add(13, data[at + Field.flags]);
  for (let k = 0; k < ENDINGS; k++) {
    const hash = data[at + Field.endings + k];
    if (hash !== 0) list.add(14 + k, hash);
  }
  for (let k = 0; k < BEGINNINGS; k++) {
    const hash = data[at + Field.beginnings + k];
    if (hash !== 0) list.add(19 + k, hash);
  }
  list.add(24, s1);
  list.add(25, ns);
  list.add(26, data[shape - FIELDS], h);
  list.add(27, h, data[shape + FIELDS]);
  list.add(28, n1a);
  list.add(29, n1a, n2a);
  list.add(30, a1, n1a);
  list.add(31, a);
  list.add(32, a, n1a);
  list.add(33, a1, a);
  list.add(34, w1, w2);
  list.add(35, n1, n2);
  list.add(36, data[(PAD + length - 1) * FIELDS + Field.lower]);
  list.add(37, s, n1a);
  list.add(38, s, a1);
  list.add(39, s, h);
  list.add(40, data[at + Field.usual]);
  list.add(41, data[at + Field.usual], data[at + Field.usual + FIELDS]);
}

/** Stands for the tags before a sentence. */
const NO_TAGS = -1;

/** All features of word i of a sentence, of which the words before have their bundles of tags. */
export function fillWordFeatures(
  list: FeatureHashes,
  words: Words,
  i: number,
  tags: TagSet,
  bundles: Int32Array,
): void {
  list.clear();
  fillTextFeatures(list, words, i);
  fillTagFeatures(list, words, i, tags, bundles);
}

/** The features that lie in the tags of the two words before: universal ones, and bundles. */
function fillTagFeatures(
  list: FeatureHashes,
  { data }: Words,
  i: number,
  { uposOfBundle }: TagSet,
  bundles: Int32Array,
): void {
  const bundle1 = i > 0 ? bundles[i - 1] : NO_TAGS;
  const bundle2 = i > 1 ? bundles[i - 2] : NO_TAGS;
  const tag1 = i > 0 ? uposOfBundle[bundle1] : NO_TAGS;
  const tag2 = i > 1 ? uposOfBundle[bundle2] : NO_TAGS;
  const at = (PAD + i) * FIELDS;
  const word = data[at + Field.lower];
  const amb = data[at + Field.ambiguity];
  const ending = data[at + Field.endings + 2];
  const nextAmb = data[at + Field.ambiguity + FIELDS];
  list.add(70, tag1);
  list.add(71, tag1, tag2);
  list.add(72, tag1, word);
  list.add(73, tag1, data[at + Field.lower + FIELDS]);
  list.add(74, tag1, nextAmb);
  list.add(75, tag1, amb);
  list.add(76, tag1, ending);
  list.add(77, tag2, word);
  list.add(78, tag1, tag2, amb);
  list.add(79, tag1, tag2, word);
  list.add(80, tag1, data[at + Field.shape]);
  list.add(81, bundle1);
  list.add(82, bundle1, bundle2);
  list.add(83, bundle1, ending);
  list.add(84, bundle1, amb);
  list.add(85, bundle1, word);
  list.add(86, bundle2, ending);
}
