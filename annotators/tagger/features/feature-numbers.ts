import type { HashIndex } from '../../features/hash-index.ts';

/** The features that have weights, by number: first those of the text, then those of tags. */
export interface FeatureNumbers {
  readonly all: HashIndex;
  /** How many are of the text. */
  readonly text: number;
}
