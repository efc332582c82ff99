import type { Numbering } from '../src/encoding/numbering.ts';
import { type Learner, type LearnerName, learners, WeighingLearner } from '../src/learn/linear/learner.ts';
import { Random } from '../src/learn/random.ts';
import { runEpochs } from '../src/training/epochs.ts';
import { type Example, FormDropout, type SilverExamples } from '../src/training/examples.ts';
import type { Keep } from '../src/training/options.ts';
import type { EpochScores, TrainingRun } from '../src/training/training-run.ts';
import type { TrainingState } from '../src/training/training-state.ts';

export interface EpochSettings {
  readonly epochs: number;
  readonly patience?: number | undefined;
  readonly keep: Keep;
  readonly shuffle: boolean;
  readonly learner: LearnerName;
  /** Strength of `FormDropout`; 0 by default. */
  readonly formDropout?: number | undefined;
  readonly silver?: SilverExamples | undefined;
}

export interface LinearTrainingData<Settings, Learning> {
  readonly settings: Settings;
  readonly numbering: Numbering;
  readonly learning: Learning;
  readonly examples: readonly Example[];
}

export type ScoreWeights = (weights: readonly Float32Array[]) => Promise<EpochScores | undefined>;

export abstract class LinearTrainer<
  Settings = unknown,
  Learning extends EpochSettings = EpochSettings,
  Name extends string = string,
> {
  /** Scores of the predictions made during the last whole epoch, if they are counted. */
  readonly training?: EpochScores | undefined;
  protected readonly learner: Learner;
  private readonly weighing: WeighingLearner[] = [];
  private readonly dropout: FormDropout | undefined;

  constructor(
    protected readonly data: LinearTrainingData<Settings, Learning>,
    readonly state: TrainingState<Name>,
    protected readonly run: TrainingRun,
  ) {
    const { learning, numbering, examples } = data;
    this.learner = this.learnerNamed(learning.learner);
    if (learning.formDropout)
      this.dropout = new FormDropout(numbering.encoder, examples, learning.formDropout);
  }

  /** Runs the remaining epochs, scoring after each. When aborted, keeps its state and throws `AbortError`. */
  async train(scoreDev?: ScoreWeights): Promise<void> {
    const { data, state, run } = this;
    const { epochs, patience, shuffle, silver } = data.learning;
    const task = {
      state,
      epochs,
      patience,
      shuffle,
      silver,
      total: data.examples.length,
      learn: (i: number) => {
        for (const learner of this.weighing) learner.weight = i < silver!.from ? 1 : silver!.weight;
        this.learn(i, this.withHiddenForms(data.examples[i]));
      },
      scores: () => this.scores(scoreDev),
    };
    await runEpochs(task, run);
  }

  weights(): Float32Array[] {
    return this.state.vectors(this.learner.averaged);
  }

  /** The learner, weighing silver trees if there are any. */
  protected learnerNamed(name: LearnerName): Learner {
    if (this.data.learning.silver === undefined) return learners[name];
    const learner = new WeighingLearner(learners[name]);
    this.weighing.push(learner);
    return learner;
  }

  /** Updates the weights by an example; some of its forms may be hidden. */
  protected abstract learn(number: number, example: Example): void;

  protected async scores(scoreDev?: ScoreWeights) {
    return { dev: await scoreDev?.(this.weights()) };
  }

  /** Draws anew for every sentence, so that resuming needs no generator state. */
  private withHiddenForms(example: Example): Example {
    const { dropout, run, state } = this;
    return dropout?.applyTo(example, new Random(run.seed, state.epoch, -1 - state.done)) ?? example;
  }
}
