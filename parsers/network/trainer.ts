import type { Numbering } from '../../src/encoding/numbering.ts';
import type { NetworkInput } from '../../src/learn/network/inputs.ts';
import { PairScorer } from '../../src/learn/network/layers/pair-scorers.ts';
import { crossEntropy, NetworkTraining, type Position } from '../../src/learn/network/training.ts';
import { Random } from '../../src/learn/random.ts';
import { examplesIn, runEpochs } from '../../src/training/epochs.ts';
import type { Example } from '../../src/training/examples.ts';
import type { NetworkLearning } from '../../src/training/network/options.ts';
import { NetworkState, ValueDropout } from '../../src/training/network/sentence-training.ts';
import type { EpochScores, TrainingRun } from '../../src/training/training-run.ts';
import { Network } from './network.ts';
import type { NetworkSettings } from './settings.ts';

export interface NetworkTrainingData {
  readonly settings: NetworkSettings;
  readonly numbering: Numbering;
  readonly beside: readonly NetworkInput[];
  readonly examples: readonly Example[];
  readonly learning: NetworkLearning;
}

/** Trains a network through all epochs. The loss is the cross-entropy of heads, and of labels given the right heads. */
export class NetworkTrainer {
  readonly state: NetworkState;
  private readonly network: Network;
  private readonly training: NetworkTraining;
  private readonly dropout: ValueDropout;

  constructor(
    private readonly data: NetworkTrainingData,
    fingerprint: string,
    private readonly run: TrainingRun,
  ) {
    const { settings, numbering, beside, examples, learning } = data;
    this.network = new Network(settings, { ...numbering, beside }, true);
    this.network.initialize(new Random(run.seed));
    this.training = new NetworkTraining({
      parameters: this.network.parameters,
      schedule: learning,
      rate: learning.rate,
      lengths: examples.map(({ length }) => length),
      total: (epoch) => examplesIn({ ...learning, total: examples.length }, epoch),
      addGradients: (batch, position) => this.addGradients(batch, position),
    });
    this.state = new NetworkState(fingerprint, this.training);
    this.dropout = new ValueDropout(numbering.encoder, settings.columns, examples);
  }

  async train(scoreDev: (weights: Float32Array) => Promise<EpochScores | undefined>): Promise<void> {
    const { state, data } = this;
    const { epochs, shuffle, silver } = data.learning;
    const task = {
      state,
      epochs,
      shuffle,
      silver,
      total: data.examples.length,
      learn: (index: number) => this.training.learn(index, state),
      scores: async () => ({ dev: await scoreDev(this.weights()) }),
    };
    await runEpochs(task, this.run);
  }

  weights(): Float32Array {
    return this.network.parameters.weights.values.slice();
  }

  private addGradients(batch: readonly number[], { epoch, done }: Position): void {
    const { network, data, run } = this;
    const { silver } = data.learning;
    for (const [k, index] of batch.entries()) {
      const example = data.examples[index];
      // Seeded anew for every sentence, so that a resumed training needs no generator's state.
      const random = new Random(run.seed, epoch, batch.length - 2 - done - k);
      network.read(this.dropout.applyTo(example, random), random);
      network.scoreLabels(example.heads, example.length);
      const weight = silver !== undefined && index >= silver.from ? silver.weight : 1;
      fillScoreGradients(network, example, data.numbering.labels.length, weight);
      network.backward(example.heads, example.length);
    }
  }
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
