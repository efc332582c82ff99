import { type Learner, learners } from '../../src/learn/linear/learner.ts';
import { type AveragedWeights, quantized, quantizedUnscaled } from '../../src/learn/linear/weights.ts';
import { Random } from '../../src/learn/random.ts';
import { runEpochs } from '../../src/training/epochs.ts';
import { type Example, FormDropout } from '../../src/training/examples.ts';
import type { EpochScores, TrainingRun } from '../../src/training/training-run.ts';
import { TrainingState } from '../../src/training/training-state.ts';
import { LinearMethod, type LinearTrainer } from '../linear-method.ts';
import { GraphModel } from './graph-model.ts';
import { GraphParser } from './graph-parser.ts';
import { ArcLearning, LabelLearning } from './learning/arc-learning.ts';
import { PartLearning } from './learning/part-learning.ts';
import { type GraphTrainingData, type LearningSettings, readTrainingData } from './learning/training-data.ts';
import type { GraphOptions } from './options.ts';
import type { GraphSettings } from './settings.ts';

/** The weight vectors of a graph parser; with parts larger than arcs for a higher order. */
type GraphTrainingState = TrainingState<'arcs' | 'labels'> | TrainingState<'arcs' | 'labels' | 'parts'>;

/** An empty state for a training of a graph parser. */
function graphTrainingState(
  { settings, learning }: Pick<GraphTrainingData, 'settings' | 'learning'>,
  fingerprint: string,
): GraphTrainingState {
  const { bits } = learning;
  const sizes = { arcs: 2 ** bits, labels: 2 ** (bits - 1) };
  return settings.order === undefined
    ? new TrainingState(sizes, fingerprint)
    : new TrainingState({ ...sizes, parts: 2 ** (bits + 1) }, fingerprint);
}

/**
 * Trains the weights of a graph parser in epochs, keeping its state. For a higher order the first epochs train the model
 * of single arcs, which then chooses candidates.
 */
class GraphTrainer implements LinearTrainer {
  private readonly learner: Learner;
  private readonly model: GraphModel;
  private readonly arcs: ArcLearning;
  /** Created when candidates are first chosen. */
  private parts: PartLearning | undefined;
  private readonly labelling: LabelLearning;
  private readonly dropout: FormDropout | undefined;
  private readonly heads: Int32Array;
  private readonly labels: Int32Array;
  /** Scores of the predictions made while learning in the last whole epoch. */
  training: EpochScores = { uas: Number.NaN, las: Number.NaN };

  constructor(
    private readonly data: GraphTrainingData,
    readonly state: GraphTrainingState,
    private readonly run: TrainingRun,
  ) {
    const { learning } = data;
    this.learner = learners[learning.learner];
    const model = new GraphModel(data);
    this.model = model;
    const ofArcs = model.higherOrder === undefined ? this.learner : learners.mira;
    this.arcs = new ArcLearning(model, state.weights.arcs, ofArcs, learning.miraTrees);
    this.labelling = new LabelLearning(model, state.weights.labels, this.learner);
    const { examples, numbering } = data;
    this.dropout =
      learning.formDropout === undefined
        ? undefined
        : new FormDropout(numbering.encoder, examples, learning.formDropout);
    const longest = data.examples.reduce((most, { length }) => Math.max(most, length), 0);
    this.heads = new Int32Array(longest + 1);
    this.labels = new Int32Array(longest + 1);
  }

  async train(
    scoreDev?: (weights: readonly Float32Array[]) => Promise<EpochScores | undefined>,
  ): Promise<void> {
    const { data, state } = this;
    const { epochs, patience, shuffle } = data.learning;
    const task = {
      state,
      epochs,
      patience,
      shuffle,
      total: data.examples.length,
      learn: (i: number) => this.learn(i),
      scores: async () => {
        this.training = this.trainingScores();
        // There is no parser yet while candidates cannot be chosen.
        const dev = this.isChoosing ? undefined : await scoreDev?.(this.weights());
        return { training: this.training, dev };
      },
    };
    await runEpochs(task, this.run);
  }

  /** The learnt weights of arcs, of labels, and of larger parts. */
  weights(): Float32Array[] {
    const vectors = this.state.vectors(this.learner.averaged);
    if (this.model.higherOrder === undefined) return vectors;
    const [, ...others] = vectors;
    return [this.state.weights.arcs.mean(), ...others];
  }

  /** Whether this epoch trains the model that chooses candidates. */
  private get isChoosing(): boolean {
    return this.state.epoch <= (this.data.learning.pruningEpochs ?? 0);
  }

  private learn(number: number): void {
    const { state, heads, labels } = this;
    const example = this.withHiddenForms(this.data.examples[number]);
    this.learnHeads(number, example);
    this.labelling.learn(example, labels);
    for (let d = 1; d <= example.length; d++) {
      if (heads[d] !== example.heads[d]) continue;
      state.heads++;
      if (labels[d] === example.labels[d]) state.rightArcs++;
    }
    state.tokens += example.length;
  }

  private withHiddenForms(example: Example): Example {
    const { dropout, run, state } = this;
    return dropout?.applyTo(example, new Random(run.seed, state.epoch, -1 - state.done)) ?? example;
  }

  private learnHeads(number: number, example: Example): void {
    const { model, state, heads } = this;
    if (model.higherOrder === undefined || this.isChoosing) {
      this.arcs.learn(example, heads);
      return;
    }
    this.parts ??= new PartLearning(
      model,
      model.higherOrder,
      this.data.examples,
      quantizedUnscaled(state.weights.arcs.mean()),
      partWeights(state),
      this.learner,
    );
    this.parts.learn(number, example, heads);
  }

  private trainingScores(): EpochScores {
    const { tokens, heads, rightArcs } = this.state;
    return { uas: (100 * heads) / tokens, las: (100 * rightArcs) / tokens };
  }
}

function partWeights({ weights }: GraphTrainingState): AveragedWeights {
  if ('parts' in weights) return weights.parts;
  throw new TypeError('no weights of parts in the state of a training of a higher order');
}

/** The training of graph parsers. */
class GraphMethod extends LinearMethod<GraphOptions, GraphSettings, LearningSettings, GraphParser> {
  override epochs({ epochs }: GraphOptions): number {
    return epochs;
  }

  protected override readonly read = readTrainingData;

  protected override trainer(data: GraphTrainingData, fingerprint: string, run: TrainingRun): GraphTrainer {
    return new GraphTrainer(data, graphTrainingState(data, fingerprint), run);
  }

  protected override parserOf(data: GraphTrainingData, weights: readonly Float32Array[]): GraphParser {
    const [arcs, labels, parts] = weights;
    return new GraphParser(new GraphModel(data), {
      // Pruning depends on differences of scores.
      arcs: parts === undefined ? quantized(arcs) : quantizedUnscaled(arcs),
      labels: quantized(labels),
      parts: parts && quantized(parts),
    });
  }
}

export const linear = new GraphMethod();
