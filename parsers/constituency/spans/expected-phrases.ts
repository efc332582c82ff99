import { exponential } from '../../../src/learn/exponential.ts';
import { PairScorer, type RowPairs } from '../../../src/learn/network/layers/pair-scorers.ts';
import type { Floats } from '../../../src/learn/network/memory.ts';
import type { SpanScores } from './span-chart.ts';
import { phrasesIn } from './tree-spans.ts';

/**
 * How probable a phrase must be to be worth its place. For phrases: best for F1 is half the F1 that is reached (Lipton,
 * Elkan & Narayanaswamy 2014, §3). Head rules find better heads in trees with a few more phrases (docs/notes.md).
 */
export const Threshold = { phrases: 0.4, dependencies: 0.3 } as const;

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
 * The phrases that can be expected of a span: its gain is the sum over the phrases of its label of their probability minus a
 * threshold. The tree with the largest sum of gains has the highest expected number of correct phrases for their number
 * (Goodman 1996, P96-1024, §3.2), which is what F1 rewards.
 */
export class ExpectedPhrases implements SpanScores {
  /** Row = end, column = begin. */
  values = new Float32Array(0);
  rowLength = 0;
  /** The chosen label of each span, as an index. */
  private labels = new Int32Array(0);
  /** The spans whose labels are scored. */
  private begins = new Int32Array(0);
  private ends = new Int32Array(0);
  /** The phrases of each label, as indices. */
  private readonly phrases: readonly (readonly number[])[];
  private readonly shares: Float64Array;
  private readonly expected: Float64Array;

  constructor(
    private readonly network: LabelScorer,
    labels: readonly string[],
    private readonly threshold: number,
  ) {
    const names = [...new Set(labels.flatMap(phrasesIn))];
    this.phrases = labels.map((label) => phrasesIn(label).map((name) => names.indexOf(name)));
    this.shares = new Float64Array(labels.length);
    this.expected = new Float64Array(names.length);
  }

  /** Fills the gains of the sentence that the network last read. @param probabilities of spans: (n + 1) × (n + 1), row = begin */
  fill(probabilities: Float64Array, n: number): void {
    this.reserve(n);
    const { network, begins, ends } = this;
    const count = this.findLikely(probabilities, n);
    const step = 2 * n;
    for (let from = 0; from < count; from += step) {
      const to = Math.min(from + step, count);
      const [firsts, seconds] = [begins.subarray(from, to), ends.subarray(from, to)];
      network.scoreLabels({ firsts, seconds, from: 0, to: to - from }, n);
      for (let s = from; s < to; s++) {
        const probability = probabilities[begins[s] * (n + 1) + ends[s]];
        this.fillShares((s - from) * network.labels.rowLength);
        this.choose(begins[s], ends[s], probability, n);
      }
    }
  }

  /** The label chosen for span i…j. */
  labelOf(i: number, j: number): number {
    return this.labels[j * this.rowLength + i];
  }

  private reserve(n: number): void {
    this.rowLength = PairScorer.rowLength(n + 1);
    const count = this.rowLength * (n + 1);
    if (this.values.length < count) {
      this.values = new Float32Array(2 * count);
      [this.labels, this.begins, this.ends] = [1, 2, 3].map(() => new Int32Array(2 * count));
    }
    this.values.fill(0, 0, count);
    this.labels.fill(0, 0, count);
  }

  /** Lists the spans that may be phrases; returns their number. */
  private findLikely(probabilities: Float64Array, n: number): number {
    const { begins, ends } = this;
    let count = 0;
    for (let i = 0; i < n; i++) {
      for (let j = i + 1; j <= n; j++) {
        if (probabilities[i * (n + 1) + j] < LEAST) continue;
        begins[count] = i;
        ends[count++] = j;
      }
    }
    return count;
  }

  private choose(i: number, j: number, probability: number, n: number): void {
    const at = j * this.rowLength + i;
    const label = j - i === n ? this.mostProbable() : this.best(probability);
    this.labels[at] = label;
    this.values[at] = this.gain(label, probability) + TIE * probability;
  }

  /** Fills the probabilities of the labels of a span, and the expected number of each phrase. */
  private fillShares(row: number): void {
    const { shares, expected, phrases } = this;
    const scores = this.network.labels.scores.values;
    let highest = Number.NEGATIVE_INFINITY;
    for (let l = 0; l < shares.length; l++) highest = Math.max(highest, scores[row + l]);
    let sum = 0;
    for (let l = 0; l < shares.length; l++) {
      shares[l] = exponential(scores[row + l] - highest);
      sum += shares[l];
    }
    expected.fill(0);
    for (let l = 0; l < shares.length; l++) {
      shares[l] /= sum;
      for (const phrase of phrases[l]) expected[phrase] += shares[l];
    }
  }

  private gain(label: number, probability: number): number {
    let gain = 0;
    for (const phrase of this.phrases[label]) gain += probability * this.expected[phrase] - this.threshold;
    return gain;
  }

  /** The label with the largest gain; the first of ties, which is the empty label where nothing is gained. */
  private best(probability: number): number {
    let best = 0;
    let most = 0;
    for (let l = 1; l < this.phrases.length; l++) {
      const gain = this.gain(l, probability);
      if (gain <= most) continue;
      best = l;
      most = gain;
    }
    return best;
  }

  /** The label of the whole sentence is not left open where all are doubtful. */
  private mostProbable(): number {
    const { shares } = this;
    let best = 0;
    for (let l = 1; l < shares.length; l++) if (shares[l] > shares[best]) best = l;
    return best;
  }
}
