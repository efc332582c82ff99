import { UNKNOWN } from '../../../src/encoding/vocabulary.ts';

/**
 * The most features that an example has: a few times what sentences of real treebanks come to. Subsets of
 * three of as many more would not fit into memory.
 */
export const MOST_FEATURES = 256;

/** A column of encoded sentences that features are made of; its values are below `size`. */
export interface FeatureColumn {
  readonly number: number;
  readonly size: number;
}

/**
 * Collects the features of one example, each once: which value there is in a slot, a slot for every place and
 * column that is looked at (one-hot). A value that is unknown is no feature.
 */
export class FeatureSet {
  /** The features collected, as numbers below `size`. */
  readonly features = new Int32Array(MOST_FEATURES);
  count = 0;
  /** How many different features there can be. */
  readonly size: number;
  private readonly bases: Int32Array;
  /** By feature: the example that had it last. */
  private readonly seen: Int32Array;
  private example = 0;

  /** @param slotSizes for each slot one more than its largest value */
  constructor(slotSizes: readonly number[]) {
    let size = 0;
    this.bases = Int32Array.from(slotSizes, (slotSize) => {
      size += slotSize;
      return size - slotSize;
    });
    this.size = size;
    this.seen = new Int32Array(size);
  }

  clear(): void {
    this.count = 0;
    this.example = (this.example + 1) | 0;
  }

  add(slot: number, value: number): void {
    const feature = this.bases[slot] + value;
    if (value === UNKNOWN || this.seen[feature] === this.example || this.count === MOST_FEATURES) return;
    this.seen[feature] = this.example;
    this.features[this.count++] = feature;
  }

  /** What a feature stands for: a slot, and the value in it. */
  meaningOf(feature: number): { readonly slot: number; readonly value: number } {
    const slot = this.bases.findLastIndex((base) => base <= feature);
    return { slot, value: feature - this.bases[slot] };
  }
}
