import { createHash } from 'node:crypto';
import type { Treebank } from '../../src/treebank/sentence.ts';
import type { Paradigm, TrainingRun } from '../parser.ts';
import { GraphParser } from './graph-parser.ts';
import { type GraphOptions, graphOptions } from './options.ts';
import { GraphTrainer } from './trainer.ts';
import { encodeHeldOut, readTrainingData } from './training-data.ts';
import { TrainingState } from './training-state.ts';

/** Edge-factored graph-based dependency parsing: the primary paradigm. */
export const graph: Paradigm<GraphOptions> = {
  name: 'graph',
  summary: 'Scores every possible arc, and takes the best tree (McDonald, Crammer & Pereira 2005).',
  options: graphOptions,
  train: trainGraph,
  load: GraphParser.load,
};

async function trainGraph(treebank: Treebank, options: GraphOptions, run: TrainingRun): Promise<GraphParser> {
  const data = await readTrainingData(treebank, options, run);
  const heldOut = run.dev && (await encodeHeldOut(run.dev, data));
  const state = new TrainingState(options.bits, fingerprint(treebank, options, run, data.examples.length));
  const saved = run.checkpoints?.load();
  if (saved !== undefined) state.restore(saved);
  return new GraphTrainer(data, heldOut, state, run).train();
}

/** Names a training: two with the same name go through the same states. */
function fingerprint(
  { digest }: Treebank,
  options: GraphOptions,
  { seed }: TrainingRun,
  examples: number,
): string {
  return createHash('sha256')
    .update(JSON.stringify([digest, examples, options, seed]))
    .digest('hex');
}
