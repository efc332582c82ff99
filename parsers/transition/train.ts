import { type Learner, learners } from '../../src/learn/linear/learner.ts';
import { quantizedTogether } from '../../src/learn/linear/weights.ts';
import { Random } from '../../src/learn/random.ts';
import { runEpochs } from '../../src/training/epochs.ts';
import { type Example, FormDropout } from '../../src/training/examples.ts';
import type { EpochScores, TrainingRun } from '../../src/training/training-run.ts';
import { TrainingState } from '../../src/training/training-state.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import { LinearMethod, type LinearTrainer } from '../linear-method.ts';
import { BeamLearning } from './learning/beam-learning.ts';
import { GreedyLearning } from './learning/greedy-learning.ts';
import { trainSvms } from './learning/svm-trainer.ts';
import { readTrainingData, type TransitionTrainingData } from './learning/training-data.ts';
import { type OnlineSettings, onlineSettings, svmSettings, type TransitionOptions } from './options.ts';
import type { TransitionSettings } from './settings.ts';
import { TransitionModel, weightCounts } from './transition-model.ts';
import { TransitionParser } from './transition-parser.ts';

/** Takes the weights of a transition-based parser through all epochs of training. */
class TransitionTrainer implements LinearTrainer {
  readonly state: TrainingState<'actions' | 'labels'>;
  private readonly learner: Learner;

  constructor(
    private readonly data: TransitionTrainingData<OnlineSettings>,
    fingerprint: string,
    private readonly run: TrainingRun,
  ) {
    const { numbering, learning } = data;
    this.state = new TrainingState(weightCounts(learning.bits, numbering.labels.length), fingerprint);
    this.learner = learners[learning.learner];
  }

  async train(
    scoreDev?: (weights: readonly Float32Array[]) => Promise<EpochScores | undefined>,
  ): Promise<void> {
    const { state, data } = this;
    const { epochs, patience, shuffle } = data.learning;
    const learn = this.learnFrom();
    const task = {
      state,
      epochs,
      patience,
      shuffle,
      total: data.examples.length,
      learn: (i: number) => learn(data.examples[i]),
      scores: async () => ({ dev: await scoreDev?.(this.weights()) }),
    };
    await runEpochs(task, this.run);
  }

  /** What was learnt: the weights of actions, and those of labels. */
  weights(): Float32Array[] {
    return this.state.vectors(this.learner.averaged);
  }

  /** Learns from an example, or from what of it is not hidden. */
  private learnFrom(): (example: Example) => void {
    const { data, state, run } = this;
    const learn = this.learnBySearch();
    const { formDropout } = data.learning;
    if (formDropout === 0) return learn;
    const dropout = new FormDropout(data.numbering.encoder, data.examples, formDropout);
    // Drawn anew for every sentence, so that a resumed training needs no generator's state.
    return (example) => learn(dropout.applyTo(example, new Random(run.seed, state.epoch, -1 - state.done)));
  }

  /** Learns by the search that the parser will use. */
  private learnBySearch(): (example: Example) => void {
    const { data, state, learner, run } = this;
    const model = new TransitionModel(data);
    if (data.learning.beam > 1) {
      const learning = new BeamLearning(model, state.weights, learner, data.learning);
      return (example) => learning.learn(example);
    }
    const learning = new GreedyLearning(model, state.weights, learner, data.learning);
    return (example) => {
      // Drawn anew for every sentence, so that a resumed training needs no generator's state.
      const random = state.epoch > 1 ? new Random(run.seed, state.epoch, state.done) : undefined;
      learning.learn(example, random);
    };
  }
}

/** How transition-based parsers learn sentence by sentence. */
class TransitionMethod extends LinearMethod<
  TransitionOptions,
  TransitionSettings,
  OnlineSettings,
  TransitionParser
> {
  override epochs(options: TransitionOptions): number {
    return onlineSettings(options).epochs;
  }

  protected override read(treebank: Treebank, options: TransitionOptions, run: TrainingRun) {
    return readTrainingData(treebank, options, onlineSettings(options), run);
  }

  protected override trainer(
    data: TransitionTrainingData<OnlineSettings>,
    fingerprint: string,
    run: TrainingRun,
  ): TransitionTrainer {
    return new TransitionTrainer(data, fingerprint, run);
  }

  protected override parserOf(
    data: TransitionTrainingData<OnlineSettings>,
    weights: readonly Float32Array[],
  ): TransitionParser {
    const [actions, labels] = quantizedTogether(weights);
    return new TransitionParser(new TransitionModel(data), { actions, labels });
  }
}

export const linear = new TransitionMethod();

/** Trains a transition-based parser with stack and buffer. */
export async function train(
  treebank: Treebank,
  options: TransitionOptions,
  run: TrainingRun,
): Promise<TransitionParser> {
  if (options.learner !== 'svm') return linear.train(treebank, options, run);
  const learning = svmSettings(options);
  const data = await readTrainingData(treebank, options, learning, run);
  return new TransitionParser(new TransitionModel(data), await trainSvms(data, learning, run));
}
