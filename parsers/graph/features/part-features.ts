import type { EncodedColumn, EncodedSentence } from '../../../src/encoding/columns.ts';
import { finish, mix } from '../../../src/learn/hashing.ts';
import { HashedFields } from './hashed-fields.ts';
import type { PartTemplate } from './templates.ts';

/** Hashes of larger parts' features: the XOR of prepared hashes of each token and of the arcs' directions. */
export class PartFeatures {
  readonly count: number;
  private readonly tokens: readonly HashedFields[];
  /** By template: the XOR of what it reads at shared tokens (`share`). */
  private readonly shared: Int32Array;

  /** @param seed distinguishes these parts from others with the same weights */
  constructor(
    templates: readonly PartTemplate[],
    size: number,
    columns: readonly EncodedColumn[],
    seed: number,
  ) {
    this.count = templates.length;
    this.shared = new Int32Array(this.count);
    this.tokens = Array.from({ length: size }, (_, token) => {
      const parts = templates.map((fields, t) => ({
        fields: fields[token],
        seed: mix(mix(finish(t + 1), seed), token + 1),
      }));
      return new HashedFields(parts, columns);
    });
  }

  prepare({ length, columns }: EncodedSentence): void {
    for (const token of this.tokens) token.hash(length, columns);
  }

  /** Fixes the tokens at places p and q, and the number, of parts to be scored by `scoreWith`. */
  share(p: number, a: number, q: number, b: number, number: number): void {
    const { count, shared, tokens } = this;
    const { hashes: ofA } = tokens[p];
    const { hashes: ofB } = tokens[q];
    for (let t = 0, i = a * count, j = b * count; t < count; t++) shared[t] = ofA[i++] ^ ofB[j++] ^ number;
  }

  /** Score of a part of three tokens with the fixed ones and c at place r; the length of `weights` is a power of two. */
  scoreWith(weights: Int16Array, r: number, c: number): number {
    const { count, shared, tokens } = this;
    const { hashes } = tokens[r];
    const mask = weights.length - 1;
    let sum = 0;
    for (let t = 0, k = c * count; t < count; t++)
      sum = (sum + weights[(shared[t] ^ hashes[k++]) & mask]) | 0;
    return sum;
  }

  scoreOfThree(weights: Int16Array, a: number, b: number, c: number, number: number): number {
    const { count } = this;
    const [{ hashes: ofA }, { hashes: ofB }, { hashes: ofC }] = this.tokens;
    const mask = weights.length - 1;
    let sum = 0;
    for (let t = 0, i = a * count, j = b * count, k = c * count; t < count; t++)
      sum = (sum + weights[(ofA[i++] ^ ofB[j++] ^ ofC[k++] ^ number) & mask]) | 0;
    return sum;
  }

  scoreOfFour(weights: Int16Array, a: number, b: number, c: number, d: number, number: number): number {
    const { count } = this;
    const [{ hashes: ofA }, { hashes: ofB }, { hashes: ofC }, { hashes: ofD }] = this.tokens;
    const mask = weights.length - 1;
    let sum = 0;
    for (let t = 0, i = a * count, j = b * count, k = c * count, l = d * count; t < count; t++)
      sum = (sum + weights[(ofA[i++] ^ ofB[j++] ^ ofC[k++] ^ ofD[l++] ^ number) & mask]) | 0;
    return sum;
  }

  list(part: ArrayLike<number>, number: number, target: Int32Array, at = 0): number {
    const { count, tokens } = this;
    for (let t = 0; t < count; t++) {
      let hash = number;
      for (let p = 0; p < part.length; p++) hash ^= tokens[p].hashes[part[p] * count + t];
      target[at + t] = hash;
    }
    return at + count;
  }
}
