/**
 * How a derivation is written as one number: where its span is split, and the ranks of its two parts there.
 */
const SPLIT_SHIFT = 16;
const LEFT_SHIFT = 8;
const RANK_MASK = 0xff;

export const splitOf = (derivation: number): number => derivation >>> SPLIT_SHIFT;
export const leftRankOf = (derivation: number): number => (derivation >>> LEFT_SHIFT) & RANK_MASK;
export const rightRankOf = (derivation: number): number => derivation & RANK_MASK;

/**
 * The k best derivations of every span of one kind, best first. A span is a number; its list begins at
 * span * k in `scores` and `derivations`.
 */
export class KBestLists {
  scores = new Float64Array(0);
  derivations = new Int32Array(0);
  /** At each span: how many derivations its list has, k or all that there are. */
  counts = new Uint8Array(0);

  /** `k` is 1…255. */
  constructor(private readonly k: number) {}

  /** Makes room for this many spans; what the lists held is lost. */
  reserve(spans: number): void {
    this.scores = new Float64Array(spans * this.k);
    this.derivations = new Int32Array(spans * this.k);
    this.counts = new Uint8Array(spans);
  }

  /** The derivation of a span that has this rank, 0 the best. */
  at(span: number, rank: number): number {
    return this.derivations[span * this.k + rank];
  }

  /** A span of one token: a single derivation of score 0. */
  setSingle(span: number): void {
    this.scores[span * this.k] = 0;
    this.counts[span] = 1;
  }

  /** Gives the span `to` the list of `from`, with `more` added to every score. */
  copy(from: number, to: number, more: number): void {
    const { k, scores, derivations, counts } = this;
    for (let rank = 0; rank < counts[from]; rank++) {
      scores[to * k + rank] = scores[from * k + rank] + more;
      derivations[to * k + rank] = derivations[from * k + rank];
    }
    counts[to] = counts[from];
  }

  /**
   * Fills a span's list from its parts: for each split from…to the spans leftRow + split and
   * rightStart + split * rightStride.
   *
   * This is algorithm 2 of Huang & Chiang (2005, W05-1506), one list being both queue and answer: what lies
   * before `rank` is final, and a derivation taken from there is followed at best by those whose one part is
   * next in rank. The left rank may rise at any time, the right rank only while the left is 0, so that every
   * pair is reached once.
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

  /** Puts a derivation into the list that begins at `start`, behind those as good; returns the new count. */
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
