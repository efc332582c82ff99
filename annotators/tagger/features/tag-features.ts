import type { FeatureHashes } from '../../features/feature-hashes.ts';
import type { TagSet } from '../tag-set.ts';
import { FIELDS, Field, PAD, type Words } from '../words.ts';

/** The side on which the tags of words are known: how far it is to the nearest. */
export const Side = { before: -1, after: 1 } as const;
export type Side = (typeof Side)[keyof typeof Side];

/** The most features of the tags on one side. */
export const MOST_TAG_FEATURES = 20;

/** Stands for the tags outside a sentence. */
const NO_TAGS = -1;

/** The features of word i that lie in the tags of the two words next to it on one side: universal ones, and bundles. */
export function fillTagFeatures(
  list: FeatureHashes,
  { data, length }: Words,
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
