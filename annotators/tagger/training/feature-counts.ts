import { FeatureHashes } from '../../features/feature-hashes.ts';
import { HashIndex } from '../../features/hash-index.ts';
import { MOST_FEATURES } from '../evidence.ts';
import { fillContextFeatures } from '../features/context-features.ts';
import type { FeatureNumbers } from '../features/feature-numbers.ts';
import { fillTagFeatures, Side } from '../features/tag-features.ts';
import { fillWordFeatures, OFFSETS } from '../features/word-features.ts';
import type { TagSet } from '../tag-set.ts';
import { FIELDS, PAD } from '../words.ts';
import type { Lesson } from './training-data.ts';

/** Counts are kept by this many bits of a feature's hash: nearly exact, and small. */
const COUNT_BITS = 26;
const MOST_COUNTED = 255;

/** Numbers the features that occur `cutoff` times or more in sentences with their right tags. */
export function numberFeatures(lessons: readonly Lesson[], tags: TagSet, cutoff: number): FeatureNumbers {
  const list = new FeatureHashes(MOST_FEATURES);
  const counts = new Uint8Array(1 << COUNT_BITS);
  const shift = 32 - COUNT_BITS;
  const index = new HashIndex();
  addFrequent(forEachTextFeature);
  const text = index.size;
  addFrequent(forEachTagFeature);
  return { all: index, text };

  function addFrequent(forEach: (see: (hash: number) => void) => void): void {
    forEach((hash) => {
      const slot = hash >>> shift;
      if (counts[slot] < MOST_COUNTED) counts[slot]++;
    });
    forEach((hash) => {
      if (counts[hash >>> shift] >= cutoff) index.add(hash);
    });
  }

  function forEachTextFeature(see: (hash: number) => void): void {
    for (const { words } of lessons) {
      for (let i = 0; i < words.length; i++) {
        for (const offset of OFFSETS) {
          fillWordFeatures(list, words.data, (PAD + i + offset) * FIELDS, offset);
          seeAll(see);
        }
        fillContextFeatures(list, words, i);
        seeAll(see);
      }
    }
  }

  function forEachTagFeature(see: (hash: number) => void): void {
    for (const { words, bundles } of lessons) {
      for (let i = 0; i < words.length; i++) {
        for (const side of Object.values(Side)) {
          fillTagFeatures(list, words, i, tags, bundles, side);
          seeAll(see);
        }
      }
    }
  }

  function seeAll(see: (hash: number) => void): void {
    for (let k = 0; k < list.count; k++) see(list.hashes[k]);
  }
}
