import { setImmediate } from 'node:timers/promises';
import { AttachmentCounts } from '../../src/evaluate/attachment-counts.ts';
import { type Learner, learners } from '../../src/learn/learner.ts';
import { Random } from '../../src/learn/random.ts';
import { quantized } from '../../src/learn/weights.ts';
import type { EpochScores, TrainingRun } from '../parser.ts';
import { ArcLearning } from './arc-learning.ts';
import { GraphModel } from './graph-model.ts';
import { LabelLearning } from './label-learning.ts';
import type { Example, TrainingData } from './training-data.ts';
import type { TrainingState } from './training-state.ts';

/** How long, in milliseconds, training may go on without letting the rest of the program have its turn. */
const TURN = 100;

/** Takes a graph parser's weights through all epochs of training, keeping its state on the way. */
export class GraphTrainer {
  private readonly model: GraphModel;
  private readonly learner: Learner;
  private readonly arcs: ArcLearning;
  private readonly labelling: LabelLearning;
  private readonly heads: Int32Array;
  private readonly labels: Int32Array;
  /** Of the predictions made in the last whole epoch, while learning. */
  training: EpochScores = { uas: Number.NaN, las: Number.NaN };
  private lastTurn = performance.now();

  constructor(
    private readonly data: TrainingData,
    private readonly heldOut: readonly Example[] | undefined,
    private readonly state: TrainingState,
    private readonly run: TrainingRun,
  ) {
    this.model = new GraphModel(data);
    this.learner = learners[data.settings.learner];
    this.arcs = new ArcLearning(this.model, state.arcs, this.learner);
    this.labelling = new LabelLearning(this.model, state.labels, this.learner);
    const longest = data.examples.reduce((most, { length }) => Math.max(most, length), 0);
    this.heads = new Int32Array(longest + 1);
    this.labels = new Int32Array(longest + 1);
  }

  /** Goes through all epochs that are left. Aborted, it keeps its state and throws an `AbortError`. */
  async train(): Promise<void> {
    const { state, run } = this;
    const { epochs } = this.data.settings;
    const total = this.data.examples.length;
    while (state.epoch <= epochs) {
      const { epoch } = state;
      await this.trainEpoch();
      this.training = this.trainingScores();
      const dev = this.heldOut && scoreOn(this.heldOut, this.model, this.weights());
      state.startEpoch(epoch + 1);
      run.onProgress?.({ epoch, epochs, done: total, total, training: this.training, dev });
      if (epoch < epochs) run.checkpoints?.save((file) => state.save(file));
    }
  }

  /** What was learnt: the weights of arcs, and those of labels. */
  weights(): Float32Array[] {
    const { arcs, labels } = this.state;
    return [arcs, labels].map((learnt) =>
      this.learner.averaged ? learnt.mean() : Float32Array.from(learnt.values),
    );
  }

  private async trainEpoch(): Promise<void> {
    const { state, data } = this;
    const order = Int32Array.from(data.examples, (_, i) => i);
    // Drawn anew from the seed and the epoch's number, so that a resumed training needs no generator's state.
    if (data.settings.shuffle) new Random(this.run.seed, state.epoch).shuffle(order);
    this.tellProgress();
    while (state.done < order.length) {
      this.learn(data.examples[order[state.done]]);
      state.done++;
      if (performance.now() - this.lastTurn > TURN) await this.giveTurn();
    }
    this.tellProgress();
  }

  private tellProgress(): void {
    const { state, run, data } = this;
    const total = data.examples.length;
    run.onProgress?.({ epoch: state.epoch, epochs: data.settings.epochs, done: state.done, total });
  }

  private learn(example: Example): void {
    const { state, heads, labels } = this;
    this.arcs.learn(example, heads);
    this.labelling.learn(example, labels);
    for (let d = 1; d <= example.length; d++) {
      if (heads[d] !== example.heads[d]) continue;
      state.heads++;
      if (labels[d] === example.labels[d]) state.rightArcs++;
    }
    state.tokens += example.length;
  }

  /** Lets signals and progress through; keeps the state and ends the training where it is to stop. */
  private async giveTurn(): Promise<void> {
    const { state, run } = this;
    this.tellProgress();
    await setImmediate();
    if (run.signal?.aborted) {
      run.checkpoints?.save((file) => state.save(file));
      run.signal.throwIfAborted();
    }
    this.lastTurn = performance.now();
  }

  private trainingScores(): EpochScores {
    const { tokens, heads, rightArcs } = this.state;
    return { uas: (100 * heads) / tokens, las: (100 * rightArcs) / tokens };
  }
}

/** Attachment scores of a model with the weights of arcs and of labels that were learnt. */
export function scoreOn(
  examples: readonly Example[],
  model: GraphModel,
  weights: readonly Float32Array[],
): EpochScores {
  const [arcWeights, labelWeights] = weights.map(quantized);
  const longest = examples.reduce((most, { length }) => Math.max(most, length), 0);
  const heads = new Int32Array(longest + 1);
  const labels = new Int32Array(longest + 1);
  const counts = new AttachmentCounts();
  for (const example of examples) {
    model.findHeads(example, arcWeights, heads);
    model.findLabels(example, labelWeights, heads, labels);
    counts.add(example.heads, example.labels, heads, labels, example.length);
  }
  return { uas: counts.uas, las: counts.las };
}
