import { OptionError } from '../../src/errors.ts';
import { scoreColumns } from '../../src/evaluate/attachment/column-counts.ts';
import { quantizedTogether, quantizingFactor } from '../../src/learn/linear/weights.ts';
import type { NetworkInput } from '../../src/learn/network/inputs.ts';
import { scheduleOf } from '../../src/learn/network/training.ts';
import { Random } from '../../src/learn/random.ts';
import { fingerprint } from '../../src/training/about-model.ts';
import { runEpochs } from '../../src/training/epochs.ts';
import { inputOptions, openInputs } from '../../src/training/network/inputs.ts';
import type { NamedScores, TrainingRun } from '../../src/training/training-run.ts';
import { TrainingState } from '../../src/training/training-state.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import type { AnnotationTask } from '../annotator.ts';
import { CERTAIN } from './network/network-scores.ts';
import { networkBounds, type TaggerOptions, taggerOptions } from './options.ts';
import { type TagWeights, uposSize } from './tag-weights.ts';
import { Tagger } from './tagger.ts';
import { NetworkTrainer } from './training/network-trainer.ts';
import { AdaptiveWeights, SentenceTrainer } from './training/sentence-trainer.ts';
import { readTrainingData, type TaggerTrainingData } from './training/training-data.ts';

/** Trains a tagger on the columns of tags that the treebank fills; resumes the run's checkpoint of the same training. */
async function train(treebank: Treebank, options: TaggerOptions, run: TrainingRun<NamedScores>) {
  const { vectors, encoder, encoderByName, ...own } = options;
  const { networkEpochs } = own;
  const ofNetwork = { vectors, encoder, encoderByName, networkEpochs };
  const stray = Object.entries(ofNetwork).find(([, value]) => value !== undefined);
  if (options.units === 0 && stray !== undefined)
    throw new OptionError((option) => `${option(stray[0])} needs the network, which has 0 units`);
  const opened = await openInputs(options);
  const data = await readTrainingData(treebank, options.cutoff);
  const extraInputs = opened.inputs({ keptForms: () => data.examples[0].words.forms }, run);
  const name = fingerprint(treebank, 'tagger', own, run.seed, ...extraInputs.map(({ digest }) => digest));
  const trainer = new TaggerTrainer({ ...data, extraInputs }, options, run.seed, name);
  const task = {
    state: trainer.state,
    epochs: trainer.epochs,
    total: data.examples.length,
    shuffle: true,
    learn: (index: number) => trainer.learn(index),
    scores: async () => ({ dev: run.dev && (await scoreColumns(trainer.trained(), run.dev, run.signal)) }),
  };
  await runEpochs(task, run);
  return trainer.trained();
}

class TaggerTrainer {
  readonly state: TrainingState<never>;
  readonly epochs: number;
  private readonly trainer: SentenceTrainer;
  private readonly weights: TagWeights<AdaptiveWeights>;
  private readonly network: NetworkTrainer | undefined;

  constructor(
    private readonly data: TaggerTrainingData & { readonly extraInputs: readonly NetworkInput[] },
    private readonly options: TaggerOptions,
    private readonly seed: number,
    fingerprint: string,
  ) {
    const { tags, lexicon, features } = data.knowledge;
    const { bits, rate, dropout, units, epochs, networkEpochs } = options;
    if (units > 0) {
      const tokens = data.examples.reduce((sum, { words }) => sum + words.length, 0);
      const schedule = scheduleOf({ epochs: networkEpochs }, tokens, networkBounds);
      this.network = new NetworkTrainer(data, data.extraInputs, units, schedule, seed);
    }
    this.epochs = Math.max(epochs, this.network?.schedule.epochs ?? 0);
    const upos = new AdaptiveWeights('upos', uposSize(features, tags), rate);
    const morphology = new AdaptiveWeights('morphology', 1 << bits, rate);
    this.weights = { upos, morphology };
    const parts = [upos, morphology, ...(this.network === undefined ? [] : [this.network.training])];
    this.state = new TrainingState({}, fingerprint, undefined, parts);
    this.trainer = new SentenceTrainer(features, tags, lexicon, this.weights, dropout);
  }

  trained(): Tagger {
    const values = [this.weights.upos.values, this.weights.morphology.values];
    const [upos, morphology] = quantizedTogether(values);
    const certain = Math.round(CERTAIN * quantizingFactor(values));
    const { knowledge } = this.data;
    return new Tagger({
      ...knowledge,
      weights: { upos, morphology },
      certain,
      network: this.network?.trained(),
    });
  }

  learn(index: number): void {
    const { epoch } = this.state;
    if (epoch <= this.options.epochs)
      this.trainer.learn(this.data.examples[index], new Random(this.seed, epoch, index));
    if (this.network !== undefined && epoch <= this.network.schedule.epochs)
      this.network.training.learn(index, this.state);
  }
}

export const tagger: AnnotationTask<TaggerOptions, Tagger> = {
  name: 'tagger',
  summary:
    'Tags words: universal tags, language-specific tags and features, as far as the treebank has them.',
  options: taggerOptions,
  keepsState: () => true,
  // Without a network the tags are nearly as good, in a seventh of the time.
  foldOptions: (options) => {
    const isOfNetwork = (name: string) => name in inputOptions || name === 'networkEpochs';
    const others = Object.entries(options).filter(([name]) => !isOfNetwork(name));
    return { ...(Object.fromEntries(others) as TaggerOptions), units: 0 };
  },
  train,
  score: scoreColumns,
  load: Tagger.load,
};
