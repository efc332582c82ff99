/**
 * For each of several items, the split points that can still be the best one of a later span. A list only
 * grows, and each list is a row of `size` entries, so a position is an index into `splits` and `scores`
 * alike.
 *
 * Why few are kept: a span's parts add up, as a span may always be put together from two adjoining ones. So a
 * split point that does not win when it is first possible is beaten by the same rival in every longer span.
 * This is the sparsification of RNA folding (Wexler, Zilberstein & Ziv-Ukelson 2007), which holds for
 * Eisner's spans as well.
 */
export class SplitLists {
  /** The score of the split point that `best` gave last. */
  highest = -Infinity;
  private readonly splits: Int32Array;
  private readonly scores: Float64Array;
  private readonly counts: Int32Array;

  constructor(lists: number, size: number) {
    this.splits = new Int32Array(lists * size);
    this.scores = new Float64Array(lists * size);
    this.counts = new Int32Array(lists);
  }

  clear(lists: number): void {
    const counts = this.counts;
    for (let list = 0; list < lists; list++) counts[list] = 0;
  }

  /**
   * The split point of a list with the highest scores[p] + rest[offset + splits[p]]; of equal ones the
   * oldest. The list starts at `row`. `split` is the newest point, whose rest is 0; it is kept only if it is
   * better than all before. The sum is left in `highest`.
   */
  best(list: number, row: number, split: number, score: number, rest: Float64Array, offset: number): number {
    const splits = this.splits;
    const scores = this.scores;
    const end = row + this.counts[list];
    let best = row;
    let highest = -Infinity;
    for (let p = row; p < end; p++) {
      const sum = scores[p] + rest[offset + splits[p]];
      if (sum > highest) {
        highest = sum;
        best = p;
      }
    }
    if (score > highest || end === row) {
      highest = score;
      best = end;
      splits[end] = split;
      scores[end] = score;
      this.counts[list]++;
    }
    this.highest = highest;
    return splits[best];
  }
}
