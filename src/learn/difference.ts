import type { AveragedWeights } from './weights.ts';

/** The features of one answer minus those of another: a sparse vector of small whole numbers. */
export class FeatureDifference {
  private indices = new Int32Array(1024);
  private signs = new Int8Array(1024);
  private size = 0;
  /** For each weight, room to count in; all zero between calls. */
  private counts: Int16Array | undefined;

  constructor(private readonly weights: AveragedWeights) {}

  clear(): void {
    this.size = 0;
  }

  /** Adds the features hashes[0…count−1], each XOR `label` and cut to the size of the weights; `sign` −1 takes them away. */
  add(hashes: Int32Array, count: number, label: number, sign: 1 | -1): void {
    this.reserve(this.size + count);
    const mask = this.weights.size - 1;
    this.signs.fill(sign, this.size, this.size + count);
    for (let k = 0; k < count; k++) this.indices[this.size++] = (hashes[k] ^ label) & mask;
  }

  private reserve(size: number): void {
    if (size <= this.indices.length) return;
    const { indices, signs } = this;
    this.indices = new Int32Array(2 * size);
    this.indices.set(indices);
    this.signs = new Int8Array(2 * size);
    this.signs.set(signs);
  }

  /** The squared length of the vector; features that both answers have cancel out. */
  squaredNorm(): number {
    const { indices, signs, size } = this;
    this.counts ??= new Int16Array(this.weights.size);
    const { counts } = this;
    for (let k = 0; k < size; k++) counts[indices[k]] += signs[k];
    let sum = 0;
    for (let k = 0; k < size; k++) {
      sum += counts[indices[k]] ** 2;
      counts[indices[k]] = 0;
    }
    return sum;
  }

  /** Adds the vector times `step` to the weights. */
  apply(step: number): void {
    const { indices, signs, size, weights } = this;
    for (let k = 0; k < size; k++) weights.add(indices[k], step * signs[k]);
  }
}
