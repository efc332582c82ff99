import { createHash } from 'node:crypto';
import { encodeHeldOut } from '../../src/encoding/examples.ts';
import { quantized } from '../../src/learn/linear/weights.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import type { EpochScores, LinearParadigm, TrainedMember, TrainingRun } from '../parser.ts';
import { GraphModel } from './graph-model.ts';
import { GraphParser } from './graph-parser.ts';
import { openShared, type SharedGraphTraining, shareTraining } from './learning/shared-training.ts';
import { GraphTrainer, graphTrainingState, scoreOn } from './learning/trainer.ts';
import { readTrainingData, type TrainingData } from './learning/training-data.ts';
import { type GraphOptions, graphOptions } from './options.ts';

/** Edge-factored graph-based dependency parsing: the primary paradigm. */
export const graph: LinearParadigm<GraphOptions> = {
  name: 'graph',
  summary: 'Scores every possible arc, and takes the best tree (McDonald, Crammer & Pereira 2005).',
  options: graphOptions,
  keepsState: () => true,
  train,
  load: GraphParser.load,
  share,
  trainMember: (shared, run) => trainMember(shared as SharedGraphTraining, run),
  fromWeights: (shared, weights) => parserOf(openShared(shared as SharedGraphTraining).data, weights),
  score: (shared, weights) => score(shared as SharedGraphTraining, weights),
};

async function train(treebank: Treebank, options: GraphOptions, run: TrainingRun): Promise<GraphParser> {
  const { data, heldOut, fingerprint } = await read(treebank, options, run);
  const state = graphTrainingState(options.bits, `${fingerprint} ${run.seed}`);
  const saved = run.checkpoints?.load();
  if (saved !== undefined) state.restore(saved);
  const trainer = new GraphTrainer(data, heldOut, state, run);
  await trainer.train();
  return parserOf(data, trainer.weights());
}

async function share(
  treebank: Treebank,
  options: GraphOptions,
  run: TrainingRun,
): Promise<SharedGraphTraining> {
  const { data, heldOut, fingerprint } = await read(treebank, options, run);
  return shareTraining(data, heldOut, fingerprint);
}

async function read(treebank: Treebank, options: GraphOptions, run: TrainingRun) {
  const data = await readTrainingData(treebank, options, run);
  const heldOut = run.dev && (await encodeHeldOut(run.dev, data));
  return { data, heldOut, fingerprint: fingerprintOf(treebank, options, data) };
}

async function trainMember(shared: SharedGraphTraining, run: TrainingRun): Promise<TrainedMember> {
  const { data, heldOut } = openShared(shared);
  const state = graphTrainingState(data.settings.bits, `${shared.fingerprint} ${run.seed}`);
  const trainer = new GraphTrainer(data, undefined, state, run);
  await trainer.train();
  const weights = trainer.weights();
  return {
    weights,
    training: trainer.training,
    dev: heldOut && scoreOn(heldOut, new GraphModel(data), weights),
  };
}

function score(shared: SharedGraphTraining, weights: readonly Float32Array[]): EpochScores | undefined {
  const { data, heldOut } = openShared(shared);
  return heldOut && scoreOn(heldOut, new GraphModel(data), weights);
}

function parserOf(data: TrainingData, weights: readonly Float32Array[]): GraphParser {
  const [arcs, labels] = weights.map(quantized);
  return new GraphParser(new GraphModel(data), arcs, labels);
}

/** Names data and options: two trainings of one name and seed go through the same states. */
function fingerprintOf({ digest }: Treebank, options: GraphOptions, { examples }: TrainingData): string {
  return createHash('sha256')
    .update(JSON.stringify([digest, examples.length, options]))
    .digest('hex');
}
