import type { DecoderOptions } from './decoder.ts';

/** A derivation is a number: 16 bits for the split point of its span, 8 for the rank of each part. */
const SPLIT_SHIFT = 16;
const LEFT_SHIFT = 8;
const RANK_MASK = 0xff;
/** Maximum number of derivations of a span. */
export const MOST_RANKS = RANK_MASK;

export const splitOf = (derivation: number): number => derivation >>> SPLIT_SHIFT;
export const leftRankOf = (derivation: number): number => (derivation >>> LEFT_SHIFT) & RANK_MASK;
export const rightRankOf = (derivation: number): number => derivation & RANK_MASK;

/** Lists of the k best derivations of spans, the best first; span s has the entries from s * k on. */
export class KBestLists {
  scores = new Float64Array(0);
  derivations = new Int32Array(0);
  /** The length of each span's list: k, or fewer if there are no more derivations. */
  counts = new Uint8Array(0);

  constructor(private readonly k: number) {}

  reserve(spans: number): void {
    this.scores = new Float64Array(spans * this.k);
    this.derivations = new Int32Array(spans * this.k);
    this.counts = new Uint8Array(spans);
  }

  at(span: number, rank: number): number {
    return this.derivations[span * this.k + rank];
  }

  /** Fills a span's list with items that have no parts, given their falling scores; the derivation is the item's rank. */
  setItems(span: number, scores: readonly number[]): void {
    for (const [rank, score] of scores.entries()) {
      this.scores[span * this.k + rank] = score;
      this.derivations[span * this.k + rank] = rank;
    }
    this.counts[span] = scores.length;
  }

  /** Makes a span of one word, with score 0. */
  setSingle(span: number): void {
    this.scores[span * this.k] = 0;
    this.counts[span] = 1;
  }

  /** Copies the list of span `from` to span `to`, adding `more` to every score. */
  copy(from: number, to: number, more: number): void {
    const { k, scores, derivations, counts } = this;
    for (let rank = 0; rank < counts[from]; rank++) {
      scores[to * k + rank] = scores[from * k + rank] + more;
      derivations[to * k + rank] = derivations[from * k + rank];
    }
    counts[to] = counts[from];
  }

  /**
   * Fills a span's list from its parts, the spans leftRow + split and rightStart + split * rightStride, by
   * algorithm 2 of Huang & Chiang (2005, W05-1506). The list is queue and result at once: entries up to `rank`
   * are final, and each adds its successors. The left rank may always rise, the right rank only while the left
   * one is 0, so every pair is reached once.
   */
  combine(
    span: number,
    from: number,
    to: number,
    left: KBestLists,
    leftRow: number,
    right: KBestLists,
    rightStart: number,
    rightStride: number,
  ): void {
    const { k, derivations } = this;
    const start = span * k;
    let count = 0;
    for (let split = from; split <= to; split++) {
      const score = left.scores[(leftRow + split) * k] + right.scores[(rightStart + split * rightStride) * k];
      count = this.insert(start, count, score, split << SPLIT_SHIFT);
    }
    for (let rank = 0; rank < count; rank++) {
      const derivation = derivations[start + rank];
      const a = leftRankOf(derivation);
      const b = rightRankOf(derivation);
      const leftSpan = leftRow + splitOf(derivation);
      const rightSpan = rightStart + splitOf(derivation) * rightStride;
      if (a + 1 < left.counts[leftSpan]) {
        const score = left.scores[leftSpan * k + a + 1] + right.scores[rightSpan * k + b];
        count = this.insert(start, count, score, derivation + (1 << LEFT_SHIFT));
      }
      if (a === 0 && b + 1 < right.counts[rightSpan]) {
        const score = left.scores[leftSpan * k] + right.scores[rightSpan * k + b + 1];
        count = this.insert(start, count, score, derivation + 1);
      }
    }
    this.counts[span] = count;
  }

  /** Inserts a derivation into the list at `start`, after equal scores; returns the new count. */
  private insert(start: number, count: number, score: number, derivation: number): number {
    const { k, scores, derivations } = this;
    const isFull = count === k;
    let p = start + count;
    if (isFull && !(score > scores[--p])) return count;
    for (; p > start && scores[p - 1] < score; p--) {
      scores[p] = scores[p - 1];
      derivations[p] = derivations[p - 1];
    }
    scores[p] = score;
    derivations[p] = derivation;
    return isFull ? count : count + 1;
  }
}

/**
 * Finds the k best projective trees: Eisner's algorithm (1996, C96-1058) with k derivations per span, as in
 * McDonald, Crammer & Pereira (2005, P05-1012). O(n³ + n² k²) time, O(n² k) memory. Spans are as in
 * `EisnerChart`; every tree has exactly one derivation. With a single root, the root's dependent must cover all
 * tokens to its left.
 */
export class EisnerKBest {
  /** At h * size + d: the incomplete span of the arc h → d. */
  private readonly arcs: KBestLists;
  /** At h * size + e: the complete span with head h and other end e. */
  private readonly spans: KBestLists;
  private capacity = 0;
  private stack = new Int32Array(0);

  /** `k` is 1…`MOST_RANKS`. */
  constructor(
    private readonly options: DecoderOptions,
    k: number,
  ) {
    this.arcs = new KBestLists(k);
    this.spans = new KBestLists(k);
  }

  /**
   * Writes the k best trees (n + 1 entries each) into `trees`, best first; returns their number, k or fewer.
   * Scores are as in `Decoder`, and finite; n < 2¹⁵. Ties have a fixed order.
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

  /** Fills the chart by rising right end j, then falling left end i, so that the parts of a span come before it. */
  private fill(scores: Float32Array, n: number): void {
    const { arcs, spans, options } = this;
    const size = n + 1;
    for (let j = 0; j <= n; j++) {
      const column = j * size;
      spans.setSingle(column + j);
      for (let i = j - 1; i >= 0; i--) {
        const row = i * size;
        const lastSplit = options.singleRoot && i === 0 ? 1 : j;
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
