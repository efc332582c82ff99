import type { AveragedWeights } from './weights.ts';

/**
 * The uniform mixture of weight vectors that were trained from the same start on different examples: one step of iterative
 * parameter mixing (McDonald, Hall & Mann 2010, N10-1069, section 4.2, figure 3).
 *
 * The mixed weights are the mean of the N vectors, rounded. The rounding errors are carried over to the next mixture:
 * otherwise updates below N / 2 that only one vector makes would be lost.
 *
 * The average over time counts the weights after every example of every vector once, as if the vectors had taken turns. After
 * c examples the past values of a weight w sum to c·w − total; each vector's contribution to that sum is added to the start's.
 * All numbers are integers, so that the order of the vectors does not matter.
 */
export class WeightMixture {
  /** Sums of weights; between mixtures the rounding errors times N. */
  readonly values: Int32Array;
  /** Sums of the sums of past values. */
  private readonly sums: Float64Array;
  private count = 0;
  private examples = 0;

  constructor(size: number) {
    this.values = new Int32Array(size);
    this.sums = new Float64Array(size);
  }

  add(learnt: AveragedWeights): void {
    const { values, sums } = this;
    const { examples, values: weights, totals } = learnt;
    for (let i = 0; i < values.length; i++) {
      values[i] += weights[i];
      sums[i] += examples * weights[i] - totals[i];
    }
    this.count++;
    this.examples += examples;
  }

  /** Replaces the start by the mixture of the vectors added, and clears them. */
  replace(start: AveragedWeights): void {
    const { values, sums, count } = this;
    const { values: weights, totals } = start;
    const before = start.examples;
    // Every vector has counted the start's examples.
    const examples = this.examples - (count - 1) * before;
    for (let i = 0; i < values.length; i++) {
      const sum = sums[i] - (count - 1) * (before * weights[i] - totals[i]);
      const mixed = Math.round(values[i] / count);
      values[i] -= count * mixed;
      sums[i] = 0;
      weights[i] = mixed;
      totals[i] = examples * mixed - sum;
    }
    start.examples = examples;
    this.count = this.examples = 0;
  }
}
