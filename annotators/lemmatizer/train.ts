import { fingerprint } from '../../src/training/about-model.ts';
import { runEpochs } from '../../src/training/epochs.ts';
import type { NamedScores, TrainingRun } from '../../src/training/training-run.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import { scoreColumns } from '../score-columns.ts';
import { EditTreeLemmatizer } from './lemmatizer.ts';
import type { LemmatizerOptions } from './options.ts';
import { Trainer } from './training/trainer.ts';
import { readTrainingData } from './training/training-data.ts';

/** Learns a lemmatizer from a treebank's lemmas, and the tags that stand beside them. */
export async function train(
  treebank: Treebank,
  options: LemmatizerOptions,
  run: TrainingRun<NamedScores>,
): Promise<EditTreeLemmatizer> {
  const data = await readTrainingData(treebank, options.cutoff);
  const { lessons } = data;
  const trainer = new Trainer(data, options.bits, fingerprint(treebank, 'lemmatizer', options, run.seed));
  const saved = run.checkpoints?.load();
  if (saved !== undefined) trainer.state.restore(saved);
  const task = {
    state: trainer.state,
    epochs: options.epochs,
    total: lessons.length,
    shuffle: true,
    learn: (index: number) => trainer.learn(lessons[index]),
    scores: async () => ({
      dev: run.dev && (await scoreColumns(new EditTreeLemmatizer(trainer.model()), run.dev, run.signal)),
    }),
  };
  await runEpochs(task, run);
  return new EditTreeLemmatizer(trainer.model());
}
