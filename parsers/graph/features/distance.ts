/** Encodings of arc length in features: seven buckets, up to 4, the exact length, or none (direction only). */
export const distanceKinds = ['bucket', 'capped', 'exact', 'none'] as const;
export type DistanceKind = (typeof distanceKinds)[number];

/** `capped` counts longer arcs as arcs of this length: 1, 2, 3, ≥ 4. */
const mostCapped = 4;

/**
 * Direction and distance of arcs as one small number from 1 on, odd if the dependent is to the right. Buckets are those
 * of MSTParser's code (1, 2, 3, 4, 5, 6–10, more): 14 numbers, which together with 0 (neither) fit into a block of 16
 * weights.
 */
export class Distances {
  /** by[d - h + offset]: the number of the arc h → d. */
  private by = new Int32Array(0);
  private offset = 0;

  constructor(private readonly kind: DistanceKind) {}

  /** Number of codes, 0 (neither) included, in sentences of n tokens. */
  count(n: number): number {
    if (this.kind === 'none') return 3;
    if (this.kind === 'exact') return 2 * n + 1;
    return this.kind === 'bucket' ? 15 : 2 * mostCapped + 1;
  }

  /** Table for sentences of up to n tokens: the number of h → d, shifted left, at [d − h + offset]. */
  table(n: number, shift: number): { numbers: Int32Array; offset: number } {
    if (this.offset < n) {
      this.offset = Math.max(n, 2 * this.offset);
      this.by = new Int32Array(2 * this.offset + 1);
      for (let length = 1; length <= this.offset; length++) {
        const bucket = this.bucket(length);
        this.by[this.offset + length] = (2 * bucket + 1) << shift;
        this.by[this.offset - length] = (2 * bucket + 2) << shift;
      }
    }
    return { numbers: this.by, offset: this.offset };
  }

  nameOf(h: number, d: number): string {
    const direction = d > h ? 'right' : 'left';
    if (this.kind === 'none') return direction;
    const length = Math.abs(d - h);
    if (this.kind === 'capped' && length >= mostCapped) return `${direction} ${mostCapped} or more`;
    if (this.kind === 'exact' || length <= 5) return `${direction} ${length}`;
    return length <= 10 ? `${direction} 6–10` : `${direction} over 10`;
  }

  private bucket(length: number): number {
    if (this.kind === 'none') return 0;
    if (this.kind === 'exact') return length - 1;
    if (this.kind === 'capped') return Math.min(length, mostCapped) - 1;
    return length <= 5 ? length - 1 : length <= 10 ? 5 : 6;
  }
}
