import { exponential, logarithm } from '../../../src/learn/exponential.ts';

/** Scores of spans i…j as a scorer of pairs gives them: row j, column i; rows are `rowLength` apart. */
export type SpanScores = { readonly values: Float32Array; readonly rowLength: number };

/**
 * The binary trees over n words, whose scores are the sums over their spans. Matrices have both (i, j) and (j, i) for a
 * span i…j, so that its parts on either side of a split are next to each other.
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

  /** The best tree (CKY; of equally good ones that with the first split), in `begins` and `ends`: 2n − 1 spans. */
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

  /** The logarithm of the sum of eˢ over the scores s of all trees. */
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

  /** The probability of each span, at (n + 1) i + j, after `fillInside` with the same scores. */
  fillProbabilities({ values, rowLength }: SpanScores, n: number): Float64Array {
    const { scores, probabilities, size } = this;
    probabilities.fill(0, 0, size * size);
    probabilities[n] = 1;
    for (let j = n; j > 1; j--) {
      // Wider spans come first: those with the same end from the left on, those with other ends before.
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
    // The stack is where the rest of the tree will be: it never has more spans than are still to come.
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

/** Spans that are less probable are not taken apart. */
const NEGLIGIBLE = 1e-9;
