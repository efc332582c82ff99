import { finish } from '../../src/learn/hashing.ts';

export const EMPTY_HASH = 7;

/** The features of one decision as indices of weights: hashes modulo the number of weights (hash kernel, Bohnet 2010). */
export class FeatureList {
  readonly indices = new Int32Array(64);
  count = 0;

  /** @param size number of weights, a power of two */
  constructor(private readonly size: number) {}

  clear(): void {
    this.count = 0;
  }

  add(hash: number): void {
    this.indices[this.count++] = finish(hash) & (this.size - 1);
  }

  /** The sum of the features' weights; above 0 means yes. */
  score(weights: Int16Array): number {
    const { indices, count } = this;
    let sum = 0;
    for (let k = 0; k < count; k++) sum += weights[indices[k]];
    return sum;
  }
}
