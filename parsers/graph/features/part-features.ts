import type { EncodedColumn, EncodedSentence } from '../../../src/encoding/columns.ts';
import { columnStart, neighbour } from '../../../src/encoding/columns.ts';
import { finish, mix } from '../../../src/learn/hashing.ts';
import type { PartTemplate } from './templates.ts';

export type PlacedField = { readonly column: string; readonly offset: number };

export class HashedFields {
  readonly count: number;
  /** [token * count + template], tokens from 0 (the root). */
  hashes = new Int32Array(0);
  private running = new Int32Array(0);
  private readonly seeds: Int32Array;
  /** Column and offset of every field; those of template t start at starts[t]. */
  private readonly fields: Int32Array;
  private readonly starts: Int32Array;

  constructor(
    templates: readonly { readonly fields: readonly PlacedField[]; readonly seed: number }[],
    columns: readonly string[],
  ) {
    this.count = templates.length;
    this.seeds = Int32Array.from(templates, ({ seed }) => seed);
    this.fields = Int32Array.from(
      templates.flatMap(({ fields }) => fields.flatMap((f) => [columns.indexOf(f.column), f.offset])),
    );
    this.starts = new Int32Array(this.count + 1);
    for (const [t, { fields }] of templates.entries())
      this.starts[t + 1] = this.starts[t] + 2 * fields.length;
  }

  hash(n: number, columns: Int32Array): void {
    const { count, fields, starts, seeds } = this;
    if (this.hashes.length < (n + 1) * count) {
      this.hashes = new Int32Array(2 * (n + 1) * count);
      this.running = new Int32Array(2 * (n + 1));
    }
    const { hashes, running } = this;
    for (let t = 0; t < count; t++) {
      running.fill(seeds[t], 0, n + 1);
      for (let f = starts[t]; f < starts[t + 1]; f += 2) {
        const start = columnStart(n, fields[f]);
        const offset = fields[f + 1];
        for (let i = 0; i <= n; i++) running[i] = mix(running[i], columns[start + neighbour(n, i, offset)]);
      }
      for (let i = 0; i <= n; i++) hashes[i * count + t] = finish(running[i]);
    }
  }

  /** Sums weights into target[start + token * kinds + number], numbers (distance.ts) 1…kinds−1 << `shift`. */
  score(weights: Int16Array, kinds: number, shift: number, n: number, target: Int32Array, start: number) {
    const { count, hashes } = this;
    const mask = weights.length - 1;
    target.fill(0, start, start + (n + 1) * kinds);
    for (let i = 0; i <= n; i++) {
      const row = start + i * kinds;
      for (let t = 0; t < count; t++) {
        const hash = hashes[i * count + t];
        const bare = weights[hash & mask];
        for (let kind = 1; kind < kinds; kind++)
          target[row + kind] += bare + weights[(hash ^ (kind << shift)) & mask];
      }
    }
  }

  list(i: number, target: Int32Array, at: number): number {
    for (let t = 0; t < this.count; t++) target[at + t] = this.hashes[i * this.count + t];
    return at + this.count;
  }
}

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
