import type { ArcFeatures } from './arc-features.ts';

/** How many low bits of a feature's index the numbers of labels take. */
export function labelBits(labelCount: number): number {
  return Math.max(4, Math.ceil(Math.log2(labelCount)));
}

/**
 * Chooses the label of an arc: a multi-class linear classifier over the arc's features.
 *
 * The weight of a feature for label l stands at (hash XOR l): the weights of one feature are neighbours in memory, and
 * those of all features share the table evenly.
 */
export class Labeller {
  private readonly hashes: Int32Array;
  private readonly sums: Int32Array;

  constructor(
    private readonly features: ArcFeatures,
    labelCount: number,
  ) {
    this.hashes = new Int32Array(features.mostPerArc);
    this.sums = new Int32Array(labelCount);
  }

  /** The best candidate for the arc h → d of the sentence that the features were prepared for; the first wins ties. */
  best(weights: Int16Array, h: number, d: number, candidates: Int32Array): number {
    const size = candidates.length;
    if (size === 1) return candidates[0];
    const { hashes, sums } = this;
    const mask = weights.length - 1;
    const count = this.features.list(h, d, hashes);
    sums.fill(0, 0, size);
    for (let k = 0; k < count; k++) {
      const hash = hashes[k];
      for (let c = 0; c < size; c++) sums[c] += weights[(hash ^ candidates[c]) & mask];
    }
    let best = 0;
    for (let c = 1; c < size; c++) if (sums[c] > sums[best]) best = c;
    return candidates[best];
  }
}
