import type { DecoderOptions } from './decoder.ts';

/** A semiring over log scores, where multiplication is +. */
export interface Semiring {
  /** The sum of the first `count` terms, none of them NaN; −∞ if there are none. */
  sum(terms: Float64Array, count: number): number;
}

/** Addition is max: the sum over all trees is the score of the best tree. */
export const maxSemiring: Semiring = {
  sum(terms, count) {
    let highest = -Infinity;
    for (let t = 0; t < count; t++) if (terms[t] > highest) highest = terms[t];
    return highest;
  },
};

/** Terms that are smaller than the largest by a factor of e⁻³⁶ do not change a sum. */
const NEGLIGIBLE = -36;

/** Addition is log Σ exp, safe from overflow: the sum over all trees is the log partition function. */
export const logSemiring: Semiring = {
  sum(terms, count) {
    const highest = maxSemiring.sum(terms, count);
    if (highest === -Infinity) return highest;
    let sum = 0;
    for (let t = 0; t < count; t++) {
      const below = terms[t] - highest;
      if (below > NEGLIGIBLE) sum += Math.exp(below);
    }
    return highest + Math.log(sum);
  },
};

/** The inside pass of Eisner's chart over a semiring, with all spans of `EisnerChart` kept. */
class InsideChart {
  /** At head * size + other end: the inside score of the complete span. */
  complete = new Float64Array(0);
  /** At head * size + dependent: the inside score of the incomplete span. */
  arcs = new Float64Array(0);
  /** Scaled scores of arcs; −∞ for arcs into the root. */
  scores = new Float64Array(0);
  private terms = new Float64Array(0);

  constructor(private readonly semiring: Semiring) {}

  fill(scores: Float32Array, n: number, scale: number, first: number): void {
    const size = n + 1;
    this.reserve(size);
    for (let cell = 0; cell < size * size; cell++) this.scores[cell] = scale * scores[cell];
    for (let h = 0; h <= n; h++) {
      this.scores[h * size] = -Infinity;
      this.complete[h * size + h] = 0;
    }
    for (let j = first + 1; j <= n; j++) for (let i = j - 1; i >= first; i--) this.span(i, j, size);
  }

  private reserve(size: number): void {
    if (this.terms.length >= size) return;
    const capacity = Math.ceil(1.25 * size);
    this.complete = new Float64Array(capacity * capacity);
    this.arcs = new Float64Array(capacity * capacity);
    this.scores = new Float64Array(capacity * capacity);
    this.terms = new Float64Array(capacity);
  }

  private span(i: number, j: number, size: number): void {
    const { complete, arcs, scores, semiring, terms } = this;
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

/**
 * Computes the marginals of arcs over all projective trees: inside–outside on Eisner's chart (1996, C96-1058) in O(n³).
 * Over `maxSemiring` they are max-marginals, the score of the best tree with the arc (Rush & Petrov 2012, N12-1054);
 * over `logSemiring`, after subtracting `sumOverTrees`, log probabilities.
 */
export class ProjectiveMarginals {
  private readonly inside: InsideChart;
  /** At head * size + other end: the outside score of the complete span. */
  private complete = new Float64Array(0);
  /** At head * size + dependent: the outside score of the incomplete span. */
  private arcs = new Float64Array(0);
  /** At i * size + j, i < j: the sum over the arcs i → j and j → i of outside score and arc score. */
  private pairs = new Float64Array(0);
  private terms = new Float64Array(0);
  /** The semiring sum of the scores of all trees. */
  sumOverTrees = -Infinity;

  constructor(
    private readonly semiring: Semiring,
    private readonly options: DecoderOptions,
  ) {
    this.inside = new InsideChart(semiring);
  }

  /** Fills `marginals`, laid out as the score matrix; −∞ for arcs in no tree. `scale` multiplies scores. */
  fill(scores: Float32Array, n: number, scale: number, marginals: Float64Array): void {
    const first = this.options.singleRoot ? 1 : 0;
    this.reserve(n + 1);
    this.inside.fill(scores, n, scale, first);
    this.start(scores, n, scale);
    for (let j = n; j > first; j--) for (let i = first; i < j; i++) this.outsideOf(i, j, n, first);
    this.readArcs(n, first, marginals);
    if (first === 1) this.readRootArcs(scores, n, scale, marginals);
  }

  private reserve(size: number): void {
    if (this.terms.length >= 2 * size) return;
    const capacity = Math.ceil(1.25 * size);
    this.complete = new Float64Array(capacity * capacity);
    this.arcs = new Float64Array(capacity * capacity);
    this.pairs = new Float64Array(capacity * capacity);
    this.terms = new Float64Array(2 * capacity);
  }

  private start(scores: Float32Array, n: number, scale: number): void {
    const complete = this.complete;
    const size = n + 1;
    const inside = this.inside.complete;
    complete.fill(-Infinity, 0, size * size);
    if (!this.options.singleRoot) {
      complete[n] = 0;
      this.sumOverTrees = inside[n];
      return;
    }
    const terms = this.terms;
    for (let k = 1; k <= n; k++) {
      const arc = scale * scores[k];
      complete[k * size + n] = arc + inside[k * size + 1];
      complete[k * size + 1] = arc + inside[k * size + n];
      terms[k - 1] = complete[k * size + n] + inside[k * size + n];
    }
    this.sumOverTrees = this.semiring.sum(terms, n);
  }

  /** Computes the outside scores of all spans between i and j, after the wider spans. */
  private outsideOf(i: number, j: number, n: number, first: number): void {
    const size = n + 1;
    const { inside, arcs, terms } = this;
    this.outsideOfSpan(i, j, n, first);
    if (i > 0) this.outsideOfSpan(j, i, n, first);
    const rightward = i * size + j;
    const leftward = j * size + i;
    arcs[rightward] = this.outsideOfArc(i, j, j, n, size);
    arcs[leftward] = i > 0 ? this.outsideOfArc(j, i, Math.max(first, 1), i, size) : -Infinity;
    terms[0] = arcs[rightward] + inside.scores[rightward];
    terms[1] = arcs[leftward] + inside.scores[leftward];
    this.pairs[rightward] = this.semiring.sum(terms, 2);
  }

  /**
   * Computes the outside score of a complete span from the spans that it is part of: incomplete spans that
   * reach beyond its end, and complete spans with the same end in which its head is the outermost dependent.
   */
  private outsideOfSpan(head: number, end: number, n: number, first: number): void {
    const size = n + 1;
    const { complete, terms, pairs } = this;
    const { complete: inside, arcs } = this.inside;
    const isRightward = end > head;
    const next = isRightward ? end + 1 : end - 1;
    const to = isRightward ? n : next;
    const start = isRightward ? head * size : head;
    const stride = isRightward ? 1 : size;
    let count = 0;
    terms[count++] = complete[head * size + end];
    for (let k = isRightward ? next : first; k <= to; k++)
      terms[count++] = pairs[start + k * stride] + inside[k * size + next];
    const last = isRightward ? head - 1 : n;
    for (let h = isRightward ? first : head + 1; h <= last; h++)
      terms[count++] = complete[h * size + end] + arcs[h * size + head];
    complete[head * size + end] = this.semiring.sum(terms, count);
  }

  /** Returns the outside score of the incomplete span h → d, over h's complete spans to ends `from`…`to`. */
  private outsideOfArc(h: number, d: number, from: number, to: number, size: number): number {
    const { terms, complete } = this;
    const inside = this.inside.complete;
    for (let k = from; k <= to; k++) terms[k - from] = complete[h * size + k] + inside[d * size + k];
    return this.semiring.sum(terms, to - from + 1);
  }

  private readArcs(n: number, first: number, marginals: Float64Array): void {
    const size = n + 1;
    const inside = this.inside.arcs;
    const arcs = this.arcs;
    for (let h = first; h <= n; h++) {
      for (let d = 1; d <= n; d++)
        if (d !== h) marginals[h * size + d] = inside[h * size + d] + arcs[h * size + d];
    }
  }

  private readRootArcs(scores: Float32Array, n: number, scale: number, marginals: Float64Array): void {
    const size = n + 1;
    const inside = this.inside.complete;
    for (let k = 1; k <= n; k++)
      marginals[k] = scale * scores[k] + inside[k * size + 1] + inside[k * size + n];
  }
}
