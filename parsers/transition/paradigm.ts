import { quantizedTogether } from '../../src/learn/linear/weights.ts';
import { Random } from '../../src/learn/random.ts';
import type { Example } from '../../src/training/examples.ts';
import { judgesEpochs } from '../../src/training/options.ts';
import type { TrainingRun } from '../../src/training/training-run.ts';
import { TrainingState } from '../../src/training/training-state.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import { LinearMethod } from '../linear-method.ts';
import { LinearTrainer } from '../linear-trainer.ts';
import type { Paradigm } from '../parser.ts';
import { BeamLearning, GreedyLearning } from './learning/online-learning.ts';
import { trainSvms } from './learning/svm-trainer.ts';
import {
  readTrainingData,
  type TransitionTrainingData,
  transitionTemplates,
} from './learning/training-data.ts';
import {
  type OnlineSettings,
  onlineSettings,
  svmSettings,
  type TransitionOptions,
  transitionOptions,
} from './options.ts';
import type { TransitionSettings } from './settings.ts';
import { TransitionModel, weightCounts } from './transition-model.ts';
import { TransitionParser } from './transition-parser.ts';

type OnlineData = TransitionTrainingData<OnlineSettings>;

class TransitionTrainer extends LinearTrainer<TransitionSettings, OnlineSettings, 'actions' | 'labels'> {
  private readonly learning: BeamLearning | GreedyLearning;

  constructor(data: OnlineData, fingerprint: string, run: TrainingRun) {
    const { numbering, learning } = data;
    super(data, new TrainingState(weightCounts(learning.bits, numbering.labels.length), fingerprint), run);
    const model = new TransitionModel(data);
    const Learning = learning.beam > 1 ? BeamLearning : GreedyLearning;
    this.learning = new Learning(model, this.state.weights, this.learner, learning);
  }

  protected override learn(_: number, example: Example): void {
    const { learning, state, run } = this;
    if (learning instanceof BeamLearning) {
      learning.learn(example);
      return;
    }
    // Drawn anew for every sentence, so that a resumed training needs no generator's state.
    const random = state.epoch > 1 ? new Random(run.seed, state.epoch, state.done) : undefined;
    learning.learn(example, random);
  }
}

class TransitionMethod extends LinearMethod<TransitionOptions, OnlineData, TransitionParser> {
  override epochs(options: TransitionOptions): number {
    return onlineSettings(options).epochs;
  }

  protected override read(treebank: Treebank, options: TransitionOptions, run: TrainingRun) {
    return readTrainingData(treebank, options, onlineSettings(options), run);
  }

  protected override trainer(data: OnlineData, fingerprint: string, run: TrainingRun): TransitionTrainer {
    return new TransitionTrainer(data, fingerprint, run);
  }

  protected override parserOf(data: OnlineData, weights: readonly Float32Array[]): TransitionParser {
    const [actions, labels] = quantizedTogether(weights);
    return new TransitionParser(new TransitionModel(data), { actions, labels });
  }
}

export const linear = new TransitionMethod();

async function train(treebank: Treebank, options: TransitionOptions, run: TrainingRun) {
  if (options.learner !== 'svm') return linear.train(treebank, options, run);
  const learning = svmSettings(options);
  const data = await readTrainingData(treebank, options, learning, run);
  return new TransitionParser(new TransitionModel(data), await trainSvms(data, learning, run));
}

/** Transition-based dependency parsing. */
export const transition: Paradigm<TransitionOptions> = {
  name: 'transition',
  summary: 'Builds the tree step by step, by transitions that a classifier chooses (Nivre 2008).',
  options: transitionOptions,
  templates: transitionTemplates,
  takesGuides: true,
  takesSilver: ({ learner }) => learner !== 'svm',
  keepsState: ({ learner }) => learner !== 'svm',
  needsHeldOut: judgesEpochs,
  train,
  load: TransitionParser.load,
  linear,
};
