import type { Example } from '../../../src/encoding/examples.ts';
import { type Learner, learners } from '../../../src/learn/linear/learner.ts';
import { quantized } from '../../../src/learn/linear/weights.ts';
import { runEpochs } from '../../../src/training/epochs.ts';
import { scoreHeldOut } from '../../../src/training/held-out.ts';
import { TrainingState } from '../../../src/training/training-state.ts';
import type { EpochScores, TrainingRun } from '../../parser.ts';
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
export class GraphTrainer {
  private readonly model: GraphModel;
  private readonly learner: Learner;
  private readonly arcs: ArcLearning;
  private readonly labelling: LabelLearning;
  private readonly heads: Int32Array;
  private readonly labels: Int32Array;
  /** Of the predictions made in the last whole epoch, while learning. */
  training: EpochScores = { uas: Number.NaN, las: Number.NaN };

  constructor(
    private readonly data: TrainingData,
    private readonly heldOut: readonly Example[] | undefined,
    private readonly state: GraphTrainingState,
    private readonly run: TrainingRun,
  ) {
    this.model = new GraphModel(data);
    this.learner = learners[data.settings.learner];
    this.arcs = new ArcLearning(this.model, state.weights.arcs, this.learner);
    this.labelling = new LabelLearning(this.model, state.weights.labels, this.learner);
    const longest = data.examples.reduce((most, { length }) => Math.max(most, length), 0);
    this.heads = new Int32Array(longest + 1);
    this.labels = new Int32Array(longest + 1);
  }

  /** Goes through all epochs that are left. Aborted, it keeps its state and throws an `AbortError`. */
  async train(): Promise<void> {
    const { data, state, heldOut, model } = this;
    const { epochs, shuffle } = data.settings;
    const task = {
      state,
      epochs,
      shuffle,
      total: data.examples.length,
      learn: (i: number) => this.learn(data.examples[i]),
      scores: () => {
        this.training = this.trainingScores();
        return { training: this.training, dev: heldOut && scoreOn(heldOut, model, this.weights()) };
      },
    };
    await runEpochs(task, this.run);
  }

  /** What was learnt: the weights of arcs, and those of labels. */
  weights(): Float32Array[] {
    const { arcs, labels } = this.state.weights;
    return [arcs, labels].map((learnt) =>
      this.learner.averaged ? learnt.mean() : Float32Array.from(learnt.values),
    );
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

/** Attachment scores of a model with the weights of arcs and of labels that were learnt. */
export function scoreOn(
  examples: readonly Example[],
  model: GraphModel,
  weights: readonly Float32Array[],
): EpochScores {
  const [arcWeights, labelWeights] = weights.map(quantized);
  return scoreHeldOut(examples, (example, heads, labels) => {
    model.findHeads(example, arcWeights, heads);
    model.findLabels(example, labelWeights, heads, labels);
  });
}
