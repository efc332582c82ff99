import type { ColumnEncoder, EncodedColumn, EncodedSentence } from '../../encoding/columns.ts';
import { columnStart, valueCounts } from '../../encoding/columns.ts';
import { UNKNOWN } from '../../encoding/vocabulary.ts';
import { formDropout, VALUE_DROPOUT } from '../../learn/network/layers/dropout.ts';
import type { Parameters } from '../../learn/network/parameters.ts';
import { NetworkTraining, type Position } from '../../learn/network/training.ts';
import { Random } from '../../learn/random.ts';
import type { ModelReader } from '../../model/model-reader.ts';
import type { ModelWriter } from '../../model/model-writer.ts';
import { examplesIn, runEpochs } from '../epochs.ts';
import type { EpochScores, TrainingRun } from '../training-run.ts';
import { TrainingState } from '../training-state.ts';
import type { NetworkLearning } from './options.ts';

interface SentenceTask<E extends EncodedSentence> {
  readonly parameters: Parameters;
  readonly encoder: ColumnEncoder;
  /** The embedded columns. */
  readonly columns: readonly EncodedColumn[];
  readonly examples: readonly E[];
  readonly learning: NetworkLearning;
  /** Adds the gradients of the loss of a sentence, times `weight`; `random` draws the dropout masks. */
  addGradients(example: E, random: Random, weight: number): void;
}

/** Trains a network over encoded sentences through all epochs. */
export class SentenceTrainer<E extends EncodedSentence> {
  readonly state: NetworkState;
  private readonly training: NetworkTraining;
  private readonly dropout: ValueDropout;

  constructor(
    private readonly task: SentenceTask<E>,
    fingerprint: string,
    private readonly run: TrainingRun,
  ) {
    const { parameters, encoder, columns, examples, learning } = task;
    this.training = new NetworkTraining({
      parameters,
      schedule: learning,
      rate: learning.rate,
      lengths: examples.map(({ length }) => length),
      total: (epoch) => examplesIn({ ...learning, total: examples.length }, epoch),
      addGradients: (batch, position) => this.addGradients(batch, position),
    });
    this.state = new NetworkState(`${fingerprint} ${run.seed}`, this.training);
    this.dropout = new ValueDropout(encoder, columns, examples);
  }

  /** Trains from the run's saved state on, if it has one; returns the weights. */
  async train(score: (weights: Float32Array) => Promise<EpochScores | undefined>): Promise<Float32Array> {
    const { state, task, run } = this;
    const weights = () => task.parameters.weights.values.slice();
    const { epochs, shuffle, silver } = task.learning;
    const learn = (index: number) => this.training.learn(index, state);
    const scores = async () => ({ dev: await score(weights()) });
    await runEpochs({ state, epochs, shuffle, silver, total: task.examples.length, learn, scores }, run);
    return weights();
  }

  private addGradients(batch: readonly number[], { epoch, done }: Position): void {
    const { task, run } = this;
    const { silver } = task.learning;
    for (const [k, index] of batch.entries()) {
      // Seeded anew for every sentence, so that a resumed training needs no generator's state.
      const random = new Random(run.seed, epoch, batch.length - 2 - done - k);
      const weight = silver !== undefined && index >= silver.from ? silver.weight : 1;
      task.addGradients(this.dropout.applyTo(task.examples[index], random), random, weight);
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

/** Replaces values of tokens by unknown ones in training, so that the network learns to do without them. */
class ValueDropout {
  private readonly places: readonly number[];
  private readonly form: number;
  private readonly ofForms: Float64Array;

  constructor(
    encoder: ColumnEncoder,
    columns: readonly EncodedColumn[],
    examples: readonly EncodedSentence[],
  ) {
    this.places = columns.map((name) => encoder.names.indexOf(name));
    this.form = encoder.names.indexOf('form');
    const counts = valueCounts(examples, this.form, encoder.vocabulary(this.form).size);
    this.ofForms = Float64Array.from(counts, formDropout);
  }

  applyTo<S extends EncodedSentence>(example: S, random: Random): S {
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
