import type { DecoderOptions } from './decoder.ts';
import { KBestLists, leftRankOf, rightRankOf, splitOf } from './eisner-k-best-lists.ts';

/**
 * The k best projective trees: Eisner's algorithm (1996, C96-1058) with a list of the k best derivations for
 * every span, as McDonald, Crammer & Pereira (2005, P05-1012) learn from. O(n³ + n² k²) time, O(n² k) memory.
 *
 * Spans are those of `EisnerChart`, and every tree has one derivation, so that different derivations are
 * different trees. A single root is exact: of the arcs of the root only those with nothing to their left
 * under it are built.
 */
export class EisnerKBest {
  private readonly singleRoot: boolean;
  /** At h * size + d: the arc from h to d, with everything between its ends. */
  private readonly arcs: KBestLists;
  /** At h * size + e: whole subtrees from the head h to the other end e. */
  private readonly spans: KBestLists;
  private capacity = 0;
  /** Spans still to be read, as triples (head, other end, rank). */
  private stack = new Int32Array(0);

  /** `k` is 1…255. */
  constructor({ singleRoot }: DecoderOptions, k: number) {
    this.singleRoot = singleRoot;
    this.arcs = new KBestLists(k);
    this.spans = new KBestLists(k);
  }

  /**
   * Writes the k best trees of a score matrix, or all where there are fewer, into trees[0…], best first, and
   * returns how many they are. Scores are as in `Decoder`, and finite; n is below 2¹⁵; each tree takes n + 1
   * entries. Of equal trees a fixed order decides which come first, and which are left out.
   */
  decode(scores: Float32Array, n: number, trees: readonly Int32Array[]): number {
    this.reserve(n + 1);
    this.fill(scores, n);
    const count = this.spans.counts[n];
    for (let rank = 0; rank < count; rank++) this.readTree(rank, n, trees[rank]);
    return count;
  }

  private reserve(size: number): void {
    if (size <= this.capacity) return;
    this.capacity = Math.max(size, Math.ceil(1.25 * this.capacity));
    this.arcs.reserve(this.capacity ** 2);
    this.spans.reserve(this.capacity ** 2);
    this.stack = new Int32Array(6 * this.capacity);
  }

  /** By rising right end j, and for each by falling left end i: the parts of a span are there before it. */
  private fill(scores: Float32Array, n: number): void {
    const { arcs, spans, singleRoot } = this;
    const size = n + 1;
    for (let j = 0; j <= n; j++) {
      const column = j * size;
      spans.setSingle(column + j);
      for (let i = j - 1; i >= 0; i--) {
        const row = i * size;
        const lastSplit = singleRoot && i === 0 ? 1 : j;
        arcs.combine(row + j, i + 1, lastSplit, spans, row - 1, spans, column, 1);
        if (i > 0) {
          arcs.copy(row + j, column + i, scores[column + i]);
          spans.combine(column + i, i, j - 1, arcs, column, spans, i, size);
        }
        arcs.copy(row + j, row + j, scores[row + j]);
        spans.combine(row + j, i + 1, j, arcs, row, spans, j, size);
      }
    }
  }

  private readTree(rank: number, n: number, heads: Int32Array): void {
    const { arcs, spans, stack } = this;
    heads[0] = -1;
    let top = this.push(0, 0, n, rank);
    while (top > 0) {
      top -= 3;
      const h = stack[top];
      const e = stack[top + 1];
      if (h === e) continue;
      const whole = spans.at(h * (n + 1) + e, stack[top + 2]);
      const d = splitOf(whole);
      heads[d] = h;
      const inside = arcs.at(h * (n + 1) + d, leftRankOf(whole));
      const middle = splitOf(inside);
      top = this.push(top, d, e, rightRankOf(whole));
      top = this.push(top, Math.min(h, d), middle - 1, leftRankOf(inside));
      top = this.push(top, Math.max(h, d), middle, rightRankOf(inside));
    }
  }

  private push(top: number, head: number, end: number, rank: number): number {
    this.stack[top] = head;
    this.stack[top + 1] = end;
    this.stack[top + 2] = rank;
    return top + 3;
  }
}
