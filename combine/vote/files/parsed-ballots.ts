import type { MissingColumnOptions } from '../../../parsers/run/column-check.ts';
import { modelParser, type ParseBatchesOptions, parseBatches } from '../../../parsers/run/parse-batches.ts';
import { sentenceRows } from '../../../src/evaluate/lock-step.ts';
import { checkStandardInput } from '../../../src/files/text-file.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import { formatSentence } from '../../../src/treebank/columns/write.ts';
import type { TextBatch } from '../../../src/treebank/reading/batches.ts';
import { readBatch } from '../../../src/treebank/reading/read-batch.ts';
import { openTreebank } from '../../../src/treebank/reading/treebank-file.ts';
import type { DependencyTree, Sentence } from '../../../src/treebank/sentence.ts';
import { inMemory } from '../../../src/treebank/treebanks.ts';
import { checkNotTrainedOn } from '../analysis/independence.ts';
import { type Ballot, goldBallot } from '../ballots.ts';
import type { FileOptions, GoldFile } from './vote-files.ts';

export interface ParsedBallotsOptions extends FileOptions, MissingColumnOptions {
  /** Processor cores that may be used. */
  readonly jobs: number;
  /** Told now and then how many parses have been made, of how many. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface GoldBallotsOptions extends ParsedBallotsOptions {
  /** Another file of the same tokens to be parsed, with tags of its own, say; that of the gold trees by default. */
  readonly input?: string | undefined;
}

/**
 * What the models' parsers say of sentences whose trees are known.
 *
 * @throws InputError where a model was trained on these sentences, or the first of them
 * @throws OptionError where they lack what a model was trained to read, unless that is allowed
 */
export async function parseGoldBallots(
  file: string,
  models: readonly ModelReader[],
  { input, ...options }: GoldBallotsOptions,
): Promise<GoldFile> {
  if (input !== undefined) checkStandardInput([file, input]);
  const treebank = await openTreebank(file, { ...options, expect: 'trees' });
  const gold: Sentence[] = [];
  for await (const sentence of treebank) gold.push(sentence);
  const { name, digest } = treebank;
  for (const model of models) checkNotTrainedOn(model, { name, digest, sentences: gold });
  const sentences = input === undefined ? gold : await sameSentences(gold, input, options);
  const answers = await answersOf(models, sentences, options);
  const ballots = sentences.map((sentence, i) => goldBallot(gold[i], answers[i], sentence));
  return { name, digest, ballots };
}

/**
 * What the models' parsers say of the sentences of a file, all of them in memory: to learn from before they are
 * voted on.
 *
 * @throws OptionError where they lack what a model was trained to read, unless that is allowed
 */
export async function parseBallots(
  file: string,
  models: readonly ModelReader[],
  options: ParsedBallotsOptions,
): Promise<Ballot[]> {
  const sentences: Sentence[] = [];
  for await (const sentence of await openTreebank(file, { ...options, expect: 'tokens' }))
    sentences.push(sentence);
  const answers = await answersOf(models, sentences, options);
  return sentences.map((sentence, i) => ({ sentence, trees: answers[i] }));
}

/** The trees of each sentence, one a model. */
async function answersOf(
  models: readonly ModelReader[],
  sentences: readonly Sentence[],
  { jobs, onProgress, allowMissing, onWarning }: ParsedBallotsOptions,
): Promise<DependencyTree[][]> {
  const written = { format: 'conllu', skipInvalid: false, jobs, allowMissing, onWarning } as const;
  const answers: DependencyTree[][] = [];
  for (const model of models) {
    const tell = (done: number) =>
      onProgress?.(answers.length * sentences.length + done, models.length * sentences.length);
    answers.push(await parseAll(model, sentences, written, tell));
  }
  return sentences.map((_, i) => answers.map((trees) => trees[i]));
}

/** The sentences of a file; throws an `InputError` where its tokens are not those of the others. */
async function sameSentences(
  others: readonly Sentence[],
  file: string,
  options: FileOptions,
): Promise<Sentence[]> {
  const treebank = await openTreebank(file, { ...options, expect: 'tokens' });
  const found: Sentence[] = [];
  for await (const { sentences } of sentenceRows([inMemory(others, 'gold'), treebank]))
    found.push(sentences[1]);
  return found;
}

/** The trees that a model's parser gives, in as many threads as may be. */
async function parseAll(
  model: ModelReader,
  sentences: readonly Sentence[],
  options: ParseBatchesOptions,
  tell: (done: number) => void,
): Promise<DependencyTree[]> {
  const trees: DependencyTree[] = [];
  for await (const parsed of parseBatches(modelParser(model), batchesOf(sentences), options)) {
    const batch = { file: model.name, line: 1, text: parsed.text };
    for (const { heads, labels } of readBatch(batch, { format: 'conllu', expect: 'heads' })) {
      trees.push({ heads, labels });
    }
    tell(trees.length);
  }
  return trees;
}

/** Sentences in a batch of text. */
const BATCH = 100;

async function* batchesOf(sentences: readonly Sentence[]): AsyncGenerator<TextBatch> {
  for (let first = 0; first < sentences.length; first += BATCH) {
    const texts = sentences.slice(first, first + BATCH).map((sentence) => formatSentence(sentence, 'conllu'));
    yield { file: sentences[first].source?.file ?? '', line: 1, text: texts.join('') };
  }
}
