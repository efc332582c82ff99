import type { FeatureHashes } from '../../features/feature-hashes.ts';
import { UNSEEN } from '../lexicon.ts';
import { BEGINNINGS, ENDINGS, Field } from '../words.ts';

/** How far from the word to be tagged words are looked at. */
export const OFFSETS = [0, -1, 1, -2, 2] as const;

/** The most features that a word has, by how far off it is. */
export const MOST_WORD_FEATURES = [24, 3, 1] as const;

/** The features that a word whose fields begin at `at` has by itself, seen from so many words before or after it. */
export function fillWordFeatures(list: FeatureHashes, data: Int32Array, at: number, offset: number): void {
  list.clear();
  if (offset === 0) addOwnFeatures(list, data, at);
  else addNearFeatures(list, data, at, offset);
}

/** The features of a word near the one to be tagged. */
function addNearFeatures(list: FeatureHashes, data: Int32Array, at: number, offset: number): void {
  const template = 50 + 10 * offset;
  list.add(template, data[at + Field.lower]);
  if (Math.abs(offset) > 1) return;
  list.add(template + 1, data[at + Field.endings + 2]);
  list.add(template + 2, data[at + Field.ambiguity]);
}

/** The features of the word to be tagged: its form, affixes, shape, and what is known of its tags. */
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
