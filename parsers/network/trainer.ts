import type { Numbering } from '../../src/encoding/numbering.ts';
import type { NetworkInput } from '../../src/learn/network/inputs.ts';
import { PairScorer } from '../../src/learn/network/layers/pair-scorers.ts';
import type { Shape } from '../../src/learn/network/parameters.ts';
import { crossEntropy } from '../../src/learn/network/training.ts';
import { Random } from '../../src/learn/random.ts';
import type { Example } from '../../src/training/examples.ts';
import type { NetworkLearning } from '../../src/training/network/options.ts';
import { SentenceTrainer } from '../../src/training/network/sentence-training.ts';
import type { TrainingRun } from '../../src/training/training-run.ts';
import { Network } from './network.ts';
import type { NetworkSettings } from './settings.ts';

export interface NetworkTrainingData {
  readonly settings: NetworkSettings;
  readonly numbering: Numbering;
  readonly beside: readonly NetworkInput[];
  readonly examples: readonly Example[];
  readonly learning: NetworkLearning;
  /** The weights of a trained network to go on from, of these shapes. */
  readonly start?: { readonly weights: Float32Array; readonly shapes: readonly Shape[] } | undefined;
}

/** The training of a network: the loss is the cross-entropy of heads, and of labels given the right heads. */
export function networkTrainer(
  { settings, numbering, beside, examples, learning, start }: NetworkTrainingData,
  fingerprint: string,
  run: TrainingRun,
): SentenceTrainer<Example> {
  const network = new Network(settings, { ...numbering, beside }, true);
  network.initialize(new Random(run.seed));
  const { parameters } = network;
  if (start !== undefined) parameters.copyFrom(start.weights, start.shapes);
  const addGradients = (example: Example, random: Random, weight: number) => {
    const { heads, length } = example;
    network.read(example, random);
    network.scoreLabels(heads, length);
    fillScoreGradients(network, example, numbering.labels.length, weight);
    network.backward(heads, length);
  };
  const { encoder } = numbering;
  const task = { parameters, encoder, columns: settings.columns, examples, learning, addGradients };
  return new SentenceTrainer(task, fingerprint, run);
}

/** Fills the gradients of the scores of arcs and labels, for the sentence last read. */
export function fillScoreGradients(
  { arcs, labels: labelScorer }: Network,
  { length, heads, labels }: Example,
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
  if (weight === 1) return;
  for (let i = 0; i < rowLength * (length + 1); i++) arcGradients[i] *= weight;
  for (let i = 0; i < labelScorer.rowLength * (length + 1); i++) labelGradients[i] *= weight;
}
