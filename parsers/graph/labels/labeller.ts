import type { LabelFeatures } from './label-features.ts';

/** How many low bits of a feature's index the numbers of labels take. */
export function labelBits(labelCount: number): number {
  return Math.max(4, Math.ceil(Math.log2(labelCount)));
}

/**
 * Chooses the label of an arc: a multi-class linear classifier over the arc's features.
 *
 * The weight of a feature for label l stands at (hash XOR l): the weights of one feature are neighbours in
 * memory, and those of all features share the table evenly.
 */
export class Labeller {
  /** How many features the arc last asked for has. */
  count = 0;
  /** Scores of its candidates, in their order. */
  readonly scores: Int32Array;

  constructor(
    readonly features: LabelFeatures,
    labelCount: number,
  ) {
    this.scores = new Int32Array(labelCount);
  }

  /** The best candidate for the arc h → d of the sentence that was prepared; of equal ones the first. */
  best(weights: Int16Array, h: number, d: number, candidates: Int32Array): number {
    if (candidates.length === 1) return candidates[0];
    this.score(weights, h, d, candidates);
    return candidates[indexOfLargest(this.scores, candidates.length)];
  }

  /** Fills `scores`, and the hashes of `features`, for the arc h → d. */
  score(weights: Int16Array, h: number, d: number, candidates: Int32Array): void {
    const { features, scores } = this;
    const mask = weights.length - 1;
    const count = features.list(h, d);
    const { hashes } = features;
    for (let c = 0; c < candidates.length; c++) {
      const label = candidates[c];
      let sum = 0;
      for (let k = 0; k < count; k++) sum = (sum + weights[(hashes[k] ^ label) & mask]) | 0;
      scores[c] = sum;
    }
    this.count = count;
  }
}

/** The place of the largest of the first `size` numbers; of equal ones the first. */
export function indexOfLargest(numbers: Int32Array, size: number): number {
  let best = 0;
  for (let i = 1; i < size; i++) if (numbers[i] > numbers[best]) best = i;
  return best;
}
