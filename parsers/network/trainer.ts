import { columnStart, valueCounts } from '../../src/encoding/columns.ts';
import type { Numbering } from '../../src/encoding/numbering.ts';
import { UNKNOWN } from '../../src/encoding/vocabulary.ts';
import type { NetworkInput } from '../../src/learn/network/inputs.ts';
import { formDropout, VALUE_DROPOUT } from '../../src/learn/network/layers/dropout.ts';
import { crossEntropy, NetworkTraining, type Position } from '../../src/learn/network/training.ts';
import { Random } from '../../src/learn/random.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import { runEpochs } from '../../src/training/epochs.ts';
import type { Example } from '../../src/training/examples.ts';
import type { EpochScores, TrainingRun } from '../../src/training/training-run.ts';
import { TrainingState } from '../../src/training/training-state.ts';
import { Network } from './network.ts';
import type { NetworkLearning } from './options.ts';
import { ArcScorer } from './scorers.ts';
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
      addGradients: (batch, position) => this.addGradients(batch, position),
    });
    this.state = new NetworkState(fingerprint, this.training);
    this.dropout = new ValueDropout(numbering, settings, examples);
  }

  async train(scoreDev: (weights: Float32Array) => Promise<EpochScores | undefined>): Promise<void> {
    const { state, data } = this;
    const { epochs, shuffle } = data.learning;
    const task = {
      state,
      epochs,
      shuffle,
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
    for (const [k, index] of batch.entries()) {
      const example = data.examples[index];
      // Seeded anew for every sentence, so that a resumed training needs no generator's state.
      const random = new Random(run.seed, epoch, batch.length - 2 - done - k);
      network.read(this.dropout.applyTo(example, random), random);
      network.scoreLabels(example.heads, example.length);
      fillScoreGradients(network, example, data.numbering.labels.length);
      network.backward(example.heads, example.length);
    }
  }
}

class NetworkState extends TrainingState<never> {
  constructor(
    fingerprint: string,
    private readonly training: NetworkTraining,
  ) {
    super({}, fingerprint);
  }

  override save(file: ModelWriter): void {
    super.save(file);
    this.training.save(file);
  }

  override restore(file: ModelReader): void {
    super.restore(file);
    this.training.restore(file);
  }
}

/** Fills the gradients of the scores of arcs and labels, for the sentence last read. */
export function fillScoreGradients(
  { arcs, labels: labelScorer }: Network,
  { length, heads, labels }: Example,
  labelCount: number,
): void {
  const rowLength = ArcScorer.rowLength(length + 1);
  const [arcGradients, labelGradients] = [arcs.scoreGradients!.values, labelScorer.scoreGradients!.values];
  arcGradients.fill(0, 0, rowLength * (length + 1));
  labelGradients.fill(0, 0, labelScorer.rowLength);
  for (let d = 1; d <= length; d++) {
    crossEntropy(arcGradients, arcs.scores.values, d * rowLength, length + 1, heads[d], d);
    const start = d * labelScorer.rowLength;
    crossEntropy(labelGradients, labelScorer.scores.values, start, labelCount, labels[d]);
  }
}

/** Replaces values of tokens by unknown ones in training, so that the network learns to do without them. */
class ValueDropout {
  private readonly places: readonly number[];
  private readonly form: number;
  private readonly ofForms: Float64Array;

  constructor({ encoder }: Numbering, { columns }: NetworkSettings, examples: readonly Example[]) {
    this.places = columns.map((name) => encoder.names.indexOf(name));
    this.form = encoder.names.indexOf('form');
    const counts = valueCounts(examples, this.form, encoder.vocabulary(this.form).size);
    this.ofForms = Float64Array.from(counts, formDropout);
  }

  applyTo(example: Example, random: Random): Example {
    const columns = example.columns.slice();
    for (const place of this.places) {
      const start = columnStart(example.length, place);
      for (let i = start + 1; i <= start + example.length; i++) {
        if (random.share() < VALUE_DROPOUT) columns[i] = UNKNOWN;
        else if (place === this.form && random.share() < this.ofForms[columns[i]]) columns[i] = UNKNOWN;
      }
    }
    return { ...example, columns };
  }
}
