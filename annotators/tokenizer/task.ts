import { scoreText } from '../../src/evaluate/attachment/ud-counts.ts';
import { mix } from '../../src/learn/hashing.ts';
import { type AveragedWeights, quantized } from '../../src/learn/linear/weights.ts';
import { fingerprint } from '../../src/training/about-model.ts';
import { runEpochs } from '../../src/training/epochs.ts';
import type { NamedScores, TrainingRun } from '../../src/training/training-run.ts';
import { TrainingState } from '../../src/training/training-state.ts';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import { inMemory } from '../../src/treebank/treebanks.ts';
import type { AnnotationTask, Tokenizer } from '../annotator.ts';
import { taggerOptions } from '../tagger/options.ts';
import { tagger } from '../tagger/task.ts';
import { type TokenizerOptions, tokenizerOptions } from './options.ts';
import { fillSentenceFeatures, OpenMarks } from './sentence-features.ts';
import { BoundaryTag, SentenceNetwork } from './sentence-network.ts';
import { fillSplitFeatures } from './split-rules.ts';
import { TokenFeatures } from './token-features.ts';
import { EMPTY_HASH, FeatureList, FIELDS, Field, TOKEN_PAD } from './token-list.ts';
import { LinearTokenizer, SentenceBuilder } from './tokenizer.ts';
import { byQuestion, knownEnd, type Question, type TokenizerModel } from './tokenizer-model.ts';
import { type Example, type Paragraph, retokenize } from './training/paragraphs.ts';
import { SegmentTrainer } from './training/segment-trainer.ts';
import { readTrainingData, type TokenizerTrainingData } from './training/training-data.ts';

export const tokenizer: AnnotationTask<TokenizerOptions, LinearTokenizer> = {
  name: 'tokenizer',
  summary: 'Splits text into sentences, tokens and words.',
  options: tokenizerOptions,
  keepsState: () => true,
  train,
  score,
  load: LinearTokenizer.load,
};

export async function train(
  treebank: Treebank,
  options: TokenizerOptions,
  run: TrainingRun<NamedScores>,
): Promise<LinearTokenizer> {
  const data = await readTrainingData(treebank, options, run);
  const { examples } = data;
  const network =
    options.units === 0
      ? undefined
      : await trainSentenceNetwork(data.paragraphs, treebank.name, options.units, run);
  const trainer = new Trainer(data, options.bits, fingerprint(treebank, 'tokenizer', options, run.seed));
  const trained = () => new LinearTokenizer({ ...trainer.model(), network });
  const task = {
    state: trainer.state,
    epochs: options.epochs,
    total: examples.length,
    shuffle: true,
    learn: (index: number) => trainer.learn(examples[index]),
    scores: async () => ({ dev: run.dev && (await score(trained(), run.dev, run.signal)) }),
  };
  await runEpochs(task, run);
  return trained();
}

/** The minimum: a boundary tag is a universal tag, without language-specific tags and features. */
const LEAST_BITS = 10;

/** Trains the network that also decides where sentences end. Its state is not in checkpoints. */
async function trainSentenceNetwork(
  paragraphs: readonly Paragraph[],
  name: string,
  units: number,
  { dev: _, checkpoints: __, ...run }: TrainingRun<NamedScores>,
): Promise<SentenceNetwork> {
  run.onNotice?.('the network for sentence ends is trained first');
  const builder = new SentenceBuilder(name);
  const tagged = paragraphs.map((paragraph) => taggedParagraph(paragraph, builder));
  const options = taggerOptions.parse({ units, bits: LEAST_BITS });
  return new SentenceNetwork(await tagger.train(inMemory(tagged, name), options, run));
}

/** A paragraph as one sentence, with a `BoundaryTag` for each token. */
function taggedParagraph({ tokens, sentenceEnds }: Paragraph, builder: SentenceBuilder): Sentence {
  for (const { form } of tokens) builder.add('', form, () => undefined, ' ');
  const upos = ['', ...new Array<string>(tokens.length).fill(BoundaryTag.inside)];
  for (const end of sentenceEnds) upos[end] = BoundaryTag.end;
  return { ...builder.finish(false, false), upos };
}

/** F1 of tokens, sentences and words on the raw text of a treebank. */
export async function score(
  tokenizer: Tokenizer,
  gold: Treebank,
  signal?: AbortSignal,
): Promise<NamedScores> {
  const { Tokens, Sentences, Words } = await scoreText(gold, retokenize(tokenizer, gold), signal);
  return { tokens: Tokens.f1, sentences: Sentences.f1, words: Words.f1 };
}

/** Trains all three classifiers by the averaged perceptron; each decision sees the gold decisions before it. */
export class Trainer {
  readonly state: TrainingState<Question>;
  private readonly lists: Readonly<Record<Question, FeatureList>>;
  private readonly tokenFeatures: TokenFeatures;
  private readonly segments: SegmentTrainer | undefined;
  private readonly open = new OpenMarks();

  constructor(
    private readonly data: TokenizerTrainingData,
    bits: number,
    fingerprint: string,
  ) {
    const sizes = byQuestion(() => 2 ** bits);
    this.state = new TrainingState(sizes, fingerprint);
    this.lists = byQuestion((question) => new FeatureList(sizes[question]));
    const { words, readsAddresses } = data.knowledge;
    this.tokenFeatures = new TokenFeatures(words, readsAddresses);
    if (data.segments !== undefined)
      this.segments = new SegmentTrainer(data.segments, this.lists.tokens, this.state.weights.tokens);
  }

  model(): TokenizerModel {
    const { weights } = this.state;
    return {
      ...this.data.knowledge,
      weights: byQuestion((question) => quantized(weights[question].mean())),
    };
  }

  learn(example: Example): void {
    if (this.segments === undefined) this.learnTokens(example);
    else this.segments.learn(example);
    this.learnEnds(example);
    this.learnSplits(example);
  }

  private learnTokens({ paragraph: { units, tokens }, first, last }: Example): void {
    const { knowledge } = this.data;
    for (let t = first; t <= last; t++) {
      const start = tokens.startOf(t);
      const end = tokens.endOf(t);
      let hash = EMPTY_HASH;
      for (let i = start; i < end && i + 1 < units.end; i++) {
        hash = mix(hash, units.lowers[i]);
        if (units.isBlank(i) || knownEnd(units, i, knowledge) !== undefined) continue;
        this.tokenFeatures.fill(this.lists.tokens, units, i, start, hash);
        this.decide('tokens', i === end - 1);
      }
    }
  }

  private learnEnds({ paragraph: { tokens }, first, last }: Example): void {
    const open = this.open;
    open.clear();
    for (let t = first; t <= last && t + 1 < tokens.end; t++) {
      open.add(tokens.data[t * FIELDS + Field.effect]);
      fillSentenceFeatures(this.lists.sentences, tokens, t, first, open);
      this.decide('sentences', t === last);
    }
  }

  private learnSplits({ paragraph: { units, tokens, rules }, first, last }: Example): void {
    const { splits, words } = this.data.knowledge;
    for (let t = first; t <= last; t++) {
      splits.forEach(units, tokens.startOf(t), tokens.endOf(t), (rule, stem) => {
        fillSplitFeatures(this.lists.splits, units, tokens, t, rule, stem, words);
        this.decide('splits', rule === rules[t - TOKEN_PAD]);
      });
    }
  }

  /** Scores a decision by the features in its list, and updates the weights if it is wrong or 0. */
  private decide(question: Question, isYes: boolean): void {
    const weights: AveragedWeights = this.state.weights[question];
    const list = this.lists[question];
    const step = isYes ? 1 : -1;
    if (step * list.score(weights.values) <= 0)
      for (let k = 0; k < list.count; k++) weights.add(list.indices[k], step);
    weights.examples++;
  }
}
