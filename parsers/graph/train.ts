import { type AveragedWeights, quantized, quantizedUnscaled } from '../../src/learn/linear/weights.ts';
import type { Example } from '../../src/training/examples.ts';
import type { EpochScores, TrainingRun } from '../../src/training/training-run.ts';
import { TrainingState } from '../../src/training/training-state.ts';
import { LinearMethod } from '../linear-method.ts';
import { LinearTrainer, type ScoreWeights } from '../linear-trainer.ts';
import { GraphModel } from './graph-model.ts';
import { GraphParser } from './graph-parser.ts';
import { ArcLearning, LabelLearning } from './learning/arc-learning.ts';
import { PartLearning } from './learning/part-learning.ts';
import { type GraphTrainingData, type LearningSettings, readTrainingData } from './learning/training-data.ts';
import type { GraphOptions } from './options.ts';
import type { GraphSettings } from './settings.ts';

type GraphTrainingState = TrainingState<'arcs' | 'labels'> | TrainingState<'arcs' | 'labels' | 'parts'>;

function graphTrainingState(
  { settings, learning }: GraphTrainingData,
  fingerprint: string,
): GraphTrainingState {
  const { bits } = learning;
  const sizes = { arcs: 2 ** bits, labels: 2 ** (bits - 1) };
  return settings.order === undefined
    ? new TrainingState(sizes, fingerprint)
    : new TrainingState({ ...sizes, parts: 2 ** (bits + 1) }, fingerprint);
}

/** Trains a graph parser; for a higher order the first epochs train the model of single arcs that chooses candidates. */
class GraphTrainer extends LinearTrainer<GraphSettings, LearningSettings, 'arcs' | 'labels'> {
  private readonly model: GraphModel;
  private readonly arcs: ArcLearning;
  private parts: PartLearning | undefined;
  private readonly labelling: LabelLearning;
  private readonly heads: Int32Array;
  private readonly labels: Int32Array;
  override training: EpochScores = { uas: Number.NaN, las: Number.NaN };

  constructor(data: GraphTrainingData, state: GraphTrainingState, run: TrainingRun) {
    super(data, state, run);
    const { learner } = this;
    this.model = new GraphModel(data);
    const { model } = this;
    const ofArcs = model.higherOrder === undefined ? learner : this.learnerNamed('mira');
    this.arcs = new ArcLearning(model, state.weights.arcs, ofArcs, data.learning.miraTrees);
    this.labelling = new LabelLearning(model, state.weights.labels, learner);
    const longest = data.examples.reduce((most, { length }) => Math.max(most, length), 0);
    this.heads = new Int32Array(longest + 1);
    this.labels = new Int32Array(longest + 1);
  }

  override weights(): Float32Array[] {
    const vectors = super.weights();
    if (this.model.higherOrder === undefined) return vectors;
    return [this.state.weights.arcs.mean(), ...vectors.slice(1)];
  }

  private get isChoosing(): boolean {
    return this.state.epoch <= (this.data.learning.pruningEpochs ?? 0);
  }

  protected override learn(number: number, example: Example): void {
    const { state, heads, labels } = this;
    this.learnHeads(number, example);
    this.labelling.learn(example, labels);
    for (let d = 1; d <= example.length; d++) {
      if (heads[d] !== example.heads[d]) continue;
      state.heads++;
      if (labels[d] === example.labels[d]) state.rightArcs++;
    }
    state.tokens += example.length;
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

  protected override async scores(scoreDev?: ScoreWeights) {
    const { tokens, heads, rightArcs } = this.state;
    this.training = { uas: (100 * heads) / tokens, las: (100 * rightArcs) / tokens };
    // There is no parser yet while candidates cannot be chosen.
    const dev = this.isChoosing ? undefined : await scoreDev?.(this.weights());
    return { training: this.training, dev };
  }
}

function partWeights({ weights }: GraphTrainingState): AveragedWeights {
  if ('parts' in weights) return weights.parts;
  throw new TypeError('no weights of parts in the state of a training of a higher order');
}

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
