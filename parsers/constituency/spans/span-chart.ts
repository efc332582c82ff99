import { exponential, logarithm } from '../../../src/learn/exponential.ts';

/** Scores of spans i…j: row j, column i, `rowLength` floats per row. */
export type SpanScores = { readonly values: Float32Array; readonly rowLength: number };

/**
 * CKY and the inside–outside algorithm over binary trees whose score is the sum of their spans' scores. A span i…j is stored
 * at both (i, j) and (j, i), so that the left and the right children of all splits lie in one row each.
 */
export class SpanChart {
  /** n + 1. */
  private size = 0;
  private scores = new Float64Array(0);
  private splits = new Int32Array(0);
  private probabilities = new Float64Array(0);
  /** The spans of the best tree in preorder. */
  begins = new Int32Array(0);
  ends = new Int32Array(0);

  /** Finds the best tree by CKY (the first split of ties): `begins` and `ends` of its 2n − 1 spans, in preorder. */
  decode({ values, rowLength }: SpanScores, n: number): void {
    this.reserve(n);
    const { scores, splits, size } = this;
    for (let j = 1; j <= n; j++) {
      this.set(j - 1, j, values[j * rowLength + j - 1]);
      for (let i = j - 2; i >= 0; i--) {
        const [left, right] = [i * size, j * size];
        let best = Number.NEGATIVE_INFINITY;
        let split = i + 1;
        for (let k = i + 1; k < j; k++) {
          const score = scores[left + k] + scores[right + k];
          if (score > best) {
            best = score;
            split = k;
          }
        }
        splits[left + j] = split;
        this.set(i, j, best + values[j * rowLength + i]);
      }
    }
    this.readTree(n);
  }

  /** The score of the best tree over span i…j, after `decode`. */
  bestScore(i: number, j: number): number {
    return this.scores[i * this.size + j];
  }

  /** Fills inside scores; returns the log partition function, log Σ eˢ over the scores s of all trees. */
  fillInside({ values, rowLength }: SpanScores, n: number): number {
    this.reserve(n);
    const { scores, size } = this;
    for (let j = 1; j <= n; j++) {
      this.set(j - 1, j, values[j * rowLength + j - 1]);
      for (let i = j - 2; i >= 0; i--) {
        const [left, right] = [i * size, j * size];
        let highest = Number.NEGATIVE_INFINITY;
        for (let k = i + 1; k < j; k++) {
          const score = scores[left + k] + scores[right + k];
          if (score > highest) highest = score;
        }
        let sum = 0;
        for (let k = i + 1; k < j; k++) sum += exponential(scores[left + k] + scores[right + k] - highest);
        this.set(i, j, highest + logarithm(sum) + values[j * rowLength + i]);
      }
    }
    return scores[n];
  }

  /** Marginal probabilities of spans: (n + 1) × (n + 1), row = i; after `fillInside` with the same scores. */
  fillProbabilities({ values, rowLength }: SpanScores, n: number): Float64Array {
    const { scores, probabilities, size } = this;
    probabilities.fill(0, 0, size * size);
    probabilities[n] = 1;
    for (let j = n; j > 1; j--) {
      // Outer spans first: later ends before earlier ones, and for the same end from the left.
      for (let i = 0; i < j - 1; i++) {
        const [left, right] = [i * size, j * size];
        const probability = probabilities[left + j];
        if (probability < NEGLIGIBLE) continue;
        const all = scores[left + j] - values[j * rowLength + i];
        for (let k = i + 1; k < j; k++) {
          const share = probability * exponential(scores[left + k] + scores[right + k] - all);
          probabilities[left + k] += share;
          probabilities[k * size + j] += share;
        }
      }
    }
    return probabilities;
  }

  private set(i: number, j: number, score: number): void {
    this.scores[i * this.size + j] = score;
    this.scores[j * this.size + i] = score;
  }

  private reserve(n: number): void {
    this.size = n + 1;
    const count = this.size ** 2;
    if (this.scores.length >= count) return;
    this.scores = new Float64Array(2 * count);
    this.probabilities = new Float64Array(2 * count);
    this.splits = new Int32Array(2 * count);
    this.begins = new Int32Array(4 * n);
    this.ends = new Int32Array(4 * n);
  }

  private readTree(n: number): void {
    const { begins, ends, splits, size } = this;
    // The stack uses the free end of the arrays: it never holds more spans than are still to be written.
    const count = 2 * n - 1;
    let [done, top] = [0, count - 1];
    begins[top] = 0;
    ends[top] = n;
    while (top < count) {
      const [i, j] = [begins[top], ends[top++]];
      begins[done] = i;
      ends[done++] = j;
      if (j === i + 1) continue;
      const split = splits[i * size + j];
      begins[--top] = split;
      ends[top] = j;
      begins[--top] = i;
      ends[top] = split;
    }
  }
}

/** Less probable spans are not expanded. */
const NEGLIGIBLE = 1e-9;
