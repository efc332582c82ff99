import type { EncodedColumn, EncodedSentence } from '../../../src/encoding/columns.ts';
import { finish, mix } from '../../../src/learn/hashing.ts';
import { HashedPart } from './hashed-part.ts';
import type { PartTemplate } from './templates.ts';

/**
 * The features of parts of trees that are made of three or four tokens, as 32-bit hashes. A hash is the XOR
 * of what a template reads at each of the tokens, hashed once per token, and of a small number for how the
 * tokens lie.
 */
export class PartFeatures {
  /** Number of templates, so of features of a part. */
  readonly count: number;
  private readonly tokens: readonly HashedPart[];
  /** By template: the XOR of what it reads at the tokens that parts share (`share`). */
  private readonly shared: Int32Array;

  /**
   * @param size tokens of a part
   * @param seed tells these parts from others that share their weights
   */
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
      return new HashedPart(parts, columns);
    });
  }

  /** Hashes what the templates read at each token of a sentence, which the other methods are about. */
  prepare({ length, columns }: EncodedSentence): void {
    for (const token of this.tokens) token.hash(length, columns);
  }

  /** The score of a part of three tokens under weights whose number is a power of two. */
  scoreOfThree(weights: Int16Array, a: number, b: number, c: number, number: number): number {
    const { count } = this;
    const [{ hashes: ofA }, { hashes: ofB }, { hashes: ofC }] = this.tokens;
    const mask = weights.length - 1;
    let sum = 0;
    for (let t = 0, i = a * count, j = b * count, k = c * count; t < count; t++) {
      sum = (sum + weights[(ofA[i++] ^ ofB[j++] ^ ofC[k++] ^ number) & mask]) | 0;
    }
    return sum;
  }

  /** Makes parts those that have two tokens in common, at places p and q, and lie alike: see `scoreWith`. */
  share(p: number, a: number, q: number, b: number, number: number): void {
    const { count, shared, tokens } = this;
    const { hashes: ofA } = tokens[p];
    const { hashes: ofB } = tokens[q];
    for (let t = 0, i = a * count, j = b * count; t < count; t++) shared[t] = ofA[i++] ^ ofB[j++] ^ number;
  }

  /** The score of such a part with the token c at its third place, r. */
  scoreWith(weights: Int16Array, r: number, c: number): number {
    const { count, shared, tokens } = this;
    const { hashes } = tokens[r];
    const mask = weights.length - 1;
    let sum = 0;
    for (let t = 0, k = c * count; t < count; t++)
      sum = (sum + weights[(shared[t] ^ hashes[k++]) & mask]) | 0;
    return sum;
  }

  /** The score of a part of four tokens. */
  scoreOfFour(weights: Int16Array, a: number, b: number, c: number, d: number, number: number): number {
    const { count } = this;
    const [{ hashes: ofA }, { hashes: ofB }, { hashes: ofC }, { hashes: ofD }] = this.tokens;
    const mask = weights.length - 1;
    let sum = 0;
    for (let t = 0, i = a * count, j = b * count, k = c * count, l = d * count; t < count; t++) {
      sum = (sum + weights[(ofA[i++] ^ ofB[j++] ^ ofC[k++] ^ ofD[l++] ^ number) & mask]) | 0;
    }
    return sum;
  }

  /** Writes the hashes of a part, given by its tokens, into `target` from `at`; returns where they end. */
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
