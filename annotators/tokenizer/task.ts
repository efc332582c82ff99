import { scoreText } from '../../src/evaluate/attachment/ud-counts.ts';
import { fingerprint } from '../../src/training/about-model.ts';
import { runEpochs } from '../../src/training/epochs.ts';
import type { NamedScores, TrainingRun } from '../../src/training/training-run.ts';
import type { Sentence, Treebank } from '../../src/treebank/sentence.ts';
import type { AnnotationTask, Tokenizer } from '../annotator.ts';
import { type TokenizerOptions, tokenizerOptions } from './options.ts';
import { LinearTokenizer } from './tokenizer.ts';
import { rawText } from './training/paragraphs.ts';
import { Trainer } from './training/trainer.ts';
import { readTrainingData } from './training/training-data.ts';

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
  const trainer = new Trainer(data, options.bits, fingerprint(treebank, 'tokenizer', options, run.seed));
  const saved = run.checkpoints?.load();
  if (saved !== undefined) trainer.state.restore(saved);
  const task = {
    state: trainer.state,
    epochs: options.epochs,
    total: examples.length,
    shuffle: true,
    learn: (index: number) => trainer.learn(examples[index]),
    scores: async () => ({
      dev: run.dev && (await score(new LinearTokenizer(trainer.model()), run.dev, run.signal)),
    }),
  };
  await runEpochs(task, run);
  return new LinearTokenizer(trainer.model());
}

/** F1 of tokens, sentences and words on the raw text of a treebank. */
export async function score(
  tokenizer: Tokenizer,
  gold: Treebank,
  signal?: AbortSignal,
): Promise<NamedScores> {
  const { Tokens, Sentences, Words } = await scoreText(gold, recut(tokenizer, gold), signal);
  return { tokens: Tokens.f1, sentences: Sentences.f1, words: Words.f1 };
}

/** The raw text of a treebank as the tokenizer splits it. */
export async function* recut(tokenizer: Tokenizer, gold: Treebank): AsyncGenerator<Sentence> {
  const stream = tokenizer.open('text', gold.name);
  for await (const text of rawText(gold)) yield* stream.push(text);
  yield* stream.end();
}
