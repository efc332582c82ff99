import { Option } from 'commander';
import type { PartProgress } from '../../../combine/parser-part.ts';
import { InputError, UsageError } from '../../../src/errors.ts';
import { sizeOfFile } from '../../../src/files/files.ts';
import { checkStandardInput } from '../../../src/files/text-file.ts';
import { writeModelFile } from '../../../src/model/model-file.ts';
import { ModelReader } from '../../../src/model/model-reader.ts';
import { modelBytes } from '../../../src/model/model-writer.ts';
import { recordOf } from '../../../src/training/about-model.ts';
import { CheckpointFile } from '../../../src/training/checkpoint-file.ts';
import type { NamedScores, TrainingProgress } from '../../../src/training/training-run.ts';
import type { Expectation } from '../../../src/treebank/reading/format.ts';
import type { Treebank } from '../../../src/treebank/sentence.ts';
import { openTreebanks } from '../../../src/treebank/treebanks.ts';
import type { Command } from '../../options/command.ts';
import * as shared from '../../options/common.ts';
import { checkModelPath } from '../../options/output-paths.ts';
import {
  clearProgress,
  duration,
  fileSize,
  note,
  print,
  printJson,
  SkippedSentences,
  warn,
} from '../../terminal/output.ts';
import { limitHeapGrowth, stoppable } from '../../terminal/process.ts';
import type { EpochRecord, PartRecord } from '../../terminal/training-report.ts';
import {
  EpochReport,
  PartsReport,
  RecordedCheckpoints,
  scoresAtEnd,
  scoreTexts,
} from '../../terminal/training-report.ts';
import { findTrainable, trainableNames } from './find-trainable.ts';
import { printTemplates, type Trainable, type Trained } from './trainable.ts';

/** Subcommands that train on raw text instead of a treebank. */
const VECTORS = 'vectors';
const ENCODER = 'encoder';

interface TrainOptions extends shared.CommonFlags {
  readonly train: readonly string[];
  readonly dev?: readonly string[];
  readonly limit?: number;
  readonly model: string;
  readonly seed: number;
  readonly jobs: number;
  readonly compact?: boolean;
  readonly resume?: boolean;
  readonly templates?: readonly string[];
  readonly printTemplates?: boolean;
  readonly [option: string]: unknown;
}

/** `parliament train`: a subcommand for each trainable model, with options made from its schema. */
export async function trainCommand(train: Command, words: readonly string[]): Promise<void> {
  const next = words.slice(words.indexOf('train') + 1).find((word) => !word.startsWith('-'));
  const isNamed = [VECTORS, ENCODER].includes(next ?? '') || trainableNames().includes(next ?? '');
  const names = trainableNames().filter((name) => !isNamed || name === next);
  const known = await Promise.all(names.map((name) => findTrainable(name, words)));
  const isLearning = !words.includes('--print-templates');
  for (const one of known) trainableCommand(train.command(one.name), one, isLearning);
  if (!isNamed || next === VECTORS) (await import('./raw-text.ts')).vectorsCommand(train.command(VECTORS));
  if (!isNamed || next === ENCODER) (await import('./raw-text.ts')).encoderCommand(train.command(ENCODER));
  const [first = `parliament train ${next} --help`] = known.slice(0, 1).flatMap(examplesOf);
  train.examples(first, 'parliament train graph --help');
}

function examplesOf({ name, needsPhrases, examples }: Trainable): readonly string[] {
  const extension = needsPhrases ? 'mrg' : 'conllu';
  const files = `--train train.${extension} --dev dev.${extension} --model english.model`;
  return examples ?? [`parliament train ${name} ${files}`];
}

/** @param isLearning whether files are required: printing templates needs none */
export function trainableCommand(command: Command, trainable: Trainable, isLearning: boolean): void {
  const fileOption = (flag: string, description: string) =>
    new Option(flag, description).makeOptionMandatory(isLearning);
  command
    .description(trainable.summary)
    .optionsGroup('Files:')
    .with(fileOption('--train <files...>', 'training treebank; several are concatenated'))
    .option('--dev <files...>', 'held-out treebanks, scored after every epoch, or at the end')
    .with(
      fileOption(
        '--model <file>',
        'output file; training in epochs keeps a checkpoint beside it until it is done',
      ),
      shared.formatOption(),
      shared.encodingOption(),
      shared.skipInvalidOption(),
    )
    .integer('--limit <n>', 'use only the first n sentences for training');
  for (const { title, options } of trainable.groups) {
    command.optionsGroup(title);
    for (const option of options) command.with(option);
  }
  if (trainable.templates !== undefined)
    command.option(
      '--print-templates',
      'print the feature templates that these options select, in the format of template files, and exit',
    );
  command
    .optionsGroup('Running:')
    .with(shared.seedOption('random seed; the same seed gives the same model'), shared.jobsOption())
    .with(shared.compactOption())
    .option('--resume', 'continue an interrupted training run; needs the same options and --model')
    .with(shared.quietOption(), shared.jsonOption())
    .examples(...examplesOf(trainable))
    .action((given: TrainOptions, command: Command) => train(trainable, given, command));
}

async function train(trainable: Trainable, given: TrainOptions, command: Command): Promise<void> {
  const skipped = new SkippedSentences();
  const isTyped = (option: string) => command.getOptionValueSource(option) === 'cli';
  const options = await trainable.read(given, { isTyped, onSkip: skipped.add });
  if (trainable.templates !== undefined && given.printTemplates)
    return printTemplates(trainable.templates, options);
  limitHeapGrowth();
  const checkpoint = new CheckpointFile(given.model, { resume: given.resume ?? false });
  const keepsState = trainable.keepsState?.(options) ?? false;
  const keepsParts = trainable.keepsParts?.(options) ?? false;
  const kept = trainable.keptMembers?.(options) ?? [];
  const members = kept.map((name) => memberFile(given.model, name));
  const beside = [...(keepsState ? checkpoint.files : []), ...members];
  checkModelPath(given.model, beside, [...inputsOf(trainable, given), ...filesIn(options)]);
  const claim = keepsState ? checkpoint.claim() : undefined;
  const ownsState = claim !== undefined;
  try {
    if (keepsState && !ownsState) warnOfOtherTraining(checkpoint, given);
    else if (keepsState && !(given.resume && keepsParts))
      noteCheckpoint(checkpoint, checkpoint.exists, given);
    else if (given.resume && !keepsParts)
      throw new UsageError(
        `--resume: train ${trainable.name} keeps no checkpoint with these options; train again without it`,
      );
    await learn(trainable, options, given, skipped, ownsState ? checkpoint : undefined);
  } finally {
    claim?.release();
  }
}

async function learn(
  trainable: Trainable,
  options: object,
  given: TrainOptions,
  skipped: SkippedSentences,
  checkpoint: CheckpointFile | undefined,
): Promise<void> {
  const started = performance.now();
  const { compact } = given;
  const data = await openTrainingData(given, trainable.expect, skipped.add);
  const report = new EpochReport(given.quiet ?? false);
  const parts = new PartsReport(given.quiet ?? false);
  // The digest is known after one pass.
  if (checkpoint && data.dev) await recordOf(data.dev);
  const checkpoints = checkpoint && new RecordedCheckpoints(checkpoint, report, data.dev?.digest);
  const run = {
    options,
    seed: given.seed,
    jobs: given.jobs,
    dev: data.dev,
    checkpoints,
    onProgress: (progress: TrainingProgress<NamedScores>) => report.update(progress),
    onPart: (progress: PartProgress) => parts.update(progress),
    ...(!given.quiet && { onNotice: note }),
    onWarning: warn,
    onMember: (name: string, { about, writer }: Trained) =>
      writeModelFile(memberFile(given.model, name), writer(about), { compact }),
  };
  const keepsParts = trainable.keepsParts?.(options) ?? false;
  const advice = () => adviceOn((keepsParts || checkpoints?.isKept) ?? false);
  const work = async (signal: AbortSignal) => {
    const learnt = await trainable.train(data.train, { ...run, signal });
    return compact && data.dev ? quantized(learnt, data.dev, signal) : learnt;
  };
  const trained = await stoppable(work, { advice }).finally(clearProgress);
  skipped.summarize();

  const ofEpoch = trained.scores === undefined ? scoresAtEnd(report.records) : undefined;
  const about = { ...trained.about, scores: data.dev && { ...ofEpoch, ...trained.about.scores } };
  writeModelFile(given.model, trained.writer(about), { compact });
  checkpoints?.remove();
  const seconds = (performance.now() - started) / 1000;
  const { scores } = trained;
  summarize(given, { about, scores, seconds, epochs: report.records, parts: parts.records });
}

/** The trained model with the scores of its compact file, whose weights are quantized. */
async function quantized(trained: Trained, dev: Treebank, signal: AbortSignal): Promise<Trained> {
  const bytes = modelBytes(trained.writer(trained.about), { compact: true });
  return { ...trained, ...(await trained.scoreSaved(ModelReader.fromBuffer(bytes, 'model'), dev, signal)) };
}

function inputsOf({ templates }: Trainable, given: TrainOptions): string[] {
  const files = given.templates?.filter((name) => !templates?.sets.includes(name));
  const { vectors, silver, from, old, teacher, text, lexicon } = given;
  const named = [vectors, silver, from, old, teacher, text, lexicon].flat();
  const others = named.filter((path) => typeof path === 'string');
  return [...given.train, ...(given.dev ?? []), ...(files ?? []), ...others];
}

/** The files that options name, also those of guides, members, students and the parts of a pipeline. */
function filesIn(options: unknown): string[] {
  if (typeof options !== 'object' || options === null) return [];
  if ('path' in options && 'digest' in options) return [String(options.path)];
  const isPlain = Array.isArray(options) || Object.getPrototypeOf(options) === Object.prototype;
  return isPlain ? Object.values(options).flatMap(filesIn) : [];
}

const memberFile = (model: string, name: string) => `${model}.${name}`;

/** Several trainings of one model do not disturb each other, but only one can keep its checkpoint. */
function warnOfOtherTraining({ taken }: CheckpointFile, { model, resume }: TrainOptions): void {
  if (resume) throw new InputError(taken, { file: model });
  warn(`${model}: ${taken}: this training keeps no checkpoint, and the one that ends last writes the model`);
}

/** Notifies the user if there is no checkpoint to resume from, or one that will be overwritten. */
export function noteCheckpoint(
  { path }: CheckpointFile,
  exists: boolean,
  { resume, quiet }: { readonly resume?: boolean | undefined; readonly quiet?: boolean | undefined },
): void {
  if (resume && !exists) warn(`no ${path} to resume from: training starts from the beginning`);
  if (!resume && exists && !quiet)
    note(`${path} is from an interrupted training: without --resume it will be overwritten`);
}

/** Advice for the user who has interrupted a training. */
export function adviceOn(isKept: boolean): string {
  return isKept ? 'continue with --resume' : 'no checkpoint was saved yet';
}

interface Summary extends Pick<Trained, 'scores' | 'about'> {
  readonly seconds: number;
  readonly epochs: readonly EpochRecord[];
  readonly parts: readonly PartRecord[];
}

function summarize(given: TrainOptions, { seconds, epochs, parts, scores, about }: Summary): void {
  const { model } = given;
  const bytes = sizeOfFile(model);
  const rates = epochs.flatMap(({ sentencesPerSecond }) => sentencesPerSecond ?? []);
  const learning = rates.reduce((sum, rate) => sum + 1 / rate, 0);
  const sentencesPerSecond = learning === 0 ? undefined : rates.length / learning;
  const peakMemory = process.resourceUsage().maxRSS * 1024;
  if (given.json) {
    const { user, system } = process.cpuUsage();
    const cpuSeconds = (user + system) / 1e6;
    const ofParts = parts.length === 0 ? undefined : parts;
    const cost = { bytes, seconds, cpuSeconds, sentencesPerSecond, peakMemory };
    printJson({ model, ...cost, epochs, parts: ofParts, scores: scores ?? about.scores, end: about.end });
  } else if (!given.quiet) {
    const facts = [`${model}: ${fileSize(bytes)}`, duration(seconds), `${fileSize(peakMemory)} of memory`];
    print([...facts, ...(scores === undefined ? devTexts(about.scores) : [])].join(', '));
    for (const [of, named] of Object.entries(scores ?? {}))
      for (const line of scoreTexts(`dev, from ${of}:`, named)) print(line);
  }
}

/** The final scores, and their epoch if it is not the last. */
function devTexts(named: NamedScores | undefined): string[] {
  if (named?.epoch === undefined) return scoreTexts('dev', named);
  const { epoch, ...scores } = named;
  return scoreTexts(`epoch ${epoch} kept: dev`, scores);
}

async function openTrainingData(
  { train, dev, limit, format, encoding, skipInvalid }: TrainOptions,
  expect: Expectation,
  onSkip: (error: InputError) => void,
): Promise<{ readonly train: Treebank; readonly dev: Treebank | undefined }> {
  checkStandardInput([...train, ...(dev ?? [])]);
  const options = { format, encoding, skipInvalid, onSkip, expect, onDifference: warn } as const;
  const opened = await openTreebanks(train, { ...options, limit });
  return { train: opened, dev: dev && (await openTreebanks(dev, options)) };
}
