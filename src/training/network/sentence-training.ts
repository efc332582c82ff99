import type { EncodedSentence } from '../../encoding/columns.ts';
import type { NumberingSettings } from '../../encoding/numbering.ts';
import { keepDescriptions } from '../../learn/encoder/published/published-encoder.ts';
import { NetworkMemory } from '../../learn/network/memory.ts';
import { type NetworkModel, saveNetwork } from '../../learn/network/network-model.ts';
import type { AdamStep, Shape } from '../../learn/network/parameters.ts';
import type { SentenceNetwork, SentenceSettings } from '../../learn/network/sentence-network.ts';
import { NetworkTraining, type Position } from '../../learn/network/training.ts';
import { Random } from '../../learn/random.ts';
import { ModelWriter, modelBytes } from '../../model/model-writer.ts';
import { WorkerPool } from '../../threads/worker-pool.ts';
import { examplesIn, runEpochs } from '../epochs.ts';
import type { EpochScores, TrainingRun } from '../training-run.ts';
import { TrainingState } from '../training-state.ts';
import { BatchHalf, OtherHalfFailed, type SentenceLearner, SharedBatch, ValueDropout } from './batch-half.ts';
import type { HalfTask } from './half-worker.ts';
import type { NetworkLearning } from './options.ts';

interface SentenceTask<E extends EncodedSentence> {
  readonly model: Omit<NetworkModel<NumberingSettings & SentenceSettings>, 'weights'>;
  /** Name of the header field that describes the network. */
  readonly part: string;
  readonly examples: readonly E[];
  readonly learning: NetworkLearning;
  /** The trained weights to start from, and their shapes. */
  readonly start?: { readonly weights: Float32Array; readonly shapes: readonly Shape[] } | undefined;
  /** URL of the built module from which a worker opens the learner. */
  readonly module: URL;
  open(memory: NetworkMemory): SentenceLearner<E> & { readonly network: SentenceNetwork };
}

/** Trains a network over encoded sentences for all epochs; with two jobs, half of every batch runs in a worker. */
export class SentenceTrainer<E extends EncodedSentence> {
  readonly state: TrainingState<never>;
  private readonly memory: NetworkMemory;
  private readonly network: SentenceNetwork;
  private readonly training: NetworkTraining;
  private readonly halves: Halves<E>;

  constructor(
    private readonly task: SentenceTask<E>,
    fingerprint: string,
    private readonly run: TrainingRun,
  ) {
    const { model, examples, learning, start } = task;
    const isThreaded = run.jobs > 1;
    this.memory = new NetworkMemory(undefined, isThreaded ? 'shared' : 'doubled');
    const learner = task.open(this.memory);
    this.network = learner.network;
    this.network.initialize(new Random(run.seed));
    if (start !== undefined) this.network.parameters.copyFrom(start.weights, start.shapes);
    const dropout = new ValueDropout(model.numbering.encoder, model.settings.columns, examples);
    const half = (number: 0 | 1, own: SentenceLearner<E>) =>
      new BatchHalf(number, own, examples, dropout, learning, run.seed);
    const second = () => half(1, task.open(new NetworkMemory(undefined, this.memory.second)));
    const halves = new Halves(half(0, learner), isThreaded ? undefined : second());
    this.halves = halves;
    this.training = new NetworkTraining({
      parameters: halves,
      schedule: learning,
      rate: learning.rate,
      lengths: examples.map(({ length }) => length),
      total: (epoch) => examplesIn({ ...learning, total: examples.length }, epoch),
      addGradients: (batch, position) => halves.addGradients(batch, position),
    });
    this.state = new TrainingState({}, `${fingerprint} ${run.seed}`, undefined, [this.training]);
  }

  /** Trains, resuming from the run's saved state if there is one; returns the weights. */
  async train(score: (weights: Float32Array) => Promise<EpochScores | undefined>): Promise<Float32Array> {
    const { state, task, run, network, halves } = this;
    const weights = () => network.parameters.weights.values.slice();
    const { epochs, shuffle, silver } = task.learning;
    const learn = (index: number) => this.training.learn(index, state);
    const scores = async () => ({ dev: await score(weights()) });
    keepDescriptions();
    try {
      if (run.jobs > 1) await this.openThread(weights());
      await runEpochs({ state, epochs, shuffle, silver, total: task.examples.length, learn, scores }, run);
    } catch (error) {
      if (error instanceof OtherHalfFailed) await halves.work;
      throw error;
    } finally {
      await halves.end();
    }
    return weights();
  }

  private async openThread(weights: Float32Array): Promise<void> {
    const { task, run, memory } = this;
    const { examples, learning, module } = task;
    const writer = new ModelWriter();
    saveNetwork(writer, task.part, { ...task.model, weights });
    await this.halves.openThread({
      module: module.href,
      model: modelBytes(writer),
      memory: memory.second,
      examples,
      learning: { silver: learning.silver },
      seed: run.seed,
    });
  }
}

/** Runs the two halves of every batch, both in this thread or the second in a worker: the weights come out the same. */
class Halves<E extends EncodedSentence> {
  private thread:
    | { readonly pool: WorkerPool<HalfTask | undefined, void>; readonly shared: SharedBatch }
    | undefined;
  /** Rejected when the thread fails or is terminated. */
  work: Promise<void> | undefined;

  /** @param second absent if it runs in the thread of `openThread` */
  constructor(
    private readonly first: BatchHalf<E>,
    private readonly second: BatchHalf<E> | undefined,
  ) {}

  async openThread(task: Omit<HalfTask, 'shared'>): Promise<void> {
    const shared = new SharedBatch(SharedBatch.bufferFor(task.examples.length));
    const pool = new WorkerPool<HalfTask | undefined, void>(new URL('./half-worker.js', import.meta.url), 1);
    this.thread = { pool, shared };
    await pool.run({ ...task, shared: shared.buffer });
    this.work = pool.run(undefined);
    this.work.catch(() => undefined);
  }

  async end(): Promise<void> {
    await this.thread?.pool.end();
  }

  addGradients(batch: readonly number[], position: Position): void {
    this.thread?.shared.begin(batch, position);
    this.first.addGradients(batch, position);
    this.second?.addGradients(batch, position);
  }

  step(step: AdamStep): void {
    const { parameters } = this.first.learner;
    if (this.thread !== undefined) {
      this.thread.shared.adamStep = step;
      this.first.step(this.thread.shared);
      return;
    }
    const ranges = parameters.halves;
    const [first, second] = ranges.map((range) => parameters.mergeGradients(range));
    for (const range of ranges) parameters.stepMerged(range, step, first + second);
  }

  state(): [name: string, values: Float32Array][] {
    return this.first.learner.parameters.state();
  }
}
