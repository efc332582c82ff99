import { fingerprint } from '../../src/training/about-model.ts';
import { encodeHeldOut } from '../../src/training/examples.ts';
import { scoreHeldOut } from '../../src/training/held-out.ts';
import type { EpochScores, TrainingRun } from '../../src/training/training-run.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import { NetworkTrainer } from './learning/network-trainer.ts';
import { readTrainingData } from './learning/training-data.ts';
import { NetworkParser } from './network-parser.ts';
import type { NetworkOptions } from './options.ts';

/** Trains a network that parses, going on where the run has kept a state of the same training. */
export async function train(
  treebank: Treebank,
  options: NetworkOptions,
  run: TrainingRun,
): Promise<NetworkParser> {
  const data = await readTrainingData(treebank, options, run);
  const { settings, numbering, examples, learning } = data;
  const heldOut = run.dev && (await encodeHeldOut(run.dev, numbering));
  const name = fingerprint(treebank, examples.length, settings, learning);
  const trainer = new NetworkTrainer(data, `${name} ${run.seed}`, run);
  const saved = run.checkpoints?.load();
  if (saved !== undefined) trainer.state.restore(saved);
  const parserOf = (weights: Float32Array) => new NetworkParser(settings, numbering, weights);
  await trainer.train(async (weights): Promise<EpochScores | undefined> => {
    if (heldOut === undefined) return undefined;
    const parser = parserOf(weights);
    return scoreHeldOut(heldOut, (example) => parser.findTree(example));
  });
  return parserOf(trainer.weights());
}
