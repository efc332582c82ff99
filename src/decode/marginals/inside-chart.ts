import type { Semiring } from './semiring.ts';

/**
 * The inside half of Eisner's chart over a semiring: what the parts of trees within each span come to. Spans
 * are those of eisner-chart.ts, all of them kept.
 */
export class InsideChart {
  /** Of complete spans, at head * size + other end. */
  complete = new Float64Array(0);
  /** Of incomplete spans, at head * size + dependent: the arc and all under it. */
  arcs = new Float64Array(0);
  /** The scores of arcs, scaled; −∞ for those into the root. */
  scores = new Float64Array(0);
  private terms = new Float64Array(0);

  constructor(private readonly semiring: Semiring) {}

  /** Fills the chart over the tokens first…n. */
  fill(scores: Float32Array, n: number, scale: number, first: number): void {
    const size = n + 1;
    this.reserve(size);
    for (let cell = 0; cell < size * size; cell++) this.scores[cell] = scale * scores[cell];
    for (let h = 0; h <= n; h++) {
      this.scores[h * size] = -Infinity;
      this.complete[h * size + h] = 0;
    }
    for (let j = first + 1; j <= n; j++) {
      for (let i = j - 1; i >= first; i--) this.span(i, j, size);
    }
  }

  private reserve(size: number): void {
    if (this.terms.length >= size) return;
    const room = Math.ceil(1.25 * size);
    this.complete = new Float64Array(room * room);
    this.arcs = new Float64Array(room * room);
    this.scores = new Float64Array(room * room);
    this.terms = new Float64Array(room);
  }

  private span(i: number, j: number, size: number): void {
    const { complete, arcs, scores, semiring } = this;
    const terms = this.terms;
    const rightward = i * size;
    const leftward = j * size;
    for (let k = i; k < j; k++) terms[k - i] = complete[rightward + k] + complete[leftward + k + 1];
    const joined = semiring.sum(terms, j - i);
    arcs[rightward + j] = joined + scores[rightward + j];
    arcs[leftward + i] = joined + scores[leftward + i];
    for (let k = i + 1; k <= j; k++) terms[k - i - 1] = arcs[rightward + k] + complete[k * size + j];
    complete[rightward + j] = semiring.sum(terms, j - i);
    for (let k = i; k < j; k++) terms[k - i] = arcs[leftward + k] + complete[k * size + i];
    complete[leftward + i] = semiring.sum(terms, j - i);
  }
}
