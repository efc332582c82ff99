import { SplitLists } from './split-lists.ts';

/**
 * Eisner's chart (1996, C96-1058) over the tokens first…n. A *complete* span has its head at one end and
 * holds whole subtrees; an *incomplete* span is an arc between its ends with everything under it. A span of
 * one token scores 0.
 *
 * Spans are built by rising right end j, and for each j by falling left end i. So each kind of split point
 * arises in the order in which a `SplitLists` wants it. Of the spans headed at the left only those that end
 * at j are kept.
 */
export class EisnerChart {
  private capacity = 0;
  /**
   * Entries in a row of the arrays below, n+1; the arrays are kept between sentences and grown geometrically.
   */
  size = 0;
  /** At h * size + e: the outermost dependent of h in the complete span with head h and other end e. */
  splits = new Uint16Array(0);
  /** At i * size + j, i < j: where the right half of the incomplete span i…j begins. */
  middles = new Uint16Array(0);
  /** At k * size + i: the score of the complete span i…k with head k. */
  leftward = new Float64Array(0);
  /**
   * At i: the score of the complete span i…j with head i, for the j at hand; j = n once the chart is full.
   */
  rightwardTo = new Float64Array(0);
  private joins = new SplitLists(0, 0);
  private rightArcs = new SplitLists(0, 0);
  /** One list, that of the j at hand; its splits are row offsets, k * size, as they index `leftward`. */
  private leftArcs = new SplitLists(0, 0);

  private reserve(size: number): void {
    this.capacity = size;
    const cells = size * size;
    this.splits = new Uint16Array(cells);
    this.middles = new Uint16Array(cells);
    this.leftward = new Float64Array(cells);
    this.rightwardTo = new Float64Array(size);
    this.joins = new SplitLists(size, size);
    this.rightArcs = new SplitLists(size, size);
    this.leftArcs = new SplitLists(1, size);
  }

  /** Fills the chart from a score matrix (see `Decoder`); the root, token 0, takes no head. */
  fill(scores: Float32Array, n: number, first: 0 | 1): void {
    const size = n + 1;
    if (size > this.capacity) this.reserve(Math.max(size, Math.ceil(1.25 * this.capacity)));
    this.size = size;
    const { splits, middles, leftward, rightwardTo } = this;
    const joins = this.joins;
    const rightArcs = this.rightArcs;
    const leftArcs = this.leftArcs;
    joins.clear(size);
    rightArcs.clear(size);
    rightwardTo[first] = 0;
    leftward[first * size + first] = 0;
    for (let j = first + 1; j <= n; j++) {
      leftArcs.clear(1);
      rightwardTo[j] = 0;
      const column = j * size;
      leftward[column + j] = 0;
      for (let i = j - 1; i >= first; i--) {
        const row = i * size;
        middles[row + j] = joins.best(i, row, j, rightwardTo[i], leftward, column);
        const inside = joins.highest;
        splits[row + j] = rightArcs.best(i, row, j, inside + scores[row + j], rightwardTo, 0);
        rightwardTo[i] = rightArcs.highest;
        if (i === 0) continue;
        splits[column + i] = leftArcs.best(0, 0, row, inside + scores[column + i], leftward, i) / size;
        leftward[column + i] = leftArcs.highest;
      }
    }
  }
}
