import { UsageError } from '../../errors.ts';
import { finish, mix } from '../hashing.ts';

export type PolynomialDegree = 1 | 2 | 3;

/** Weights of common subsets: (1 + k)^d = Σᵣ c_d(r) C(k, r) (Kudo & Matsumoto 2003, section 3.2). */
export const subsetWeights: Readonly<Record<PolynomialDegree, readonly number[]>> = {
  1: [1, 1],
  2: [1, 3, 2],
  3: [1, 7, 12, 6],
};

/** Multiplier that spreads a hash to its topmost bits: the row of a hash, times `stride`, is these bits of the product. */
const SPREAD = 0x9e3779b1;
/** By size of subset, a constant that makes hashes of subsets of different sizes differ. */
const SALTS = [0x2545f491, 0, 0x5bd1e995, 0x27d4eb2f];

/**
 * The explicit feature space of the kernel (x·x′ + 1)^d over sets of binary features: every subset of r ≤ d features is a
 * feature with the value √c_d(r), so that the inner product of two expansions is the kernel. Subsets are hashed to
 * `bits` bits; values of subsets with the same hash add up.
 */
export class PolynomialFeatures {
  /** Output of `expand`: indices into a table of 2^bits rows (times `stride`), and the values of the features. */
  indices = new Int32Array(0);
  values = new Float32Array(0);
  private hashes = new Int32Array(0);
  private readonly shift: number;
  private readonly sizeValues: readonly number[];

  /** @param stride factor of indices: the number of classes if they point into the weights */
  constructor(
    readonly degree: PolynomialDegree,
    readonly bits: number,
    private readonly stride = 1,
  ) {
    if (!(bits >= 1 && bits <= 30)) throw new UsageError(`bits must be from 1 to 30, found ${bits}`);
    this.shift = 32 - bits;
    this.sizeValues = subsetWeights[degree].map(Math.sqrt);
  }

  /** Number of subsets of `count` features: Σᵣ C(count, r) over r ≤ degree. */
  subsets(count: number): number {
    const pairs = (count * (count - 1)) / 2;
    return 1 + count + (this.degree > 1 ? pairs : 0) + (this.degree > 2 ? (pairs * (count - 2)) / 3 : 0);
  }

  /** Expands the set features[from…from + count − 1] (all different, any order); returns the number of subsets. */
  expand(features: Int32Array, count: number, from = 0): number {
    this.reserve(count);
    const { hashes, degree } = this;
    for (let a = 0; a < count; a++) hashes[a] = finish(mix(0, features[from + a]));
    this.indices[0] = (Math.imul(SALTS[0], SPREAD) >>> this.shift) * this.stride;
    this.values[0] = this.sizeValues[0];
    let filled = this.addSupersets(SALTS[1], 1, 0, count, 1);
    if (degree > 1) filled = this.addPairs(SALTS[2], 2, 0, count, filled);
    if (degree > 2)
      for (let a = 0; a < count; a++) filled = this.addPairs(hashes[a] ^ SALTS[3], 3, a + 1, count, filled);
    return filled;
  }

  /** Adds the subsets of a common part (given by its hash) and two more features, from `first` on. */
  private addPairs(common: number, size: number, first: number, count: number, from: number): number {
    const { hashes } = this;
    let filled = from;
    for (let b = first; b < count; b++)
      filled = this.addSupersets(common ^ hashes[b], size, b + 1, count, filled);
    return filled;
  }

  /** Adds the subsets (of `size` features) of a common part and one more feature, from `first` on. */
  private addSupersets(common: number, size: number, first: number, count: number, from: number): number {
    const { indices, values, hashes, shift, stride } = this;
    const value = this.sizeValues[size];
    let filled = from;
    for (let c = first; c < count; c++) {
      indices[filled] = (Math.imul(common ^ hashes[c], SPREAD) >>> shift) * stride;
      values[filled++] = value;
    }
    return filled;
  }

  /**
   * Shares of `count` features in Σ weightOf(k) · value over the subsets that `expand` has listed: each subset divides its
   * term evenly among its features (these are Shapley values). The last entry is the term of the empty set.
   */
  shares(count: number, weightOf: (subset: number) => number): Float64Array {
    const shares = new Float64Array(count + 1);
    let subset = 0;
    const add = (...members: readonly number[]) => {
      const share = (weightOf(subset) * this.values[subset]) / Math.max(1, members.length);
      for (const member of members.length === 0 ? [count] : members) shares[member] += share;
      subset++;
    };
    // In the order of `expand`.
    add();
    for (let a = 0; a < count; a++) add(a);
    if (this.degree > 1) for (let a = 0; a < count; a++) for (let b = a + 1; b < count; b++) add(a, b);
    if (this.degree > 2) {
      for (let a = 0; a < count; a++)
        for (let b = a + 1; b < count; b++) for (let c = b + 1; c < count; c++) add(a, b, c);
    }
    return shares;
  }

  private reserve(count: number): void {
    if (this.hashes.length < count) this.hashes = new Int32Array(2 * count);
    const subsets = this.subsets(count);
    if (subsets <= this.indices.length) return;
    this.indices = new Int32Array(2 * subsets);
    this.values = new Float32Array(2 * subsets);
  }
}
