import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import type { EpochScores, Paradigm, Parser, TrainingRun } from '../parser.ts';
import { YamadaMatsumotoParser } from '../yamada-matsumoto/parser.ts';
import { trainYamadaMatsumoto } from '../yamada-matsumoto/trainer.ts';
import { scoreOn, trainPerceptron } from './learning/perceptron-trainer.ts';
import { ALL_PASSES, trainSvms } from './learning/svm-trainer.ts';
import { fullOptions, type TransitionOptions, transitionOptions, usesSvm } from './options.ts';
import type { StackSystemName } from './systems/registry.ts';
import { readHeldOut, readTrainingData, type TransitionTrainingData } from './training-data.ts';
import { TransitionModel } from './transition-model.ts';
import { TransitionParser } from './transition-parser.ts';

/** Transition-based dependency parsing. */
export const transition: Paradigm<TransitionOptions> = {
  name: 'transition',
  summary: 'Builds the tree step by step, by transitions that a classifier chooses (Nivre 2008).',
  options: transitionOptions,
  keepsState: (options) => !usesSvm(options),
  train,
  load,
};

/** What every model of this paradigm says. */
const headerSchema = z.looseObject({ settings: z.looseObject({ system: z.string() }) });

function load(file: ModelReader): Parser {
  const { system } = file.part('transition', headerSchema).settings;
  return system === 'yamada-matsumoto' ? YamadaMatsumotoParser.load(file) : TransitionParser.load(file);
}

async function train(treebank: Treebank, asked: TransitionOptions, run: TrainingRun): Promise<Parser> {
  if (asked.system === 'yamada-matsumoto') return await trainYamadaMatsumoto(treebank, asked, run);
  const options = fullOptions(asked);
  const system = options.system as StackSystemName;
  const data = await readTrainingData(treebank, { ...options, system }, run);
  const heldOut = run.dev && (await readHeldOut(run.dev, data));
  const model = new TransitionModel(data);
  const { settings } = data;
  if (settings.learner === 'averaged-perceptron') {
    const fingerprint = fingerprintOf(treebank, data, run.seed);
    return new TransitionParser(model, await trainPerceptron(data, settings, heldOut, fingerprint, run));
  }
  const weights = await trainSvms(data, settings, run);
  if (heldOut !== undefined) tellScores(run, data, scoreOn(heldOut, model, weights));
  return new TransitionParser(model, weights);
}

/** Names data, options and seed: two trainings of one name go through the same states. */
function fingerprintOf(
  { digest }: Treebank,
  { settings, examples }: TransitionTrainingData,
  seed: number,
): string {
  return createHash('sha256')
    .update(JSON.stringify([digest, examples.length, settings, seed]))
    .digest('hex');
}

function tellScores(run: TrainingRun, { examples }: TransitionTrainingData, dev: EpochScores): void {
  const total = examples.length;
  run.onProgress?.({ unit: 'pass', epoch: ALL_PASSES, epochs: ALL_PASSES, done: total, total, dev });
}
