import type { Decoder, DecoderOptions } from './decoder.ts';

/**
 * Finds the best projective tree (Eisner 1996) in O(n³) at worst, nearly O(n²) in practice. With a single root, its
 * dependent is the token k with the highest sum of the complete spans 1…k and k…n and the arc 0 → k. Ties: of
 * equal splits the one that became possible first (lowest for arcs to the right, highest for arcs to the
 * left); of equal single roots the lowest.
 */
export function createEisner({ singleRoot }: DecoderOptions): Decoder {
  const chart = new EisnerChart();
  let stack = new Int32Array(0);
  return {
    name: 'eisner',
    isProjective: true,
    decode(scores, n, heads) {
      if (stack.length < 4 * (n + 1)) stack = new Int32Array(8 * (n + 1));
      chart.fill(scores, n, singleRoot ? 1 : 0);
      heads[0] = -1;
      if (!singleRoot) {
        readSpan(chart, 0, n, heads, stack);
      } else if (n > 0) {
        const root = bestRoot(chart, scores, n);
        heads[root] = 0;
        readSpan(chart, root, 1, heads, stack);
        readSpan(chart, root, n, heads, stack);
      }
    },
  };
}

function bestRoot({ size, leftward, rightwardTo }: EisnerChart, scores: Float32Array, n: number): number {
  let root = 1;
  let best = -Infinity;
  for (let k = 1; k <= n; k++) {
    const score = leftward[k * size + 1] + rightwardTo[k] + scores[k];
    if (score > best) {
      best = score;
      root = k;
    }
  }
  return root;
}

/** Writes the heads inside a complete span; `stack` holds the spans still to be read: head, other end. */
function readSpan(chart: EisnerChart, head: number, end: number, heads: Int32Array, stack: Int32Array): void {
  const { size, splits, middles } = chart;
  stack[0] = head;
  stack[1] = end;
  let top = 2;
  while (top > 0) {
    const e = stack[--top];
    const h = stack[--top];
    if (h === e) continue;
    const d = splits[h * size + e];
    heads[d] = h;
    const i = Math.min(h, d);
    const j = Math.max(h, d);
    const middle = middles[i * size + j];
    stack[top++] = d;
    stack[top++] = e;
    stack[top++] = i;
    stack[top++] = middle - 1;
    stack[top++] = j;
    stack[top++] = middle;
  }
}

/**
 * Eisner's chart (1996, C96-1058) over the tokens first…n. A *complete* span has its head at one end and
 * holds complete subtrees; an *incomplete* span is an arc between its ends with everything between them. A span
 * of one token scores 0.
 *
 * Spans are built by rising right end j, then falling left end i; `SplitLists` relies on this order of split points.
 * Complete spans with the head on the left are kept only for the current j.
 */
export class EisnerChart {
  private capacity = 0;
  /** Row length of the arrays below, n + 1. The arrays are reused for the next sentence. */
  size = 0;
  /** At h * size + e: the outermost dependent of h in the complete span with head h and other end e. */
  splits = new Uint16Array(0);
  /** At i * size + j, i < j: where the right half of the incomplete span i…j begins. */
  middles = new Uint16Array(0);
  /** At k * size + i: the score of the complete span i…k with head k. */
  leftward = new Float64Array(0);
  /** At i: the score of the complete span i…j with head i, for the current j; n once the chart is full. */
  rightwardTo = new Float64Array(0);
  private joins = new SplitLists(0, 0);
  private rightArcs = new SplitLists(0, 0);
  /** One list, for the current j; its split points are row offsets k * size into `leftward`. */
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
    const { splits, middles, leftward, rightwardTo, joins, rightArcs, leftArcs } = this;
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

/**
 * Lists of the split points that may be the best one of a later span. A list is a row of `size` entries in `splits`
 * and `scores`, and only grows.
 *
 * Lists are short: a split point that is not the best when it first becomes possible is beaten by the same rival in
 * every longer span, since two adjoining spans can always be joined. This is the sparsification of RNA folding
 * (Wexler, Zilberstein & Ziv-Ukelson 2007), which holds for Eisner's spans as well.
 */
class SplitLists {
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
   * Finds the split point with the highest scores[p] + rest[offset + splits[p]], which is stored in `highest`; ties:
   * the oldest. `split` is a new point with rest 0, kept only if it beats all others. The list starts at `row`.
   */
  best(list: number, row: number, split: number, score: number, rest: Float64Array, offset: number): number {
    const { splits, scores } = this;
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
