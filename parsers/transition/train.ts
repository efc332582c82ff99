import { fingerprint } from '../../src/training/fingerprint.ts';
import { scoreHeldOut } from '../../src/training/held-out.ts';
import type { TrainingRun } from '../../src/training/training-run.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import { trainPerceptron } from './learning/perceptron-trainer.ts';
import { trainSvms } from './learning/svm-trainer.ts';
import type { TransitionOptions } from './options.ts';
import { readHeldOut, readTrainingData } from './training-data.ts';
import { TransitionModel, type TransitionWeights } from './transition-model.ts';
import { TransitionParser } from './transition-parser.ts';

/** Trains a transition-based parser with stack and buffer. */
export async function train(
  treebank: Treebank,
  options: TransitionOptions,
  run: TrainingRun,
): Promise<TransitionParser> {
  const data = await readTrainingData(treebank, options, run);
  const { settings, learning, examples } = data;
  const parserOf = (weights: TransitionWeights) => new TransitionParser(new TransitionModel(data), weights);
  if (learning.learner === 'svm') return parserOf(await trainSvms(data, learning, run));
  const heldOut = run.dev && (await readHeldOut(run.dev, data));
  const name = fingerprint(treebank, examples.length, settings, learning, run.seed);
  const score = async (weights: TransitionWeights) => {
    if (heldOut === undefined) return undefined;
    const parser = parserOf(weights);
    return scoreHeldOut(heldOut, (example) => parser.findTree(example));
  };
  return parserOf(await trainPerceptron(data, learning, score, name, run));
}
