import { type Learner, learners } from '../../../src/learn/linear/learner.ts';
import { runEpochs } from '../../../src/training/epochs.ts';
import type { Example } from '../../../src/training/examples.ts';
import type { EpochScores, TrainingRun } from '../../../src/training/training-run.ts';
import { TrainingState } from '../../../src/training/training-state.ts';
import type { LinearTrainer } from '../../linear-method.ts';
import { GraphModel } from '../graph-model.ts';
import { ArcLearning } from './arc-learning.ts';
import { LabelLearning } from './label-learning.ts';
import type { TrainingData } from './training-data.ts';

/** The weight vectors of a graph parser. */
export type GraphTrainingState = TrainingState<'arcs' | 'labels'>;

/** An empty state for a training of a graph parser with 2^bits weights for arcs. */
export function graphTrainingState(bits: number, fingerprint: string): GraphTrainingState {
  return new TrainingState({ arcs: 2 ** bits, labels: 2 ** (bits - 1) }, fingerprint);
}

/** Takes a graph parser's weights through all epochs of training, keeping its state on the way. */
export class GraphTrainer implements LinearTrainer {
  private readonly learner: Learner;
  private readonly arcs: ArcLearning;
  private readonly labelling: LabelLearning;
  private readonly heads: Int32Array;
  private readonly labels: Int32Array;
  /** Of the predictions made in the last whole epoch, while learning. */
  training: EpochScores = { uas: Number.NaN, las: Number.NaN };

  constructor(
    private readonly data: TrainingData,
    readonly state: GraphTrainingState,
    private readonly run: TrainingRun,
  ) {
    const { learning } = data;
    this.learner = learners[learning.learner];
    const model = new GraphModel(data);
    this.arcs = new ArcLearning(model, state.weights.arcs, this.learner, learning.miraTrees);
    this.labelling = new LabelLearning(model, state.weights.labels, this.learner);
    const longest = data.examples.reduce((most, { length }) => Math.max(most, length), 0);
    this.heads = new Int32Array(longest + 1);
    this.labels = new Int32Array(longest + 1);
  }

  async train(
    scoreDev?: (weights: readonly Float32Array[]) => Promise<EpochScores | undefined>,
  ): Promise<void> {
    const { data, state } = this;
    const { epochs, shuffle } = data.learning;
    const task = {
      state,
      epochs,
      shuffle,
      total: data.examples.length,
      learn: (i: number) => this.learn(data.examples[i]),
      scores: async () => {
        this.training = this.trainingScores();
        return { training: this.training, dev: await scoreDev?.(this.weights()) };
      },
    };
    await runEpochs(task, this.run);
  }

  /** What was learnt: the weights of arcs, and those of labels. */
  weights(): Float32Array[] {
    return this.state.vectors(this.learner.averaged);
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

  private trainingScores(): EpochScores {
    const { tokens, heads, rightArcs } = this.state;
    return { uas: (100 * heads) / tokens, las: (100 * rightArcs) / tokens };
  }
}
