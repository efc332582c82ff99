import { isAttributeColumn } from '../../src/encoding/features.ts';
import { quantizedTogether } from '../../src/learn/linear/weights.ts';
import { Random } from '../../src/learn/random.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { Example } from '../../src/training/examples.ts';
import { furtherExamples, grownNumbering } from '../../src/training/further-examples.ts';
import { judgesEpochs, singleTraining } from '../../src/training/options.ts';
import type { TrainingRun } from '../../src/training/training-run.ts';
import { TrainingState } from '../../src/training/training-state.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import {
  furtherLinearOptions,
  LinearMethod,
  LinearTrainer,
  refuseLifting,
  startFrom,
} from '../linear-method.ts';
import type { Paradigm } from '../parser.ts';
import { BeamLearning, GreedyLearning } from './learning/online-learning.ts';
import { trainSvms } from './learning/svm-trainer.ts';
import type { TransitionTrainingData } from './learning/training-data.ts';
import { readTrainingData, transitionTemplates } from './learning/training-data.ts';
import { mirroredExample } from './mirror.ts';
import type { OnlineSettings, TransitionOptions } from './options.ts';
import { onlineSettings, standard, svmSettings, transitionOptions } from './options.ts';
import { stackSystems } from './systems/registry.ts';
import { TransitionModel, type TransitionSettings, weightCounts } from './transition-model.ts';
import { readTransition, TransitionParser } from './transition-parser.ts';

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
    // A new generator for every sentence, so that checkpoints need no state of the generator.
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

  protected override readonly readFurther = readFurtherData;

  protected override trainer(data: OnlineData, fingerprint: string, run: TrainingRun): TransitionTrainer {
    return new TransitionTrainer(data, fingerprint, run);
  }

  protected override parserOf(data: OnlineData, weights: readonly Float32Array[]): TransitionParser {
    const [actions, labels] = quantizedTogether(weights);
    return new TransitionParser(new TransitionModel(data), { actions, labels });
  }
}

async function readFurtherData(
  treebank: Treebank,
  options: TransitionOptions,
  model: ModelReader,
  run: TrainingRun,
): Promise<OnlineData> {
  const { settings, numbering, weights } = readTransition(model);
  refuseLifting(numbering, model);
  const { system, singleRoot, maxLength, direction } = settings;
  const { isProjective } = stackSystems[system](singleRoot);
  const open = numbering.encoder.names.filter((name) => !isAttributeColumn(name));
  const reading = { open, singleRoot, maxLength, isProjective };
  const { examples: read, labels } = await furtherExamples(treebank, numbering, reading, run);
  const examples = direction === 'right-to-left' ? read.map(mirroredExample) : read;
  const learning = onlineSettings(singleTraining(options));
  return {
    settings,
    numbering: grownNumbering(numbering, labels, examples),
    learning,
    examples,
    start: startFrom([weights.actions, weights.labels], learning.learner),
  };
}

export const linear = new TransitionMethod();

async function train(treebank: Treebank, options: TransitionOptions, run: TrainingRun) {
  if (options.learner !== 'svm') return linear.train(treebank, options, run);
  if (run.from !== undefined) run.from.model.refuse('support vector machines do not learn further');
  const learning = svmSettings(options);
  const data = await readTrainingData(treebank, options, learning, run);
  return new TransitionParser(new TransitionModel(data), await trainSvms(data, learning, run));
}

/** Transition-based dependency parsing. */
export const transition: Paradigm<TransitionOptions> = {
  name: 'transition',
  summary: 'Builds the tree step by step, by transitions that a classifier chooses (Nivre 2008).',
  options: transitionOptions,
  defaults: { beam: standard.beam, update: standard.update },
  checkOptions: (options) => {
    if (options.learner === 'svm') svmSettings(options);
    else onlineSettings(singleTraining(options));
  },
  templates: transitionTemplates,
  takesGuides: true,
  furtherOptions: furtherLinearOptions,
  takesSilver: ({ learner }) => learner !== 'svm',
  keepsState: ({ learner }) => learner !== 'svm',
  needsHeldOut: judgesEpochs,
  train,
  load: TransitionParser.load,
  linear,
};
