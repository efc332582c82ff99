import type { EncodedSentence } from '../../../src/encoding/columns.ts';
import { PairScorer, type RowPairs } from '../../../src/learn/network/layers/pair-scorers.ts';
import type { NetworkMemory } from '../../../src/learn/network/memory.ts';
import type { NetworkModel } from '../../../src/learn/network/network-model.ts';
import { crossEntropy, fillTagGradients, weigh } from '../../../src/learn/network/training.ts';
import type { Random } from '../../../src/learn/random.ts';
import { SpanChart } from './span-chart.ts';
import { SpanNetwork, type SpansSettings } from './span-network.ts';

export { readSpans as readModel } from './spans-parser.ts';

/** A training sentence with the 2n − 1 spans of its binary tree. */
export interface SpanExample extends EncodedSentence {
  readonly begins: Int32Array;
  readonly ends: Int32Array;
  readonly labels: Int32Array;
  /** Gold tags as ids of the encoder's xpos; entry 0 is unused. */
  readonly tags: Int32Array;
}

/** Creates a network in training; the loss is the cross-entropy of the tree, of the labels of its spans, and of tags. */
export function learnerOf(
  { settings, numbering, extraInputs }: Omit<NetworkModel<SpansSettings>, 'weights'>,
  memory: NetworkMemory,
) {
  const network = new SpanNetwork(settings, { ...numbering, extraInputs }, true, memory);
  const chart = new SpanChart();
  const addGradients = (example: SpanExample, random: Random, weight: number) => {
    network.read(example, random);
    network.scoreLabels(pairsOf(example), example.length);
    fillScoreGradients(network, chart, example, numbering.labels.length, weight);
    network.backward(pairsOf(example), example.length);
  };
  return { network, parameters: network.parameters, addGradients };
}

export function pairsOf({ begins, ends }: SpanExample): RowPairs {
  return { firsts: begins, seconds: ends, from: 0, to: begins.length };
}

/** Fills the gradients of all scores of the sentence last read. */
export function fillScoreGradients(
  network: SpanNetwork,
  chart: SpanChart,
  { length, begins, ends, labels, tags }: SpanExample,
  labelCount: number,
  weight = 1,
): void {
  const size = length + 1;
  const rowLength = PairScorer.rowLength(size);
  const scores = network.spanScores(length);
  chart.fillInside(scores, length);
  const probabilities = chart.fillProbabilities(scores, length);
  const ofSpans = network.spans.scoreGradients!.values;
  ofSpans.fill(0, 0, rowLength * size);
  for (let i = 0; i < length; i++)
    for (let j = i + 1; j <= length; j++) ofSpans[j * rowLength + i] = probabilities[i * size + j];
  const ofLabels = network.labels.scoreGradients!.values;
  const labelRow = network.labels.rowLength;
  ofLabels.fill(0, 0, begins.length * labelRow);
  for (let s = 0; s < begins.length; s++) {
    ofSpans[ends[s] * rowLength + begins[s]] -= 1;
    crossEntropy(ofLabels, network.labels.scores.values, s * labelRow, labelCount, labels[s]);
  }
  weigh(ofSpans, rowLength * size, weight);
  weigh(ofLabels, begins.length * labelRow, weight);
  fillTagGradients(network.tags, tags, 0, length, weight);
}
