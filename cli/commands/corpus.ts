import { existsSync, realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { isAnnotator, isPipeline } from '../../annotators/registry.ts';
import { type KeepName, keepNames } from '../../combine/names.ts';
import { CorpusFolder } from '../../corpus/folder.ts';
import type { CorpusFormat, CorpusInputs, CorpusKind } from '../../corpus/inputs.ts';
import { corpusFormats, corpusInputs, corpusKinds, MOST_SECONDS } from '../../corpus/inputs.ts';
import type { ParsingOptions } from '../../corpus/queue/protocol.ts';
import type { QueuedParsing } from '../../corpus/queue/queued-shards.ts';
import type { CorpusFigures, Slice } from '../../corpus/run.ts';
import { shardsOf } from '../../corpus/shards.ts';
import { corpusStatus, mergeShards } from '../../corpus/status.ts';
import { copyOf } from '../../parsers/registry.ts';
import { InputError, UsageError } from '../../src/errors.ts';
import { isRegularFile, sizeOfFile } from '../../src/files/files.ts';
import { givenFile } from '../../src/files/given-file.ts';
import { STANDARD_STREAM } from '../../src/files/text-file.ts';
import { readModelFile } from '../../src/model/model-file.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import { modelPath } from '../../src/model/ready-model.ts';
import { withPackages } from '../../src/optional-packages.ts';
import { packageVersion } from '../../src/platform/package.ts';
import type { Command } from '../options/command.ts';
import * as shared from '../options/common.ts';
import { checkOutputs } from '../options/output-paths.ts';
import { queueEnvironment, queueOption, sizeFrom, storeOption } from '../options/workers.ts';
import { clearProgress, count, duration, note, plural, print, printJson, warn } from '../terminal/output.ts';
import { limitHeapGrowth, stoppable } from '../terminal/process.ts';
import { progress, withProgress } from '../terminal/progress.ts';

interface CorpusFlags extends shared.CommonFlags {
  readonly model?: string;
  readonly output?: string;
  readonly include?: readonly string[];
  readonly filesFrom?: string;
  readonly input?: CorpusKind;
  readonly field?: string;
  readonly keep?: readonly KeepName[];
  readonly shardSize: number;
  readonly to: CorpusFormat;
  readonly gzip: boolean;
  readonly confidence?: boolean;
  readonly jobs?: number;
  readonly shard?: Slice;
  readonly queue?: string;
  readonly store?: string;
  readonly timeout?: number;
  readonly status?: string;
  readonly merge?: string;
}

const SHARD_SIZE = 8e6;
/** Default number of shards in the queue at a time, so that workers need not wait for the next one. */
const QUEUED_SHARDS = 16;

export function corpusCommand(command: Command): Command {
  return command
    .argument(
      '[input...]',
      'files and folders of text, CoNLL-U or JSON Lines, in UTF-8 (-: standard input); hidden files are read only if named',
    )
    .option('--model <file>', 'pipeline, or a parser for CoNLL-U, or the name of a ready one')
    .option('-o, --output <folder>', 'output folder; with --merge: output file')
    .optionsGroup('Input:')
    .repeatable('--include <pattern>', 'files to read from folders, such as *.txt.gz; may be repeated')
    .option('--files-from <file>', 'file with the paths of further files and folders, one per line')
    .choice(
      '--input <kind>',
      'kind of input: text, one sentence per line, one token per line, sentences, or JSON Lines',
      corpusKinds,
      'by the names of the files: .conllu, .jsonl, otherwise text',
    )
    .option(
      '--field <name>',
      'field of JSON Lines that holds the text; “id” names the document (default: text)',
    )
    .with(
      shared.listOption('--keep <name,…>', 'annotation of CoNLL-U to keep; the rest is predicted', keepNames),
      shared.skipInvalidOption(),
      shared.allowMissingOption(),
      new Option('--shard-size <size>', 'bytes of input per shard')
        .argParser(sizeFrom(1000))
        .default(SHARD_SIZE, '8MB'),
    )
    .optionsGroup('Output:')
    .with(new Option('--to <format>', 'output format').choices(corpusFormats).default('conllu'))
    .option('--no-gzip', 'do not compress the output')
    .option(
      '--confidence',
      'write the confidences of arcs, tags, lemmas and tokens into MISC: Confidence=0.987',
    )
    .optionsGroup('Running:')
    .integer(
      '--jobs <n>',
      'worker threads; with --queue: shards sent to the queue at a time',
      { min: 1, max: 1024 },
      undefined,
      `all cores; with --queue: ${QUEUED_SHARDS}`,
    )
    .with(queueOption('parse shards on the workers of this queue'), storeOption())
    .option('--shard <i/n>', 'parse only every nth shard, starting with the ith: for n processes', slice)
    .integer('--timeout <seconds>', 'leave out shards that take longer than this', {
      min: 1,
      max: MOST_SECONDS,
    })
    .option('--status <folder>', 'only show the progress of the work in an output folder')
    .option('--merge <folder>', 'only join the shards of an output folder into one file, --output')
    .with(shared.quietOption(), shared.jsonOption())
    .addHelpText('after', queueEnvironment)
    .examples(
      "parliament corpus --model english.model texts --include '*.txt.gz' -o parsed",
      'parliament corpus --model english.model texts -o parsed --shard 3/16',
      'parliament corpus --model english.model texts -o parsed --queue redis://queue.example.org',
      'parliament corpus --status parsed',
      'parliament corpus --merge parsed -o parsed.conllu.gz',
      'parliament corpus --model english.model articles.jsonl.gz --field body --to jsonl -o parsed',
    )
    .action(corpus);
}

/** Parses `3/16`. 0/16 and 16/16 are the same slice, so that job arrays may count from 0 or from 1. */
function slice(text: string): Slice {
  const [, part, of] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  if (part === undefined || Number(of) < 1 || Number(part) > Number(of))
    throw new InvalidArgumentError('Expected the number of a slice and the number of slices, such as 3/16.');
  return { part: Number(part), of: Number(of) };
}

async function corpus(inputs: readonly string[], flags: CorpusFlags, command: Command): Promise<void> {
  const { status, merge, model, output, to } = flags;
  if (status !== undefined) {
    shared.refuseOthers(command, 'status', TAKES_FOLDER);
    return showStatus(status, flags);
  }
  if (merge !== undefined) shared.refuseOthers(command, 'merge', TAKES_FOLDER, ['output']);
  if (to === 'parquet')
    await withPackages('parliament corpus --to parquet', 'parquet', () => import('hyparquet-writer'));
  if (output === undefined) throw new UsageError(`name the output: --output <${merge ? 'file' : 'folder'}>`);
  if (merge !== undefined) {
    if (output === STANDARD_STREAM) throw new UsageError('--merge writes a file: name it by --output');
    return joinShards(merge, output, flags);
  }
  if (model === undefined) throw new UsageError('name a model: --model <file>');
  return parseCorpus(inputs, model, output, flags);
}

const TAKES_FOLDER = 'takes an output folder';

async function parseCorpus(paths: readonly string[], modelName: string, output: string, flags: CorpusFlags) {
  const { quiet, jobs, timeout, shard: slice, shardSize, queue, store } = flags;
  if (queue === undefined && store !== undefined) throw new UsageError('--store belongs to --queue');
  const { include, filesFrom, input: kind } = flags;
  const inputs = await corpusInputs(paths, { include, filesFrom, kind });
  checkInputs(inputs, output, flags);
  const empty = inputs.files.filter(({ path }) => isRegularFile(path) && sizeOfFile(path) === 0).length;
  if (empty > 0 && !quiet) note(`${empty} of ${plural(inputs.files.length, 'file')} empty`);
  const { to, gzip: isCompressed, field = 'text', keep = [] } = flags;
  const { confidence = false, skipInvalid = false, allowMissing = false } = flags;
  const options = { to, isCompressed, field, keep, confidence, skipInvalid, allowMissing };
  const isQueued = queue !== undefined;
  if (isQueued) limitHeapGrowth();
  const copy = await checkedModel(modelName, inputs, flags);
  const { path, digest } = givenFile(modelPath(modelName));
  const shards = shardsOf(inputs, shardSize);
  // Refuses a pipe that contradicts the options, and empty input, before a folder records them.
  const first = await shards.next();
  if (first.done === true) throw new InputError('no text, but white space', { file: paths[0] ?? filesFrom });
  const folder = await CorpusFolder.begin(output, {
    version: packageVersion(),
    model: { name: basename(path), digest },
    options: { ...options, shardSize, input: kind },
  });
  const { runShards } = await import('../../corpus/run.ts');
  const show = progress('shards', quiet);
  const started = performance.now();
  const figures = await stoppable(async (signal) => {
    const file = new URL('../../corpus/shard-worker.js', import.meta.url);
    const parsing = isQueued
      ? await queued({ name: path, path, digest }, options, flags, signal)
      : { file, data: { model: copy, options } };
    return runShards(folder, joined(first.value, shards), parsing, {
      jobs: jobs ?? (isQueued ? QUEUED_SHARDS : availableParallelism()),
      // Workers measure it themselves: the time in the queue does not count.
      timeout: isQueued ? undefined : timeout,
      slice,
      signal,
      onProgress: ({ done, total }) => show('parsing', done, total),
      onWarning: warn,
    });
  }).finally(clearProgress);
  printSummary(figures, (performance.now() - started) / 1000, output, flags);
}

async function* joined<T>(first: T, others: AsyncGenerator<T>): AsyncGenerator<T> {
  yield first;
  yield* others;
}

function checkInputs(
  { files, folders }: CorpusInputs,
  output: string,
  { include, field }: CorpusFlags,
): void {
  const parent = folders.find((folder) => isWithin(output, folder));
  if (parent !== undefined) throw new UsageError(`--output ${output} lies in the input ${parent}`);
  if (include !== undefined && folders.length === 0)
    throw new UsageError('--include chooses files of folders: no input is a folder');
  if (field !== undefined && files.every(({ kind }) => kind !== 'jsonl'))
    throw new UsageError('--field is for JSON Lines: no input is of that kind');
}

/** Whether a path, which need not exist, lies in a folder or is that folder, also through links. */
function isWithin(path: string, folder: string): boolean {
  const way = relative(realpathSync(folder), realPath(resolve(path)));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

const realPath = (path: string): string =>
  existsSync(path) ? realpathSync(path) : join(realPath(dirname(path)), basename(path));

/**
 * Reads and opens a model, to refuse an unusable one before any work. Returns undefined with a queue: only
 * its workers need the model.
 */
async function checkedModel(name: string, inputs: CorpusInputs, flags: CorpusFlags) {
  const model = readModelFile(name);
  checkModel(model, inputs, flags);
  const { openModel } = await import('../../corpus/parse-shard.ts');
  const copy = copyOf(model);
  await openModel(copy, flags.keep ?? []);
  return flags.queue === undefined ? copy : undefined;
}

async function queued(
  model: QueuedParsing['model'],
  options: ParsingOptions,
  { queue, store, timeout }: CorpusFlags,
  signal: AbortSignal,
) {
  const { queueServer, QueuedShards } = await withPackages(
    'parliament corpus --queue',
    'queue',
    async () => ({
      ...(await import('../../experiment/queue/server.ts')),
      ...(await import('../../corpus/queue/queued-shards.ts')),
    }),
  );
  const server = queueServer(queue!);
  return QueuedShards.open({ server, store, model, options, timeout, signal, onNotice: warn });
}

function checkModel(model: ModelReader, { files }: CorpusInputs, { keep = [] }: CorpusFlags): void {
  const file = model.name;
  if (isAnnotator(model)) throw new InputError('an annotator, expected a pipeline or a parser', { file });
  const hasTokenizer = isPipeline(model) && model.fields().texts('pipeline').includes('tokenizer');
  const text = files.find(({ kind }) => kind !== 'conllu');
  if (!hasTokenizer && text !== undefined) {
    throw new UsageError(
      `${file} has no tokenizer: it reads sentences (--input conllu), not ${text.path} (${text.kind})`,
    );
  }
  if (keep.length > 0 && !isPipeline(model)) throw new UsageError('--keep is for pipelines');
  if (keep.length > 0 && text !== undefined)
    throw new UsageError('--keep is for CoNLL-U: text has no annotation');
}

function printSummary(
  figures: CorpusFigures,
  seconds: number,
  output: string,
  { json, quiet }: CorpusFlags,
): void {
  const { shards, before, failed, sentences, words, skipped, withoutTree } = figures;
  const wordsPerSecond = words / seconds;
  if (failed.length > 0) process.exitCode = 1;
  if (json) printJson({ ...figures, seconds, wordsPerSecond });
  else if (!quiet) {
    const done = before === 0 ? '' : `, ${count(before)} of them before`;
    const text = `${plural(sentences, 'sentence')} of ${plural(words, 'word')} parsed in ${duration(seconds)}`;
    const shardsDone = `${plural(shards - failed.length, 'shard')} done${done}`;
    note(`${output}: ${shardsDone}; ${text} (${count(wordsPerSecond)} words/s)`);
  }
  if (skipped > 0) warn(`${output}: ${plural(skipped, 'malformed sentence')} left out`);
  if (withoutTree > 0) warn(`${output}: ${plural(withoutTree, 'sentence')} passed on without a tree`);
  if (failed.length > 0)
    warn(
      `${output}: ${plural(failed.length, 'shard')} left out: run the same command to try again; if you correct the input and its length changes, use another output folder`,
    );
}

function showStatus(folder: string, { json }: CorpusFlags) {
  const status = corpusStatus(folder);
  if (json) return printJson(status);
  const { done, total, isExact, failed, sentences, words, wordsPerSecond, secondsLeft } = status;
  const of = total === undefined ? '' : ` of ${isExact ? '' : 'about '}${count(total)}`;
  print(`${plural(done, 'shard')}${of} done by ${status.model}`);
  print(`${plural(sentences, 'sentence')}, ${plural(words, 'word')}`);
  if (wordsPerSecond !== undefined && secondsLeft !== 0) {
    const left = secondsLeft === undefined ? '' : `, about ${duration(secondsLeft)} left`;
    print(`${count(wordsPerSecond)} words/s${left}`);
  }
  for (const { shard, failed: why } of failed)
    print(`shard ${shard} failed: ${why.file}, byte ${why.byte}: ${why.problem}`);
}

async function joinShards(folder: string, output: string, { quiet, json }: CorpusFlags): Promise<void> {
  const corpus = CorpusFolder.open(folder);
  checkOutputs([{ path: output, name: '--output' }], corpus.files);
  const figures = await withProgress('joining', 'shards', quiet, (onProgress) =>
    mergeShards(folder, output, onProgress),
  );
  if (json) printJson(figures);
  else if (!quiet)
    note(`${output}: ${plural(figures.sentences, 'sentence')} of ${plural(figures.shards, 'shard')}`);
}
