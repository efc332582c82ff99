import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { Option } from 'commander';
import type { Tokenizer } from '../../../annotators/annotator.ts';
import { isPipeline, openTokenizer } from '../../../annotators/registry.ts';
import { readWords, textSentences } from '../../../annotators/text-words.ts';
import { InputError, OptionError } from '../../../src/errors.ts';
import { sizeOfFile } from '../../../src/files/files.ts';
import { checkStandardInput, TextFile } from '../../../src/files/text-file.ts';
import type { Encoder } from '../../../src/learn/encoder/encoder.ts';
import { saveEncoder } from '../../../src/learn/encoder/encoder-file.ts';
import { saveVectors } from '../../../src/learn/vectors/saved-vectors.ts';
import { readModelFile } from '../../../src/model/model-file.ts';
import { CheckpointFile } from '../../../src/training/checkpoint-file.ts';
import type { EncoderOptions } from '../../../src/training/encoder/train.ts';
import {
  encoderOptions,
  loadTrainedModel,
  removeState,
  stateFiles,
  trainEncoder,
} from '../../../src/training/encoder/train.ts';
import { type SkipGramOptions, skipGramOptions } from '../../../src/training/skip-gram/options.ts';
import { trainVectors } from '../../../src/training/skip-gram/train.ts';
import type { Command } from '../../options/command.ts';
import * as shared from '../../options/common.ts';
import { checkModelPath } from '../../options/output-paths.ts';
import { optionsOfSchema, readOptions } from '../../options/schema-options.ts';
import { clearProgress, count, duration, fileSize, note, print, printJson } from '../../terminal/output.ts';
import { stoppable } from '../../terminal/process.ts';
import { progress } from '../../terminal/progress.ts';
import { TrackedCheckpoints } from '../../terminal/training-report.ts';
import { adviceOn, noteCheckpoint } from './command.ts';

interface TextTrainingFlags extends shared.CommonFlags {
  readonly text: readonly string[];
  readonly model: string;
  readonly tokenizer?: string;
  readonly from?: string;
  readonly seed: number;
  readonly jobs: number;
  readonly resume?: boolean;
  readonly [option: string]: unknown;
}

/** What differs between the commands that train on raw text: help texts, options, and the name of the product. */
interface TextTraining {
  readonly summary: string;
  readonly tokenizer: string;
  readonly schema: Parameters<typeof optionsOfSchema>[0];
  readonly further?: Option | undefined;
  readonly made: string;
  readonly jobs: string;
}

function textTraining(command: Command, texts: TextTraining): Command {
  command
    .description(texts.summary)
    .optionsGroup('Files:')
    .requiredOption('--text <files...>', 'raw text, optionally gzipped')
    .requiredOption('--model <file>', 'output file; training keeps a checkpoint beside it until it is done')
    .option('--tokenizer <file>', texts.tokenizer)
    .with(shared.encodingOption())
    .optionsGroup('Learning:')
    .with(...optionsOfSchema(texts.schema), ...(texts.further === undefined ? [] : [texts.further]))
    .optionsGroup('Running:');
  const seed = shared.seedOption(`random seed; the same seed gives the same ${texts.made}`);
  return command
    .with(seed, shared.jobsOption(texts.jobs))
    .option('--resume', 'continue an interrupted training run; needs the same options and --model')
    .with(shared.quietOption(), shared.jsonOption());
}

export function vectorsCommand(command: Command): void {
  textTraining(command, {
    summary: 'Learns word vectors from raw text: skip-gram with negative sampling and subwords.',
    tokenizer:
      'tokenizer or pipeline that splits the text (default: a simple rule for words and punctuation marks)',
    schema: skipGramOptions,
    made: 'vectors',
    jobs: 'worker threads, at most 4; they do not change the result',
  })
    .examples(
      'parliament train vectors --text novels.txt.gz news.txt --model hungarian.vectors',
      'parliament train network --train train.conllu --vectors hungarian.vectors --model hungarian.model',
    )
    .action((given: TextTrainingFlags) => {
      const options = readOptions(skipGramOptions, given);
      return withState(given, undefined, (state) => learnVectors(given, options, state));
    });
}

/** Options that `--from` takes from the earlier model. */
const fixed = ['units', 'layers', 'vocabulary'] as const;

export function encoderCommand(command: Command): void {
  textTraining(command, {
    summary:
      'Trains a bidirectional language model on raw text, whose layers represent words in context (--encoder).',
    tokenizer: 'tokenizer or pipeline that splits the text (default: simple rules)',
    schema: encoderOptions,
    further: new Option(
      '--from <model>',
      `continue from a trained language model with other text; its ${fixed.join(', ')} stay the same, and the learning rate starts at a quarter of --rate`,
    ),
    made: 'model',
    jobs: 'worker threads, one for each direction',
  })
    .examples(
      'parliament train encoder --text news.txt.gz --model english.encoder',
      'parliament train network --train train.conllu --model english.model --encoder english.encoder',
      'parliament train encoder --from english.encoder --text laws.txt --model laws.encoder',
    )
    .action((given: TextTrainingFlags, command: Command) => {
      const stray = fixed.find((name) => command.getOptionValueSource(name) === 'cli');
      if (given.from !== undefined && stray !== undefined) {
        throw new OptionError(
          (option) => `${option(stray)} does not go with ${option('from')}, which keeps its ${stray}`,
        );
      }
      const options = readOptions(encoderOptions, given);
      return withState(given, stateFiles, (state) => learnEncoder(given, options, state));
    });
}

/**
 * Trains with a checkpoint beside the model, which one training at a time can claim.
 *
 * @param statesOf returns the files of a checkpoint, given its path; default: one file at that path
 */
async function withState(
  { text, tokenizer, from, model, resume = false, quiet }: TextTrainingFlags,
  statesOf: ((path: string) => readonly string[]) | undefined,
  learn: (checkpoint: CheckpointFile) => Promise<void>,
): Promise<void> {
  checkStandardInput(text);
  const checkpoint = new CheckpointFile(model, { resume });
  const states = statesOf?.(checkpoint.path);
  const inputs = [...text, tokenizer, from].filter((path) => path !== undefined);
  checkModelPath(model, [...checkpoint.files, ...(states ?? [])], inputs);
  const claim = checkpoint.claim();
  if (claim === undefined) throw new InputError(checkpoint.taken, { file: model });
  try {
    noteCheckpoint(checkpoint, states?.some(existsSync) ?? checkpoint.exists, { resume, quiet });
    await learn(checkpoint);
  } finally {
    claim.release();
  }
}

async function learnVectors(
  { text, tokenizer, encoding, model, seed, jobs, json, quiet = false }: TextTrainingFlags,
  options: SkipGramOptions,
  checkpoint: CheckpointFile,
): Promise<void> {
  const started = performance.now();
  const show = progress('words', quiet);
  const splitter = await splitterIn(tokenizer);
  let learning = { since: 0, from: 0, done: 0 };
  const checkpoints = new TrackedCheckpoints(checkpoint);
  const learn = async (signal: AbortSignal) => {
    const onRead = (words: number) => show('reading', words);
    const read = await readWords(text, { encoding, tokenizer: splitter, signal, onProgress: onRead });
    clearProgress();
    const onProgress = (done: number, total: number) => {
      if (learning.since === 0) learning = { since: performance.now(), from: done, done };
      learning.done = done;
      show('learning', done, total);
    };
    const run = { seed, jobs, signal, checkpoints, onProgress };
    const vectors = await trainVectors(read.text, options, run);
    return { words: read.text.count, files: read.files, vectors };
  };
  const advice = () => adviceOn(checkpoints.isKept);
  const learnt = await stoppable(learn, { advice }).finally(clearProgress);
  const learningSeconds = (performance.now() - learning.since) / 1000;
  const { words, vectors } = learnt;
  saveVectors(model, vectors, { options, seed, text: learnt.files });
  checkpoint.remove();
  const bytes = sizeOfFile(model);
  const vocabulary = vectors.size;
  const seconds = (performance.now() - started) / 1000;
  const wordsPerSecond = (learning.done - learning.from) / learningSeconds;
  const peakMemory = process.resourceUsage().maxRSS * 1024;
  if (json) printJson({ model, bytes, words, vocabulary, seconds, wordsPerSecond, peakMemory });
  if (json || quiet) return;
  const size = `${fileSize(bytes)}, ${count(vocabulary)} different words of ${count(words)}`;
  const cost = `${count(wordsPerSecond)} words/s, ${fileSize(peakMemory)} of memory`;
  print(`${model}: ${size}, ${duration(seconds)}, ${cost}`);
}

/** Opens a tokenizer, or a pipeline's tokenizer. */
async function splitterIn(path: string | undefined): Promise<Tokenizer | undefined> {
  if (path === undefined) return undefined;
  const model = readModelFile(path);
  const isPart = isPipeline(model) && model.partNames.includes('tokenizer');
  return openTokenizer(isPart ? model.part('tokenizer') : model);
}

async function learnEncoder(
  { text, tokenizer, encoding, from: origin, model, seed, jobs, resume, json, quiet }: TextTrainingFlags,
  asked: EncoderOptions,
  { path: checkpoint }: CheckpointFile,
): Promise<void> {
  const started = performance.now();
  const from = origin === undefined ? undefined : loadTrainedModel(origin);
  const options = { ...asked, ...(from && sizesOf(from.encoder)) };
  const splitter = await splitterIn(tokenizer);
  const files = text.map((path) => new TextFile(path, encoding));
  const show = progress('words', quiet);
  let total = 0;
  const onText = (words: number) => {
    total = words * options.epochs;
  };
  const onShare = (share: number) => show('train encoder', share * total, total);
  const run = { options, seed, jobs, resume, checkpoint, from, onText, onShare };
  const learn = (signal: AbortSignal) =>
    trainEncoder(textSentences(files, splitter), text.join(', '), { ...run, signal });
  const advice = () => adviceOn(stateFiles(checkpoint).some(existsSync));
  const trained = await stoppable(learn, { advice }).finally(clearProgress);
  const { encoder, softmax, words, before, losses } = trained;
  const sources = files.map(({ path, digest }) => ({ file: basename(path), digest }));
  const further =
    origin === undefined ? {} : { from: { file: basename(origin), digest: from!.encoder.digest } };
  const about = { options, seed, text: sources, ...further, words, before, losses };
  saveEncoder(model, encoder, about, softmax);
  removeState(checkpoint);
  const bytes = sizeOfFile(model);
  const seconds = (performance.now() - started) / 1000;
  if (json) printJson({ model, bytes, seconds, words, before, losses });
  if (json || quiet) return;
  note(`${count(words)} words, sentence bounds included`);
  const figures = (loss: number) =>
    `cross-entropy ${loss.toFixed(3)}, perplexity ${Math.exp(loss).toFixed(1)}`;
  for (const [direction, loss] of Object.entries(before ?? {})) note(`before: ${direction} ${figures(loss)}`);
  const last = Object.entries(losses).map(([direction, each]) => `${direction} ${figures(each.at(-1)!)}`);
  print([`${model}: ${fileSize(bytes)}`, duration(seconds), ...last].join(', '));
}

function sizesOf({ settings, vocabulary }: Encoder): Pick<EncoderOptions, (typeof fixed)[number]> {
  const { units, layers } = settings;
  return { units, layers, vocabulary: vocabulary.words.length };
}
