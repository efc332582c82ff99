import { columnStart, neighbour } from '../../../src/encoding/columns.ts';
import { finish, mix } from '../../../src/learn/hashing.ts';

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
