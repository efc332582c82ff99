import { statSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { type TrainedParser, trainParser } from '../../combine/train-parser.ts';
import type { Paradigm } from '../../parsers/parser.ts';
import { findParadigm, paradigmNames } from '../../parsers/registry.ts';
import { saveParser } from '../../parsers/saved-parser.ts';
import { UsageError } from '../../src/errors.ts';
import { CheckpointFile } from '../../src/training/checkpoint-file.ts';
import { keptMembers, type LinearOptions } from '../../src/training/linear/linear-options.ts';
import type { TrainingProgress } from '../../src/training/training-run.ts';
import * as shared from '../options/common.ts';
import { checkModelPath } from '../options/model-path.ts';
import { optionsOfSchema, readOptions } from '../options/schema-options.ts';
import { printTemplates, printTemplatesOption, readTemplates } from '../options/templates.ts';
import { openTrainingData, type TrainingDataOptions } from '../options/training-data.ts';
import { examples } from '../terminal/help.ts';
import { stoppable } from '../terminal/interrupts.ts';
import { duration, fileSize, note, print, printJson, warn } from '../terminal/output.ts';
import { SkippedSentences } from '../terminal/skipped-sentences.ts';
import {
  type EpochRecord,
  EpochReport,
  RecordedCheckpoints,
  scoreTexts,
} from '../terminal/training-report.ts';

/** The general options of `train`; those of the paradigm stand beside them. */
interface TrainOptions extends TrainingDataOptions {
  readonly model: string;
  readonly seed: number;
  readonly jobs: number;
  readonly resume?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
  readonly templates?: readonly string[];
  readonly printTemplates?: boolean;
}

/** `parliament train PARADIGM`: one sub-command a paradigm, its options made from the paradigm's schema. */
export async function trainCommand(train: Command, words: readonly string[]): Promise<void> {
  const named = paradigmNames().filter((name) => words.includes(name));
  const known = await Promise.all((named.length > 0 ? named : paradigmNames()).map(findParadigm));
  // What is only printed needs no files.
  const isLearning = !words.includes('--print-templates');
  for (const paradigm of known) paradigmCommand(train.command(paradigm.name), paradigm, isLearning);
  train.addHelpText('after', examples(...known.slice(0, 1).map(example), 'parliament train graph --help'));
}

function example({ name, needsPhrases }: Paradigm): string {
  const extension = needsPhrases ? 'mrg' : 'conllu';
  return `parliament train ${name} --train train.${extension} --dev dev.${extension} --model english.model`;
}

function paradigmCommand(command: Command, paradigm: Paradigm, isLearning: boolean): void {
  const fileOption = (flag: string, description: string) =>
    new Option(flag, description).makeOptionMandatory(isLearning);
  command
    .description(paradigm.summary)
    .optionsGroup('Files:')
    .addOption(
      fileOption('--train <files...>', 'treebank to learn from; several are learnt from together, in order'),
    )
    .option(
      '--dev <files...>',
      'held-out treebanks, scored after every epoch; where there are none, at the end',
    )
    .addOption(
      fileOption(
        '--model <file>',
        'where the model goes; a training in epochs keeps its state beside it until it is done',
      ),
    )
    .addOption(shared.formatOption())
    .addOption(shared.encodingOption())
    .addOption(shared.skipInvalidOption())
    .addOption(limitOption())
    .optionsGroup('Learning:');
  for (const option of optionsOfSchema(paradigm.options)) command.addOption(option);
  if (paradigm.templates !== undefined) command.addOption(printTemplatesOption());
  command
    .optionsGroup('Running:')
    .addOption(seedOption())
    .addOption(shared.jobsOption())
    .option(
      '--resume',
      'continue a training in epochs that was stopped: with the same options, to the same model',
    )
    .addOption(shared.quietOption())
    .addOption(shared.jsonOption())
    .addHelpText('after', examples(example(paradigm)))
    .action((given: TrainOptions) => train(paradigm, given));
}

function limitOption(): Option {
  return new Option('--limit <n>', 'learn from the first n sentences only').argParser(
    shared.integer({ min: 1 }),
  );
}

function seedOption(): Option {
  return new Option('--seed <n>', 'start of the random numbers; the same seed gives the same model')
    .argParser(shared.integer({ min: 0, max: 0xffff_ffff }))
    .default(1);
}

async function train(paradigm: Paradigm, given: TrainOptions): Promise<void> {
  const options = await optionsOf(paradigm, given);
  if (paradigm.templates !== undefined && given.printTemplates) {
    printTemplates(paradigm.templates, options);
    return;
  }
  const checkpoint = new CheckpointFile(given.model, { resume: given.resume ?? false });
  const keepsState = paradigm.keepsState?.(options) ?? false;
  const beside = [...(keepsState ? checkpoint.files : []), ...memberFiles(paradigm, options, given)];
  checkModelPath(given.model, beside, inputsOf(paradigm, given));
  const claim = keepsState ? checkpoint.claim() : undefined;
  try {
    tellOfState(paradigm, keepsState, checkpoint, given);
    await learn(paradigm, options, given, checkpoint);
  } finally {
    claim?.release();
  }
}

async function learn(
  paradigm: Paradigm,
  options: object,
  given: TrainOptions,
  checkpoint: CheckpointFile,
): Promise<void> {
  const started = performance.now();
  const skipped = new SkippedSentences();
  const data = await openTrainingData(given, skipped.add);
  const report = new EpochReport(given.quiet ?? false);
  const checkpoints = new RecordedCheckpoints(checkpoint, report);
  const run = {
    options,
    seed: given.seed,
    jobs: given.jobs,
    dev: data.dev,
    checkpoints,
    onProgress: (progress: TrainingProgress) => report.update(progress),
    onNotice: (notice: string) => report.notice(notice),
    onMember: (name: string, { parser, about }: TrainedParser) =>
      saveParser(memberFile(given.model, name), parser, about),
  };
  const { parser, about } = await stoppable((signal) => trainParser(paradigm, data.train, { ...run, signal }))
    .catch((error) => {
      throw stopped(error, checkpoints.isKept);
    })
    .finally(() => report.close());
  skipped.summarize();

  // A training resumed after its last epoch has no scores but those kept with its state.
  saveParser(given.model, parser, { ...about, scores: report.records.at(-1)?.dev });
  checkpoints.remove();
  summarize(given, report.records, (performance.now() - started) / 1000);
}

/** All that is read. */
function inputsOf({ templates }: Paradigm, given: TrainOptions): string[] {
  const files = given.templates?.filter((name) => !templates?.sets.includes(name));
  return [...given.train, ...(given.dev ?? []), ...(files ?? [])];
}

/** Where the members of an ensemble go that are kept. */
function memberFiles({ linear }: Paradigm, options: object, { model }: TrainOptions): string[] {
  const names = linear === undefined ? [] : keptMembers(options as LinearOptions);
  return names.map((name) => memberFile(model, name));
}

function memberFile(model: string, name: string): string {
  return `${model}.${name}`;
}

/** The paradigm's own options among those given, with the files that they name read. */
async function optionsOf({ options, templates }: Paradigm, given: TrainOptions): Promise<object> {
  const read = templates && { templates: await readTemplates(templates, given.templates ?? []) };
  return readOptions(options, { ...given, ...read }) as object;
}

/** Tells of the training state that is there already. Throws `UsageError` where none is ever kept. */
function tellOfState(
  paradigm: Paradigm,
  keepsState: boolean,
  checkpoint: CheckpointFile,
  { resume, quiet }: TrainOptions,
): void {
  if (resume && !keepsState) {
    throw new UsageError(`--resume: train ${paradigm.name} with these options keeps no state: train again`);
  }
  if (resume && !checkpoint.exists) warn(`no ${checkpoint.path} to resume from: training starts anew`);
  if (!resume && keepsState && checkpoint.exists && !quiet) {
    note(`${checkpoint.path} is of a training that was stopped: without --resume it will be replaced`);
  }
}

/** Tells who stopped a training how to go on with it; other errors stay as they are. */
function stopped(error: unknown, isKept: boolean): unknown {
  if (!(error instanceof Error && error.name === 'AbortError')) return error;
  const advice = isKept ? 'continue with --resume' : 'there was no state to keep';
  return new DOMException(`stopped; ${advice}`, error.name);
}

function summarize(given: TrainOptions, epochs: readonly EpochRecord[], seconds: number): void {
  const { model } = given;
  const bytes = statSync(model).size;
  const rates = epochs.flatMap(({ sentencesPerSecond }) => sentencesPerSecond ?? []);
  const learning = rates.reduce((sum, rate) => sum + 1 / rate, 0);
  const sentencesPerSecond = learning === 0 ? undefined : rates.length / learning;
  const peakMemory = process.resourceUsage().maxRSS * 1024;
  if (given.json) {
    const { user, system } = process.cpuUsage();
    const cpuSeconds = (user + system) / 1e6;
    printJson({ model, bytes, seconds, cpuSeconds, sentencesPerSecond, peakMemory, epochs });
  } else if (!given.quiet) {
    const parts = [`${model}: ${fileSize(bytes)}`, duration(seconds), `${fileSize(peakMemory)} of memory`];
    print([...parts, ...scoreTexts('dev', epochs.at(-1)?.dev)].join(', '));
  }
}
