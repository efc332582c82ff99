import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import type { Numbering } from '../../../src/encoding/numbering.ts';
import type { NetworkSettings } from '../settings.ts';
import { ArcScorer } from './arc-scorer.ts';
import { Network } from './network.ts';

/** A network that has learnt: the score matrix of a sentence, and the scores of labels. */
export class SentenceScorer {
  /** Of the sentence last read, as decoders take them. */
  scores: Float32Array = new Float32Array(0);
  private readonly network: Network;

  constructor(settings: NetworkSettings, numbering: Numbering, weights: Float32Array) {
    this.network = new Network(settings, numbering, false);
    this.network.parameters.weights.values.set(weights);
  }

  /** Fills `scores`. */
  read(sentence: EncodedSentence): void {
    this.network.read(sentence);
    const size = sentence.length + 1;
    if (this.scores.length < size * size) this.scores = new Float32Array(2 * size * size);
    const { scores } = this;
    const { values } = this.network.arcs.scores;
    const rowLength = ArcScorer.rowLength(size);
    for (let d = 1; d < size; d++) {
      for (let h = 0; h < size; h++) scores[h * size + d] = values[d * rowLength + h];
    }
  }

  /** Scores the labels of the arcs of a tree over the sentence last read, for `bestLabel`. */
  scoreLabels(heads: Int32Array, length: number): void {
    this.network.scoreLabels(heads, length);
  }

  /** Of some labels, the one with the best score for the arc into d; of equal ones the first. */
  bestLabel(labels: Int32Array, d: number): number {
    const { scores, rowLength } = this.network.labels;
    const row = d * rowLength;
    let best = labels[0];
    for (const label of labels) if (scores.values[row + label] > scores.values[row + best]) best = label;
    return best;
  }

  /** The scores of all labels for the arc into d of a tree over the sentence last read. */
  labelScores(heads: Int32Array, length: number, d: number): Float32Array {
    this.network.scoreLabels(heads, length);
    const { scores, rowLength } = this.network.labels;
    return scores.values.slice(d * rowLength, (d + 1) * rowLength);
  }

  /** How probable a head of d is, by itself, among all that d could have. */
  probabilityOf(head: number, d: number, length: number): number {
    const { scores } = this;
    const size = length + 1;
    let sum = 0;
    for (let h = 0; h < size; h++) {
      if (h !== d) sum += Math.exp(scores[h * size + d] - scores[head * size + d]);
    }
    return 1 / sum;
  }
}
