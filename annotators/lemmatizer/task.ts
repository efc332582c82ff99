import { quantized } from '../../src/learn/linear/weights.ts';
import { fingerprint } from '../../src/training/about-model.ts';
import { runEpochs } from '../../src/training/epochs.ts';
import type { NamedScores, TrainingRun } from '../../src/training/training-run.ts';
import { TrainingState } from '../../src/training/training-state.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import type { AnnotationTask } from '../annotator.ts';
import { scoreColumns } from '../score-columns.ts';
import { fillLemmaFeatures } from './lemma-features.ts';
import { EditTreeLemmatizer, type LemmatizerModel } from './lemmatizer.ts';
import { type LemmatizerOptions, lemmatizerOptions } from './options.ts';
import { RuleChooser } from './rule-chooser.ts';
import { type LemmatizerTrainingData, readTrainingData, type WordExample } from './training-data.ts';

export const lemmatizer: AnnotationTask<LemmatizerOptions, EditTreeLemmatizer> = {
  name: 'lemmatizer',
  summary: 'Finds the lemmas of tagged words.',
  options: lemmatizerOptions,
  keepsState: () => true,
  train,
  score: scoreColumns,
  load: EditTreeLemmatizer.load,
};

export async function train(
  treebank: Treebank,
  options: LemmatizerOptions,
  run: TrainingRun<NamedScores>,
): Promise<EditTreeLemmatizer> {
  const data = await readTrainingData(treebank, options.cutoff);
  const { examples } = data;
  const trainer = new Trainer(data, options.bits, fingerprint(treebank, 'lemmatizer', options, run.seed));
  const saved = run.checkpoints?.load();
  if (saved !== undefined) trainer.state.restore(saved);
  const task = {
    state: trainer.state,
    epochs: options.epochs,
    total: examples.length,
    shuffle: true,
    learn: (index: number) => trainer.learn(examples[index]),
    scores: async () => ({
      dev: run.dev && (await scoreColumns(new EditTreeLemmatizer(trainer.model()), run.dev, run.signal)),
    }),
  };
  await runEpochs(task, run);
  return new EditTreeLemmatizer(trainer.model());
}

/** Trains the choice among the rules that fit a form: an averaged perceptron. */
export class Trainer {
  readonly state: TrainingState<'rules'>;
  private readonly data: LemmatizerTrainingData;
  private readonly chooser: RuleChooser;

  constructor(data: LemmatizerTrainingData, bits: number, fingerprint: string) {
    this.data = data;
    this.state = new TrainingState({ rules: 2 ** bits }, fingerprint);
    const { rules, general } = data.knowledge;
    this.chooser = new RuleChooser(rules, general, this.state.weights.rules.values, data.lemmasOfOthers);
  }

  model(): LemmatizerModel {
    return { ...this.data.knowledge, weights: quantized(this.state.weights.rules.mean()) };
  }

  learn({ form, tags, rule }: WordExample): void {
    const weights = this.state.weights.rules;
    const { chooser } = this;
    if (rule < this.data.knowledge.general) {
      fillLemmaFeatures(chooser.features, form, tags);
      const found = chooser.bestRule(form, tags.upos);
      if (found !== rule) {
        chooser.learn(weights, rule, form, tags.upos, 1);
        chooser.learn(weights, found, form, tags.upos, -1);
      }
    }
    weights.examples++;
  }
}
