import { OptionError } from '../../src/errors.ts';
import { scoreColumns } from '../../src/evaluate/attachment/column-counts.ts';
import { quantizedTogether, quantizingFactor } from '../../src/learn/linear/weights.ts';
import type { NetworkInput } from '../../src/learn/network/inputs.ts';
import { scheduleOf } from '../../src/learn/network/training.ts';
import { Random } from '../../src/learn/random.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import { fingerprint } from '../../src/training/about-model.ts';
import { runEpochs } from '../../src/training/epochs.ts';
import { openInputs } from '../../src/training/network/inputs.ts';
import type { NamedScores, TrainingRun } from '../../src/training/training-run.ts';
import { TrainingState } from '../../src/training/training-state.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import type { AnnotationTask } from '../annotator.ts';
import { CERTAIN } from './network/network-scores.ts';
import { networkBounds, type TaggerOptions, taggerOptions } from './options.ts';
import { type TagWeights, uposSize } from './tag-weights.ts';
import { Tagger, type TaggerModel } from './tagger.ts';
import { NetworkTrainer } from './training/network-trainer.ts';
import { AdaptiveWeights, SentenceTrainer } from './training/sentence-trainer.ts';
import { readTrainingData, type TaggerTrainingData } from './training/training-data.ts';

/** Trains a tagger on the columns of tags that the treebank fills; resumes the run's checkpoint of the same training. */
async function train(treebank: Treebank, options: TaggerOptions, run: TrainingRun<NamedScores>) {
  const { vectors, encoder, ...own } = options;
  const stray = Object.entries({ vectors, encoder }).find(([, file]) => file !== undefined);
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
    scores: async () => ({
      dev: run.dev && (await scoreColumns(new Tagger(trainer.model()), run.dev, run.signal)),
    }),
  };
  await runEpochs(task, run);
  return new Tagger(trainer.model());
}

class TaggerTrainer {
  readonly state: TaggerState;
  readonly epochs: number;
  private readonly trainer: SentenceTrainer;
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
    const weights = {
      upos: new AdaptiveWeights(uposSize(features, tags), rate),
      morphology: new AdaptiveWeights(1 << bits, rate),
    };
    this.state = new TaggerState(weights, fingerprint, this.network);
    this.trainer = new SentenceTrainer(features, tags, lexicon, weights, dropout);
  }

  model(): TaggerModel {
    const { upos, morphology } = this.state.adaptive;
    const values = [upos.values, morphology.values];
    const [uposWeights, morphologyWeights] = quantizedTogether(values);
    return {
      ...this.data.knowledge,
      weights: { upos: uposWeights, morphology: morphologyWeights },
      certain: Math.round(CERTAIN * quantizingFactor(values)),
      network: this.network?.trained(),
    };
  }

  learn(index: number): void {
    const { epoch } = this.state;
    if (epoch <= this.options.epochs)
      this.trainer.learn(this.data.examples[index], new Random(this.seed, epoch, index));
    if (this.network !== undefined && epoch <= this.network.schedule.epochs)
      this.network.training.learn(index, this.state);
  }
}

class TaggerState extends TrainingState<never> {
  constructor(
    readonly adaptive: TagWeights<AdaptiveWeights>,
    fingerprint: string,
    private readonly network: NetworkTrainer | undefined,
  ) {
    super({}, fingerprint);
  }

  override save(file: ModelWriter): void {
    super.save(file);
    for (const [name, { values, squares }] of this.named()) {
      file.section(`${name}.values`, values);
      file.section(`${name}.squares`, squares);
    }
    this.network?.training.save(file);
  }

  override restore(file: ModelReader): void {
    super.restore(file);
    for (const [name, { values, squares }] of this.named()) {
      values.set(file.section(`${name}.values`, 'float32'));
      squares.set(file.section(`${name}.squares`, 'float32'));
    }
    this.network?.training.restore(file);
  }

  private named(): [string, AdaptiveWeights][] {
    return Object.entries({ ...this.adaptive });
  }
}

export const tagger: AnnotationTask<TaggerOptions, Tagger> = {
  name: 'tagger',
  summary:
    'Tags words: universal tags, language-specific tags and features, as far as the treebank has them.',
  options: taggerOptions,
  keepsState: () => true,
  // Without a network the tags are nearly as good, in a seventh of the time.
  foldOptions: ({ vectors: _, vectorsLimit: __, encoder: ___, ...options }) => ({ ...options, units: 0 }),
  train,
  score: scoreColumns,
  load: Tagger.load,
};
