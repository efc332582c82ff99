import { quantizedTogether } from '../../src/learn/linear/weights.ts';
import type { TrainingRun } from '../../src/training/training-run.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import { LinearMethod } from '../linear-method.ts';
import { trainSvms } from './learning/svm-trainer.ts';
import { TransitionTrainer } from './learning/transition-trainer.ts';
import { type OnlineSettings, onlineSettings, svmSettings, type TransitionOptions } from './options.ts';
import type { TransitionSettings } from './settings.ts';
import { readTrainingData, type TransitionTrainingData } from './training-data.ts';
import { TransitionModel } from './transition-model.ts';
import { TransitionParser } from './transition-parser.ts';

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
