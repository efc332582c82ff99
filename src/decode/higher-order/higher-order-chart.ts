import type { DecoderOptions } from '../decoder.ts';
import { type CandidateArcs, NO_ARC, type PartScores } from './candidate-arcs.ts';

/**
 * Finds the best projective tree over candidate arcs with scores of arcs, grandparents, siblings and
 * grand-siblings: model 1 of Koo & Collins (2010, P10-1001). Each span belongs to an arc g → h into its head
 * h. A *complete* span g → h, e holds h's dependents on one side as far as e; an *incomplete* span holds an
 * arc h → d with everything between h and d; a *sibling* span lies between two neighbouring dependents of h.
 * With k candidate heads per word: O(n² k² + n k³), sibling spans times n.
 *
 * Spans are built by rising right end, then falling left end. Ties, best first: no inner sibling,
 * then the inner sibling nearest to the head; the nearest outermost dependent; the leftmost split.
 */
export class HigherOrderChart {
  /** At arc * size + end: the score of the complete span, and the arc to its outermost dependent. */
  private complete = new Float64Array(0);
  private outermost = new Int32Array(0);
  /** By grand pair: the score of the incomplete span, and the arc to the next dependent inwards. */
  private incomplete = new Float64Array(0);
  private inner = new Int32Array(0);
  private between = new Float64Array(0);
  private splits = new Int32Array(0);
  private stack = new Int32Array(0);

  constructor(private readonly options: DecoderOptions) {}

  /** Writes the best tree into `heads`; returns false if the candidates form no projective tree. */
  decode(arcs: CandidateArcs, scores: PartScores, heads: Int32Array): boolean {
    const n = arcs.length;
    this.reserve(arcs);
    for (let j = 1; j <= n; j++) {
      for (let i = j - 1; i >= 0; i--) {
        if (i > 0) this.siblingSpans(arcs, scores, i, j);
        this.arcSpans(arcs, scores, i, j);
        if (i > 0) this.arcSpans(arcs, scores, j, i);
        this.completeSpans(arcs, scores, i, j);
        if (i > 0) this.completeSpans(arcs, scores, j, i);
      }
    }
    heads[0] = -1;
    if (n > 0 && this.complete[n] === -Infinity) return false;
    this.read(arcs, heads);
    return true;
  }

  private reserve({ count, length, grandPairs, siblingPairs, dependents }: CandidateArcs): void {
    const size = length + 1;
    if (this.complete.length < count * size) {
      const capacity = Math.ceil(1.25 * count * size);
      this.complete = new Float64Array(capacity);
      this.outermost = new Int32Array(capacity);
    }
    if (this.incomplete.length < grandPairs) {
      this.incomplete = new Float64Array(2 * grandPairs);
      this.inner = new Int32Array(2 * grandPairs);
    }
    if (this.between.length < siblingPairs) {
      this.between = new Float64Array(2 * siblingPairs);
      this.splits = new Int32Array(2 * siblingPairs);
    }
    if (this.stack.length < 4 * size) this.stack = new Int32Array(8 * size);
    for (let arc = 0; arc < count; arc++) this.complete[arc * size + dependents[arc]] = 0;
  }

  private siblingSpans(arcs: CandidateArcs, scores: PartScores, i: number, j: number): void {
    const { heads, into } = arcs;
    for (let outer = into[j]; outer < into[j + 1] && heads[outer] < i; outer++) {
      const inner = arcs.arc(heads[outer], i);
      if (inner !== NO_ARC) this.siblingSpan(arcs, scores, inner, outer);
    }
    for (let outer = into[i + 1] - 1; outer >= into[i] && heads[outer] > j; outer--) {
      const inner = arcs.arc(heads[outer], j);
      if (inner !== NO_ARC) this.siblingSpan(arcs, scores, inner, outer);
    }
  }

  private siblingSpan(arcs: CandidateArcs, scores: PartScores, inner: number, outer: number): void {
    const { dependents } = arcs;
    const complete = this.complete;
    const size = arcs.length + 1;
    const isRightward = dependents[inner] < dependents[outer];
    const left = isRightward ? inner : outer;
    const right = isRightward ? outer : inner;
    const i = dependents[left];
    const j = dependents[right];
    const leftAt = left * size;
    const rightAt = right * size + 1;
    let best = -Infinity;
    let split = i;
    for (let k = i; k < j; k++) {
      const score = complete[leftAt + k] + complete[rightAt + k];
      if (score > best) {
        best = score;
        split = k;
      }
    }
    const pair = arcs.siblingPair(inner, outer);
    this.between[pair] = best + scores.siblings[pair];
    this.splits[pair] = split;
  }

  private arcSpans(arcs: CandidateArcs, scores: PartScores, h: number, d: number): void {
    const arc = arcs.arc(h, d);
    if (arc === NO_ARC) return;
    const { heads, into, outOf, rank, grand, siblings, grandSiblings, pairsOf } = arcs;
    const { incomplete, between } = this;
    const third = scores.grandSiblings;
    const size = arcs.length + 1;
    const step = d > h ? 1 : -1;
    const nearest = arcs.nearest(h, step);
    const end = h === 0 && this.options.singleRoot ? nearest : arcs.positionOf(arc);
    const pairs = siblings[arc];
    const alone = this.complete[arc * size + h + step] + scores.siblings[pairs] + scores.arcs[arc];
    for (let above = into[h]; above < into[h + 1]; above++) {
      if (isWithin(heads[above], h, d)) continue;
      const triples = grandSiblings[above] - pairsOf[h];
      let best = alone + third[triples + pairs];
      let inner = NO_ARC;
      let pair = pairs + 1;
      for (let k = nearest; k !== end; k += step, pair++) {
        const sibling = outOf[k];
        const score =
          incomplete[grand[above] + rank[sibling]] + between[pair] + scores.arcs[arc] + third[triples + pair];
        if (score > best) {
          best = score;
          inner = sibling;
        }
      }
      const at = grand[above] + rank[arc];
      incomplete[at] = best + scores.grand[at];
      this.inner[at] = inner;
    }
  }

  private completeSpans(arcs: CandidateArcs, scores: PartScores, h: number, e: number): void {
    const { heads, dependents, into, from, outOf, grand, rank } = arcs;
    const { complete, incomplete } = this;
    const { ends } = scores;
    const size = arcs.length + 1;
    const step = e > h ? 1 : -1;
    const nearest = arcs.nearest(h, step);
    const end = step > 0 ? from[h + 1] : from[h] - 1;
    for (let above = into[h]; above < into[h + 1]; above++) {
      if (isWithin(heads[above], h, e)) continue;
      let best = -Infinity;
      let outermost = NO_ARC;
      for (let k = nearest; k !== end; k += step) {
        const arc = outOf[k];
        if ((dependents[arc] - e) * step > 0) break;
        const score = incomplete[grand[above] + rank[arc]] + complete[arc * size + e] + ends[arc];
        if (score > best) {
          best = score;
          outermost = arc;
        }
      }
      complete[above * size + e] = best;
      this.outermost[above * size + e] = outermost;
    }
  }

  /** Writes the heads of the whole tree; the stack holds the spans still to be read: arc, end. */
  private read(arcs: CandidateArcs, heads: Int32Array): void {
    const { dependents, grand, rank } = arcs;
    const size = arcs.length + 1;
    const stack = this.stack;
    stack[0] = 0;
    stack[1] = arcs.length;
    let top = 2;
    while (top > 0) {
      const e = stack[--top];
      const above = stack[--top];
      const h = dependents[above];
      if (h === e) continue;
      let outer = this.outermost[above * size + e];
      stack[top++] = outer;
      stack[top++] = e;
      for (;;) {
        const d = dependents[outer];
        heads[d] = h;
        const inner = this.inner[grand[above] + rank[outer]];
        if (inner === NO_ARC) {
          stack[top++] = outer;
          stack[top++] = d > h ? h + 1 : h - 1;
          break;
        }
        const split = this.splits[arcs.siblingPair(inner, outer)];
        stack[top++] = inner;
        stack[top++] = d > h ? split : split + 1;
        stack[top++] = outer;
        stack[top++] = d > h ? split + 1 : split;
        outer = inner;
      }
    }
  }
}

/** Whether a token lies within a span from h to e; a head's own head never does. */
function isWithin(token: number, h: number, e: number): boolean {
  return e > h ? token > h && token <= e : token < h && token >= e;
}
