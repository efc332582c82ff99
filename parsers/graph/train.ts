import { quantized } from '../../src/learn/linear/weights.ts';
import { type Example, encodeHeldOut } from '../../src/training/examples.ts';
import { fingerprint } from '../../src/training/fingerprint.ts';
import { scoreHeldOut } from '../../src/training/held-out.ts';
import type { LinearTraining, SharedTraining, TrainedMember } from '../../src/training/linear-training.ts';
import {
  openExamples,
  openNumbering,
  type SharedExamples,
  type SharedNumbering,
  shareExamples,
  shareNumbering,
} from '../../src/training/shared-examples.ts';
import type { EpochScores, TrainingRun } from '../../src/training/training-run.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import { GraphModel } from './graph-model.ts';
import { GraphParser } from './graph-parser.ts';
import { GraphTrainer, graphTrainingState } from './learning/trainer.ts';
import { type LearningSettings, readTrainingData, type TrainingData } from './learning/training-data.ts';
import type { GraphOptions } from './options.ts';
import type { GraphSettings } from './settings.ts';

/** Trains a graph parser through all epochs that are left. */
export async function train(
  treebank: Treebank,
  options: GraphOptions,
  run: TrainingRun,
): Promise<GraphParser> {
  const { data, heldOut, name } = await read(treebank, options, run);
  const state = graphTrainingState(options.bits, `${name} ${run.seed}`);
  const saved = run.checkpoints?.load();
  if (saved !== undefined) state.restore(saved);
  const trainer = new GraphTrainer(data, state, run);
  await trainer.train((weights) => scoreOf(data, heldOut, weights));
  return parserOf(data, trainer.weights());
}

/** How several are trained apart, in threads of their own. */
export const linear: LinearTraining<GraphOptions, GraphParser> = {
  async share(treebank, options, run): Promise<SharedGraphTraining> {
    const { data, heldOut, name } = await read(treebank, options, run);
    const { settings, numbering, learning, examples } = data;
    return {
      fingerprint: name,
      sentences: learning.epochs * examples.length,
      settings,
      learning,
      numbering: shareNumbering(numbering),
      train: shareExamples(examples),
      heldOut: heldOut && shareExamples(heldOut),
    };
  },
  async trainMember(shared, run): Promise<TrainedMember> {
    const { data, heldOut } = openShared(shared as SharedGraphTraining);
    const state = graphTrainingState(data.learning.bits, `${shared.fingerprint} ${run.seed}`);
    const trainer = new GraphTrainer(data, state, run);
    await trainer.train();
    const weights = trainer.weights();
    return { weights, training: trainer.training, dev: await scoreOf(data, heldOut, weights) };
  },
  fromWeights: (shared, weights) => parserOf(openShared(shared as SharedGraphTraining).data, weights),
  async score(shared, weights) {
    const { data, heldOut } = openShared(shared as SharedGraphTraining);
    return scoreOf(data, heldOut, weights);
  },
};

/** Training data as threads can be given it: numbers in shared memory, and strings. */
interface SharedGraphTraining extends SharedTraining {
  readonly settings: GraphSettings;
  readonly learning: LearningSettings;
  readonly numbering: SharedNumbering;
  readonly train: SharedExamples;
  readonly heldOut?: SharedExamples | undefined;
}

/** The training data again, over the same memory. */
function openShared({ settings, learning, numbering, ...shared }: SharedGraphTraining) {
  const examples = openExamples(shared.train);
  const data: TrainingData = { settings, learning, numbering: openNumbering(numbering, settings), examples };
  return { data, heldOut: shared.heldOut && openExamples(shared.heldOut) };
}

async function read(treebank: Treebank, options: GraphOptions, run: TrainingRun) {
  const data = await readTrainingData(treebank, options, run);
  const heldOut = run.dev && (await encodeHeldOut(run.dev, data.numbering));
  return { data, heldOut, name: fingerprint(treebank, data.examples.length, options) };
}

function parserOf(data: TrainingData, weights: readonly Float32Array[]): GraphParser {
  const [arcs, labels] = weights.map(quantized);
  return new GraphParser(new GraphModel(data), arcs, labels);
}

/** Attachment scores with the weights of arcs and of labels that were learnt. */
async function scoreOf(
  data: TrainingData,
  heldOut: readonly Example[] | undefined,
  weights: readonly Float32Array[],
): Promise<EpochScores | undefined> {
  if (heldOut === undefined) return undefined;
  const parser = parserOf(data, weights);
  return scoreHeldOut(heldOut, (example) => parser.findTree(example));
}
