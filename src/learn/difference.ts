import type { AveragedWeights } from './weights.ts';

/** Room to count in for each weight: all zero between uses, so that vectors over them can share it. */
export class CountingRoom {
  private room: Int16Array | undefined;

  constructor(private readonly size: number) {}

  get counts(): Int16Array {
    this.room ??= new Int16Array(this.size);
    return this.room;
  }
}

/** The features of one answer minus those of another: a sparse vector of small whole numbers. */
export class FeatureDifference {
  private indices = new Int32Array(1024);
  private signs = new Int8Array(1024);
  private size = 0;

  constructor(
    private readonly weights: AveragedWeights,
    private readonly room = new CountingRoom(weights.size),
  ) {}

  clear(): void {
    this.size = 0;
  }

  /** Adds the features (hashes[0…count−1] XOR `label`) cut to the weights' size; −1 takes them away. */
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
    const { indices, size } = this;
    const counts = this.count();
    let sum = 0;
    for (let k = 0; k < size; k++) {
      sum += counts[indices[k]] ** 2;
      counts[indices[k]] = 0;
    }
    return sum;
  }

  /** Writes the inner products with the first `count` vectors, over the same weights, into products[at…]. */
  products(vectors: readonly FeatureDifference[], count: number, products: Float64Array, at: number): void {
    const { indices, size } = this;
    const counts = this.count();
    for (let v = 0; v < count; v++) products[at + v] = vectors[v].sumOf(counts);
    for (let k = 0; k < size; k++) counts[indices[k]] = 0;
  }

  /** Writes the vector into the room, to be cleared after use. */
  private count(): Int16Array {
    const { indices, signs, size } = this;
    const { counts } = this.room;
    for (let k = 0; k < size; k++) counts[indices[k]] += signs[k];
    return counts;
  }

  private sumOf(counts: Int16Array): number {
    const { indices, signs, size } = this;
    let sum = 0;
    for (let k = 0; k < size; k++) sum += signs[k] * counts[indices[k]];
    return sum;
  }

  /** Adds the vector times `step` to the weights. */
  apply(step: number): void {
    const { indices, signs, size, weights } = this;
    for (let k = 0; k < size; k++) weights.add(indices[k], step * signs[k]);
  }
}
