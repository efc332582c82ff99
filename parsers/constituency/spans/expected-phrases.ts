import { exponential } from '../../../src/learn/exponential.ts';
import { PairScorer, type RowPairs } from '../../../src/learn/network/layers/pair-scorers.ts';
import type { Floats } from '../../../src/learn/network/memory.ts';
import type { SpanScores } from './span-chart.ts';
import { phrasesIn } from './tree-spans.ts';

/**
 * The lowest probability of a phrase in the tree. For phrases: best for F1 is half the F1 that is reached (Lipton,
 * Elkan & Narayanaswamy 2014, §3) if probabilities are calibrated; those of trained networks are too high. Head rules
 * find better heads in trees with more phrases (docs/notes.md).
 */
export const Threshold = { phrases: 0.5, dependencies: 0.3 } as const;

/** Labels are scored only for spans of at least this probability. */
const LEAST = 0.01;

/** Among trees with the same phrases, the one with more probable spans is chosen. */
const TIE = 1e-3;

/** A network that scores the labels of the spans of the sentence last read: spans × labels. */
interface LabelScorer {
  readonly labels: { readonly scores: Pick<Floats, 'values'>; readonly rowLength: number };
  scoreLabels(spans: RowPairs, length: number): void;
}

/**
 * Scores spans by their gains: Σ (probability − threshold) over the phrases of a span's label. The tree with the
 * largest sum of gains has, for its number of phrases, the highest expected number of correct ones (Goodman 1996,
 * P96-1024, §3.2), which is what F1 rewards.
 */
export class ExpectedPhrases implements SpanScores {
  /** Gains. Row = end, column = begin. */
  values = new Float32Array(0);
  rowLength = 0;
  /** The chosen label of each span, as an index. */
  private labels = new Int32Array(0);
  private length = 0;
  /** The spans that may be phrases, and their probabilities. */
  private count = 0;
  private begins = new Int32Array(0);
  private ends = new Int32Array(0);
  private probabilities = new Float64Array(0);
  /** spans × phrases: the expected number of each phrase on a span, given that the tree has the span. */
  private expected = new Float64Array(0);
  /** The most probable label of the whole sentence. */
  private outermost = 0;
  /** The phrases of each label, as indices. */
  private readonly phrases: readonly (readonly number[])[];
  private readonly shares: Float64Array;
  /** Number of different phrases. */
  private readonly width: number;

  constructor(
    private readonly network: LabelScorer,
    labels: readonly string[],
  ) {
    const names = [...new Set(labels.flatMap(phrasesIn))];
    this.phrases = labels.map((label) => phrasesIn(label).map((name) => names.indexOf(name)));
    this.shares = new Float64Array(labels.length);
    this.width = names.length;
  }

  /** Scores the labels of the sentence that the network last read. @param probabilities of spans: (n + 1) × (n + 1), row = begin */
  read(probabilities: Float64Array, n: number): void {
    this.reserve(n);
    this.findLikely(probabilities, n);
    const { network, begins, ends, count } = this;
    const step = 2 * n;
    for (let from = 0; from < count; from += step) {
      const to = Math.min(from + step, count);
      const [firsts, seconds] = [begins.subarray(from, to), ends.subarray(from, to)];
      network.scoreLabels({ firsts, seconds, from: 0, to: to - from }, n);
      for (let s = from; s < to; s++) {
        this.fillShares((s - from) * network.labels.rowLength);
        this.addShares(s);
        if (ends[s] - begins[s] === n) this.outermost = this.mostProbable();
      }
    }
  }

  /** Fills the gains over a threshold of the sentence last read. */
  fill(threshold: number): void {
    const { values, labels, rowLength, begins, ends, probabilities, count, length } = this;
    values.fill(0, 0, rowLength * (length + 1));
    labels.fill(0, 0, rowLength * (length + 1));
    for (let s = 0; s < count; s++) {
      const at = ends[s] * rowLength + begins[s];
      const label = ends[s] - begins[s] === length ? this.outermost : this.best(s, threshold);
      labels[at] = label;
      values[at] = this.gain(s, label, threshold) + TIE * probabilities[s];
    }
  }

  /** The label chosen for span i…j. */
  labelOf(i: number, j: number): number {
    return this.labels[j * this.rowLength + i];
  }

  private reserve(n: number): void {
    this.length = n;
    this.rowLength = PairScorer.rowLength(n + 1);
    const size = this.rowLength * (n + 1);
    if (this.values.length >= size) return;
    this.values = new Float32Array(2 * size);
    [this.labels, this.begins, this.ends] = [1, 2, 3].map(() => new Int32Array(2 * size));
    this.probabilities = new Float64Array(2 * size);
  }

  /** Lists the spans that may be phrases. */
  private findLikely(probabilities: Float64Array, n: number): void {
    this.count = 0;
    for (let i = 0; i < n; i++) {
      for (let j = i + 1; j <= n; j++) {
        const probability = probabilities[i * (n + 1) + j];
        if (probability < LEAST) continue;
        this.begins[this.count] = i;
        this.ends[this.count] = j;
        this.probabilities[this.count++] = probability;
      }
    }
    const size = this.count * this.width;
    if (this.expected.length < size) this.expected = new Float64Array(2 * size);
    this.expected.fill(0, 0, size);
  }

  /** Fills the probabilities of the labels of a span. */
  private fillShares(row: number): void {
    const { shares } = this;
    const scores = this.network.labels.scores.values;
    let highest = Number.NEGATIVE_INFINITY;
    for (let l = 0; l < shares.length; l++) highest = Math.max(highest, scores[row + l]);
    let sum = 0;
    for (let l = 0; l < shares.length; l++) {
      shares[l] = exponential(scores[row + l] - highest);
      sum += shares[l];
    }
    for (let l = 0; l < shares.length; l++) shares[l] /= sum;
  }

  /** For span s, adds the probability of each label to the expected numbers of its phrases. */
  private addShares(s: number): void {
    const { shares, expected, phrases, width } = this;
    for (let l = 0; l < shares.length; l++)
      for (const phrase of phrases[l]) expected[s * width + phrase] += shares[l];
  }

  private gain(s: number, label: number, threshold: number): number {
    const { probabilities, expected, width } = this;
    let gain = 0;
    for (const phrase of this.phrases[label])
      gain += probabilities[s] * expected[s * width + phrase] - threshold;
    return gain;
  }

  /** The label with the largest gain (ties: the first); the empty label if no gain is above 0. */
  private best(s: number, threshold: number): number {
    let best = 0;
    let most = 0;
    for (let l = 1; l < this.phrases.length; l++) {
      const gain = this.gain(s, l, threshold);
      if (gain <= most) continue;
      best = l;
      most = gain;
    }
    return best;
  }

  /** The most probable label: the whole sentence gets it even if no label has a gain. */
  private mostProbable(): number {
    const { shares } = this;
    let best = 0;
    for (let l = 1; l < shares.length; l++) if (shares[l] > shares[best]) best = l;
    return best;
  }
}
