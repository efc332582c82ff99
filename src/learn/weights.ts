/** Weights to score with: as they are learnt, or quantized (quantize.ts). */
export type Weights = Float32Array | Int16Array;

/**
 * A weight vector that learns by additions and knows the mean of all its past values.
 *
 * The mean is kept lazily (Daumé 2006, fig. 2.4): beside each weight w stands the sum of its changes, each times
 * the number of examples seen before it; after c examples the mean is w − total / c. One addition more a change,
 * nothing an example.
 */
export class AveragedWeights {
  readonly values: Float32Array;
  readonly totals: Float64Array;
  /** Examples seen so far, from 1. */
  examples = 1;

  /** `size` must be a power of two: features are hashed into it. */
  constructor(readonly size: number) {
    this.values = new Float32Array(size);
    this.totals = new Float64Array(size);
  }

  /** Adds `step` to the weight at `index`. */
  add(index: number, step: number): void {
    this.values[index] += step;
    this.totals[index] += step * this.examples;
  }

  /** Writes the mean of the weights over all examples into `target`, and returns it. */
  average(target: Float32Array): Float32Array {
    const { values, totals, examples } = this;
    for (let i = 0; i < values.length; i++) {
      target[i] = values[i] - totals[i] / examples;
    }
    return target;
  }
}
