import { fingerprint } from '../../src/training/about-model.ts';
import { runEpochs } from '../../src/training/epochs.ts';
import type { NamedScores, TrainingRun } from '../../src/training/training-run.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import { scoreColumns } from '../score-columns.ts';
import type { TaggerOptions } from './options.ts';
import { Tagger } from './tagger.ts';
import { Trainer } from './training/trainer.ts';
import { readTrainingData } from './training/training-data.ts';

/** Learns a tagger from the columns of tags that a treebank has something in. */
export async function train(
  treebank: Treebank,
  options: TaggerOptions,
  run: TrainingRun<NamedScores>,
): Promise<Tagger> {
  const data = await readTrainingData(treebank, options.cutoff);
  const name = fingerprint(treebank, 'tagger', options, run.seed);
  const trainer = new Trainer(data, options, run.seed, name);
  const saved = run.checkpoints?.load();
  if (saved !== undefined) trainer.state.restore(saved);
  const task = {
    state: trainer.state,
    epochs: trainer.epochs,
    total: data.lessons.length,
    shuffle: true,
    learn: (index: number) => trainer.learn(index),
    scores: async () => ({
      dev: run.dev && (await scoreColumns(new Tagger(trainer.model()), run.dev, run.signal)),
    }),
  };
  await runEpochs(task, run);
  return new Tagger(trainer.model());
}
