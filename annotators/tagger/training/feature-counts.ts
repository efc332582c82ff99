import { FeatureHashes } from '../../features/feature-hashes.ts';
import { HashIndex } from '../../features/hash-index.ts';
import { fillWordFeatures, MOST_FEATURES } from '../tag-features.ts';
import type { TagSet } from '../tag-set.ts';
import type { Words } from '../words.ts';

/** Counts are kept by this many bits of a feature's hash: nearly exact, and small. */
const COUNT_BITS = 26;
const MOST_COUNTED = 255;

/** Numbers the features that occur `cutoff` times or more in sentences with their right tags. */
export function countFeatures(
  lessons: readonly { readonly words: Words; readonly bundles: Int32Array }[],
  tags: TagSet,
  cutoff: number,
): HashIndex {
  const list = new FeatureHashes(MOST_FEATURES);
  const counts = new Uint8Array(1 << COUNT_BITS);
  const shift = 32 - COUNT_BITS;
  forEachWord((hash) => {
    const slot = hash >>> shift;
    if (counts[slot] < MOST_COUNTED) counts[slot]++;
  });
  const index = new HashIndex();
  forEachWord((hash) => {
    if (counts[hash >>> shift] >= cutoff) index.add(hash);
  });
  return index;

  function forEachWord(see: (hash: number) => void): void {
    for (const { words, bundles } of lessons) {
      for (let i = 0; i < words.length; i++) {
        fillWordFeatures(list, words, i, tags, bundles);
        for (let k = 0; k < list.count; k++) see(list.hashes[k]);
      }
    }
  }
}
