import { columnStart } from '../../src/encoding/columns.ts';
import { PairScorer } from '../../src/learn/network/layers/pair-scorers.ts';
import type { NetworkMemory } from '../../src/learn/network/memory.ts';
import type { NetworkModel } from '../../src/learn/network/network-model.ts';
import { crossEntropy, fillTagGradients, weigh } from '../../src/learn/network/training.ts';
import type { Random } from '../../src/learn/random.ts';
import type { Example } from '../../src/training/examples.ts';
import { Network, type NetworkSettings } from './network.ts';

export { readNetwork as readModel } from './network-parser.ts';

/** Creates a network in training; the loss is the cross-entropy of heads, of labels given the gold heads, and of tags. */
export function learnerOf(
  { settings, numbering, extraInputs }: Omit<NetworkModel<NetworkSettings>, 'weights'>,
  memory: NetworkMemory,
) {
  const network = new Network(settings, { ...numbering, extraInputs }, true, memory);
  const addGradients = (example: Example, random: Random, weight: number) => {
    const { heads, length } = example;
    network.read(example, random);
    network.scoreLabels(heads, length);
    fillScoreGradients(network, example, numbering.labels.length, weight);
    network.backward(heads, length);
  };
  return { network, parameters: network.parameters, addGradients };
}

/** Fills the gradients of all scores of the sentence last read. */
export function fillScoreGradients(
  { arcs, labels: labelScorer, taggers }: Network,
  { length, columns, heads, labels }: Example,
  labelCount: number,
  weight = 1,
): void {
  const rowLength = PairScorer.rowLength(length + 1);
  const [arcGradients, labelGradients] = [arcs.scoreGradients!.values, labelScorer.scoreGradients!.values];
  arcGradients.fill(0, 0, rowLength * (length + 1));
  labelGradients.fill(0, 0, labelScorer.rowLength);
  for (let d = 1; d <= length; d++) {
    crossEntropy(arcGradients, arcs.scores.values, d * rowLength, length + 1, heads[d], d);
    const start = d * labelScorer.rowLength;
    crossEntropy(labelGradients, labelScorer.scores.values, start, labelCount, labels[d]);
  }
  for (const { place, scorer } of taggers)
    fillTagGradients(scorer, columns, columnStart(length, place), length, weight);
  weigh(arcGradients, rowLength * (length + 1), weight);
  weigh(labelGradients, labelScorer.rowLength * (length + 1), weight);
}
