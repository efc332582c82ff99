import type { EncodedColumn, EncodedSentence } from '../../../src/encoding/columns.ts';
import { columnStart, neighbour } from '../../../src/encoding/columns.ts';
import { finish, mix } from '../../../src/learn/hashing.ts';
import type { PartTemplate } from './templates.ts';

export type PlacedField = { readonly column: string; readonly offset: number };

/** Hashes of the fields that each template reads at each token of a sentence. */
export class HashedFields {
  readonly count: number;
  /** [token * count + template], tokens from 0 (the root). */
  hashes = new Int32Array(0);
  private running = new Int32Array(0);
  private readonly seeds: Int32Array;
  /** Column and offset of every field; the fields of template t start at starts[t]. */
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

  /**
   * Writes the score of each token's features for each kind (a number of direction and distance, 1 … kinds − 1) into
   * target[start + token * kinds + kind].
   */
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

  /** Writes the hashes of token i into `target` from `at`; returns where they end. */
  list(i: number, target: Int32Array, at: number): number {
    for (let t = 0; t < this.count; t++) target[at + t] = this.hashes[i * this.count + t];
    return at + this.count;
  }
}

/** Features of parts with several arcs: a hash is the XOR of the prepared hashes of each token and of the arcs' directions. */
export class PartFeatures {
  readonly count: number;
  private readonly tokens: readonly HashedFields[];
  /** By template: the XOR of the hashes of the tokens fixed by `fix` and `fixAlso`. */
  private readonly shared: Int32Array;

  /**
   * @param size number of tokens of a part
   * @param seed distinguishes these parts from others with the same weights
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
      return new HashedFields(parts, columns);
    });
  }

  prepare({ length, columns }: EncodedSentence): void {
    for (const token of this.tokens) token.hash(length, columns);
  }

  /** Fixes token a at place p, token b at place q, and the layout of the parts that `scoreWith` scores next. */
  fix(p: number, a: number, q: number, b: number, layout: number): void {
    const { count, shared, tokens } = this;
    const { hashes: ofA } = tokens[p];
    const { hashes: ofB } = tokens[q];
    for (let t = 0, i = a * count, j = b * count; t < count; t++) shared[t] = ofA[i++] ^ ofB[j++] ^ layout;
  }

  /** Fixes token c at place r as well, in parts of four tokens. */
  fixAlso(r: number, c: number): void {
    const { count, shared, tokens } = this;
    const { hashes } = tokens[r];
    for (let t = 0, k = c * count; t < count; t++) shared[t] ^= hashes[k++];
  }

  /** The score of a part with the fixed tokens and c at place r; the length of `weights` is a power of two. */
  scoreWith(weights: Int16Array, r: number, c: number): number {
    const { count, shared, tokens } = this;
    const { hashes } = tokens[r];
    const mask = weights.length - 1;
    let sum = 0;
    for (let t = 0, k = c * count; t < count; t++)
      sum = (sum + weights[(shared[t] ^ hashes[k++]) & mask]) | 0;
    return sum;
  }

  /** Writes the hashes of a part into `target` from `at`; returns where they end. */
  list(part: ArrayLike<number>, layout: number, target: Int32Array, at = 0): number {
    const { count, tokens } = this;
    for (let t = 0; t < count; t++) {
      let hash = layout;
      for (let p = 0; p < part.length; p++) hash ^= tokens[p].hashes[part[p] * count + t];
      target[at + t] = hash;
    }
    return at + count;
  }
}
