import type { AveragedWeights } from './weights.ts';

/**
 * The uniform mixture of weight vectors that went on from the same start, each over other examples: one step of iterative
 * parameter mixing (McDonald, Hall & Mann 2010, N10-1069, section 4.2, figure 3).
 *
 * The mixed weights are the mean of the N vectors, rounded. What rounding leaves over counts in the next mixture:
 * otherwise updates below N / 2 that only one vector makes would be lost.
 *
 * The mean over time counts the weights after every example of every vector once, as if the vectors had taken turns. After
 * c examples the past values of a weight w sum up to c·w − total; what each vector added to that sum is added to the start's.
 * All numbers are integers, so that the order of the vectors does not matter.
 */
export class WeightMixture {
  /** Sums of weights; between mixtures what rounding left over, in N-ths. */
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

  /** Makes the start the mixture of the vectors added, and forgets them. */
  replace(start: AveragedWeights): void {
    const { values, sums, count } = this;
    const { values: weights, totals } = start;
    const before = start.examples;
    // The start is in the past of every vector.
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
