import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Tokenizer } from '../../../annotators/annotator.ts';
import { isPipeline, openTokenizer } from '../../../annotators/registry.ts';
import { readWords } from '../../../annotators/text-words.ts';
import { cutText } from '../../../annotators/tokenize-file.ts';
import { InputError } from '../../../src/errors.ts';
import { sizeOfFile } from '../../../src/files/files.ts';
import { checkStandardInput, TextFile } from '../../../src/files/text-file.ts';
import { saveVectors } from '../../../src/learn/vectors/saved-vectors.ts';
import { readModelFile } from '../../../src/model/model-file.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import { CheckpointFile } from '../../../src/training/checkpoint-file.ts';
import { plainSentences } from '../../../src/training/encoder/plain-text.ts';
import { saveEncoder } from '../../../src/training/encoder/saved-encoder.ts';
import {
  encoderOptions,
  removeState,
  stateFiles,
  type TrainedEncoder,
  trainEncoder,
} from '../../../src/training/encoder/train.ts';
import { type SkipGramOptions, skipGramOptions } from '../../../src/training/skip-gram/options.ts';
import { trainVectors } from '../../../src/training/skip-gram/train.ts';
import type { CheckpointStore } from '../../../src/training/training-run.ts';
import type { Command } from '../../options/command.ts';
import * as shared from '../../options/common.ts';
import { checkModelPath } from '../../options/output-paths.ts';
import { optionsOfSchema, readOptions } from '../../options/schema-options.ts';
import { count, duration, fileSize, note, print, printJson, warn } from '../../terminal/output.ts';
import { stoppable } from '../../terminal/process.ts';
import { progress } from '../../terminal/progress.ts';
import { stopped } from './command.ts';

export interface TextTrainingFlags extends shared.CommonFlags {
  readonly text: readonly string[];
  readonly model: string;
  readonly tokenizer?: string;
  readonly seed: number;
  readonly jobs: number;
  readonly resume?: boolean;
  readonly [option: string]: unknown;
}

/** Adds the options of a schema, and those of running it, to a command that learns from raw text. */
export function addTextTraining(
  command: Command,
  schema: Parameters<typeof optionsOfSchema>[0],
  made: string,
  jobs: string,
): Command {
  for (const option of optionsOfSchema(schema)) command.with(option);
  return command
    .optionsGroup('Running:')
    .with(shared.seedOption(`random seed; the same seed gives the same ${made}`), shared.jobsOption(jobs))
    .option('--resume', 'continue an interrupted training; with the same options and --model')
    .with(shared.quietOption(), shared.jsonOption());
}

export function vectorsCommand(command: Command): void {
  command
    .description('Learns word vectors from raw text: skip-gram with negative sampling and subwords.')
    .optionsGroup('Files:')
    .requiredOption('--text <files...>', 'raw text, gzip or not')
    .requiredOption('--model <file>', 'output file; training keeps its state beside it')
    .option(
      '--tokenizer <file>',
      'tokenizer or pipeline that splits the text (default: words and punctuation marks, by a plain rule)',
    )
    .with(shared.encodingOption())
    .optionsGroup('Learning:');
  const jobs = 'worker threads, 4 at most; they change nothing but the time';
  addTextTraining(command, skipGramOptions, 'vectors', jobs)
    .examples(
      'parliament train vectors --text novels.txt.gz news.txt --model hungarian.vectors',
      'parliament train network --train train.conllu --vectors hungarian.vectors --model hungarian.model',
    )
    .action(train);
}

async function train(flags: TextTrainingFlags): Promise<void> {
  const { text, tokenizer, model, resume = false } = flags;
  const options = readOptions(skipGramOptions, flags);
  checkStandardInput(text);
  const checkpoint = new CheckpointFile(model, { resume });
  checkModelPath(model, checkpoint.files, [...text, ...(tokenizer === undefined ? [] : [tokenizer])]);
  const claim = checkpoint.claim();
  if (claim === undefined) throw new InputError(checkpoint.taken, { file: model });
  try {
    if (resume && !checkpoint.exists) warn(`no ${checkpoint.path} to resume from: training starts anew`);
    if (!resume && checkpoint.exists && !flags.quiet)
      note(`${checkpoint.path} is of a training that was stopped: without --resume it will be replaced`);
    await learn(flags, options, checkpoint);
  } finally {
    claim.release();
  }
}

async function learn(
  { text, tokenizer, encoding, model, seed, jobs, json, quiet = false }: TextTrainingFlags,
  options: SkipGramOptions,
  checkpoint: CheckpointFile,
): Promise<void> {
  const started = performance.now();
  const bar = progress('words', quiet);
  const splitter = tokenizer === undefined ? undefined : await openTokenizer(tokenizerIn(tokenizer));
  let learning = { since: 0, from: 0, done: 0 };
  const checkpoints = new KeptState(checkpoint);
  const { words, files, vectors } = await stoppable(async (signal) => {
    const onRead = (words: number) => bar.update('reading', words);
    const read = await readWords(text, { encoding, tokenizer: splitter, signal, onProgress: onRead });
    bar.clear();
    const onProgress = (done: number, total: number) => {
      if (learning.since === 0) learning = { since: performance.now(), from: done, done };
      learning.done = done;
      bar.update('learning', done, total);
    };
    const run = { seed, jobs, signal, checkpoints, onProgress };
    const vectors = await trainVectors(read.text, options, run);
    return { words: read.text.count, files: read.files, vectors };
  })
    .catch((error) => {
      throw stopped(error, checkpoints.isKept);
    })
    .finally(() => bar.clear());
  const learnt = (performance.now() - learning.since) / 1000;
  saveVectors(model, vectors, { options, seed, text: files });
  checkpoint.remove();
  const figures: Figures = {
    model,
    bytes: sizeOfFile(model),
    words,
    vocabulary: vectors.size,
    seconds: (performance.now() - started) / 1000,
    wordsPerSecond: (learning.done - learning.from) / learnt,
    peakMemory: process.resourceUsage().maxRSS * 1024,
  };
  if (json) printJson(figures);
  else if (!quiet) print(summary(figures));
}

interface Figures {
  readonly model: string;
  readonly bytes: number;
  readonly words: number;
  readonly vocabulary: number;
  readonly seconds: number;
  readonly wordsPerSecond: number;
  readonly peakMemory: number;
}

function summary({ model, bytes, words, vocabulary, seconds, wordsPerSecond, peakMemory }: Figures): string {
  const size = `${fileSize(bytes)}, ${count(vocabulary)} different words of ${count(words)}`;
  return `${model}: ${size}, ${duration(seconds)}, ${count(wordsPerSecond)} words/s, ${fileSize(peakMemory)} of memory`;
}

/** The state beside the model, and whether there is one of this training. */
class KeptState implements CheckpointStore {
  isKept = false;

  constructor(private readonly file: CheckpointFile) {}

  load(): ModelReader | undefined {
    const state = this.file.load();
    this.isKept = state !== undefined;
    return state;
  }

  save(write: (checkpoint: ModelWriter) => void): void {
    this.file.save(write);
    this.isKept = true;
  }
}

/** The tokenizer in a file, or in the pipeline in it. */
export function tokenizerIn(path: string): ModelReader {
  const model = readModelFile(path);
  return isPipeline(model) && model.partNames.includes('tokenizer') ? model.part('tokenizer') : model;
}

export function encoderCommand(command: Command): void {
  command
    .description('Trains a language model on raw text: its layers describe words in context, for --encoder.')
    .optionsGroup('Files:')
    .requiredOption('--text <files...>', 'plain text, maybe gzip')
    .requiredOption('--model <file>', 'output file; training keeps its state beside it until it is done')
    .option('--tokenizer <file>', 'tokenizer or pipeline that splits the text (default: plain rules)')
    .with(shared.encodingOption())
    .optionsGroup('Learning:');
  addTextTraining(command, encoderOptions, 'model', 'worker threads, one for each direction')
    .examples(
      'parliament train encoder --text news.txt.gz --model english.encoder',
      'parliament train network --train train.conllu --model english.model --encoder english.encoder',
    )
    .action(learnEncoder);
}

async function learnEncoder(given: TextTrainingFlags): Promise<void> {
  const started = performance.now();
  const { model, quiet, seed, jobs, resume } = given;
  const options = readOptions(encoderOptions, given);
  checkStandardInput(given.text);
  const tokenizer =
    given.tokenizer === undefined ? undefined : await openTokenizer(tokenizerIn(given.tokenizer));
  const checkpoint = new CheckpointFile(model, { resume: resume ?? false });
  const state = checkpoint.path;
  const inputs = [...given.text, ...(given.tokenizer === undefined ? [] : [given.tokenizer])];
  checkModelPath(model, [...checkpoint.files, ...stateFiles(state)], inputs);
  const claimed = checkpoint.claim();
  if (claimed === undefined) throw new InputError(checkpoint.taken, { file: model });
  if (resume && !stateFiles(state).some(existsSync)) warn(`no ${state} to resume from: training starts anew`);
  const files = given.text.map((path) => new TextFile(path, given.encoding));
  const bar = progress('words', quiet);
  let total = 0;
  try {
    const trained = await stoppable((signal) =>
      trainEncoder(sentencesOf(files, tokenizer), given.text.join(', '), {
        options,
        seed,
        jobs,
        resume,
        signal,
        checkpoint: state,
        onText: (words) => {
          total = words * options.epochs;
        },
        onShare: (share) => bar.update('train encoder', share * total, total),
      }),
    )
      .catch((error) => {
        if (!(error instanceof Error && error.name === 'AbortError')) throw error;
        throw new DOMException('stopped; continue with --resume', error.name);
      })
      .finally(() => bar.clear());
    const text = files.map(({ path, digest }) => ({ file: basename(path), digest }));
    const { words, losses } = trained;
    saveEncoder(model, trained.encoder, { options, seed, text, words, losses });
    removeState(state);
    summarizeEncoder(given, trained, (performance.now() - started) / 1000);
  } finally {
    claimed.release();
  }
}

async function* sentencesOf(files: readonly TextFile[], tokenizer: Tokenizer | undefined) {
  for (const file of files) {
    if (tokenizer === undefined) yield* plainSentences(file.chunks());
    else {
      for await (const sentences of cutText(file.chunks(), tokenizer, 'text', file.path))
        for (const { forms } of sentences) yield forms.slice(1);
    }
  }
}

function summarizeEncoder(
  { model, json, quiet }: TextTrainingFlags,
  { words, losses }: TrainedEncoder,
  seconds: number,
): void {
  const bytes = sizeOfFile(model);
  if (json) printJson({ model, bytes, seconds, words, losses });
  if (json || quiet) return;
  note(`${count(words)} words, sentence bounds included`);
  const last = Object.entries(losses).map(([direction, each]) => {
    return `${direction} cross-entropy ${each.at(-1)!.toFixed(3)}, perplexity ${Math.exp(each.at(-1)!).toFixed(1)}`;
  });
  print([`${model}: ${fileSize(bytes)}`, duration(seconds), ...last].join(', '));
}
