import { createHash } from 'node:crypto';
import { isAnnotator, isPipeline } from '../../annotators/registry.ts';
import { annotatorChooser, taskModule } from '../../annotators/train-annotator.ts';
import { findParadigm, paradigmFile } from '../../parsers/registry.ts';
import type { ParseBatchesOptions, ThreadedParser } from '../../parsers/run/parse-batches.ts';
import { modelParser, parseBatches } from '../../parsers/run/parse-batches.ts';
import type { SentenceSource } from '../../parsers/run/parse-file.ts';
import { InputError, OptionError } from '../../src/errors.ts';
import { Store } from '../../src/files/store.ts';
import { STANDARD_STREAM, TextFile, TextStart } from '../../src/files/text-file.ts';
import { readModelFile } from '../../src/model/model-file.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import { modelBytes } from '../../src/model/model-writer.ts';
import { moduleFile, programFrom } from '../../src/program-digest.ts';
import { type Silver, shareDone } from '../../src/training/training-run.ts';
import type { TextBatch } from '../../src/treebank/sentence.ts';
import { makePipeline } from '../pipeline/make-pipeline.ts';
import { sentencesOf } from '../pipeline/parse-with-pipeline.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { openPipeline, pipelineWriter } from '../pipeline/saved-pipeline.ts';
import { threadedPipeline } from '../pipeline/threaded-pipeline.ts';
import type { TrainPipelineOptions } from '../pipeline/training/options.ts';
import { type TrainedPipeline, trainPipeline } from '../pipeline/training/train-pipeline.ts';
import type { TrainedParser, TrainingTreebank } from '../train-parser.ts';
import { openTrainingTreebanks, trainParser } from '../train-parser.ts';
import { SilverTrees, TextSelection } from './silver-trees.ts';

export interface DistilOptions
  extends Omit<TrainPipelineOptions, 'options' | 'annotators' | 'silver'>,
    Pick<Silver, 'weight' | 'goldEpochs'> {
  /** Models of the teacher: a pipeline, or parsers and annotators; several parsers vote. */
  readonly teacher: readonly string[];
  /** Files of raw text; for a teacher without tokenizer, of sentences with the columns that it reads. */
  readonly text: readonly string[];
  readonly student: { readonly parser: string; readonly options?: object | undefined };
  /** Tags and lemmas of the treebank that the student learns from, and folds to tag it: see `pipelineOptions`. */
  readonly tags?: string | undefined;
  readonly folds?: number | undefined;
  /** File of word vectors for a student that is a network. */
  readonly vectors?: string | undefined;
  /** The most words of text to parse; default: all. */
  readonly words?: number | undefined;
  /** Least mean confidence of a sentence; default: 0, all sentences. */
  readonly least?: number | undefined;
  readonly encoding?: string | undefined;
}

/**
 * Trains a parser, the student, on a treebank and on the trees that another, the teacher, finds in raw text (uptraining:
 * Petrov et al. 2010). Of a teacher with annotators the student takes these over: both are a pipeline. The same data,
 * options and seed give the same student, byte for byte, whatever `jobs` and whatever was kept from before.
 *
 * @throws UsageError for unknown or contradictory options
 * @throws InputError for models, texts and treebanks that cannot be used
 */
export async function distil(
  treebank: TrainingTreebank,
  options: DistilOptions,
): Promise<TrainedPipeline | TrainedParser> {
  const { teacher: _, text: __, student, words, least: ___, encoding: ____, ...rest } = options;
  const { tags, folds, vectors, weight, goldEpochs, dev: heldOut, ...run } = rest;
  const paradigm = await findParadigm(student.parser);
  const teacher = await openTeacher(options.teacher);
  const annotators = annotatorsOf(teacher.model);
  const stray = Object.entries({ tags, vectors }).find(([, value]) => value !== undefined);
  if (annotators.length === 0 && stray !== undefined)
    throw new OptionError((option) => `${option(...stray)}: the teacher has no annotators`);
  const { train, dev } = await openTrainingTreebanks(paradigm, treebank, heldOut, undefined);
  const selection = new TextSelection(words);
  for (const known of [train, ...(dev === undefined ? [] : [dev])]) await selection.exclude(known);
  const trees = await parsedText(teacher, selection, options);
  const learning = { ...run, dev, silver: { treebank: trees, weight, goldEpochs } };
  if (annotators.length > 0) {
    const planned = { parser: student.parser, parserOptions: student.options, tags, folds, vectors };
    return trainPipeline(train, { ...learning, options: planned, annotators });
  }
  return trainParser(paradigm, train, {
    ...learning,
    seed: run.seed ?? 1,
    jobs: run.jobs ?? 1,
    options: student.options ?? {},
    onProgress: (training) => run.onProgress?.({ part: 'parser', share: shareDone(training), training }),
  });
}

interface Teacher {
  readonly model: ModelReader;
  readonly pipeline: Pipeline | undefined;
}

async function openTeacher(paths: readonly string[]): Promise<Teacher> {
  const models = paths.map((path) => readModelFile(path));
  const [first, ...others] = models;
  if (others.length === 0)
    return { model: first, pipeline: isPipeline(first) ? await openPipeline(first) : undefined };
  const pipeline = await makePipeline(models);
  const model = ModelReader.fromBuffer(modelBytes(pipelineWriter(pipeline)), paths.join(' + '));
  return { model, pipeline };
}

function annotatorsOf(model: ModelReader): ModelReader[] {
  return model.partNames.map((name) => model.part(name)).filter(isAnnotator);
}

async function parsedText(teacher: Teacher, selection: TextSelection, options: DistilOptions) {
  const { text: files, least = 0, jobs = 1, store, onNotice, onWarning } = options;
  const { model, pipeline } = teacher;
  const threaded = pipeline === undefined ? modelParser(model) : threadedPipeline(pipeline, model);
  const starts = files.map((file) => new TextStart(new TextFile(file, options.encoding, false)));
  const sources = await Promise.all(starts.map((start) => sentencesOf(start, pipeline?.tokenizer, {})));
  const [{ format, isText }] = sources;
  const digest = createHash('sha256').update(new Uint8Array(model.buffer)).digest('hex');
  const parsing = { format, isText, skipInvalid: false, confidence: least > 0, jobs, onWarning };
  const origin = [programOf(model), digest];
  const texts: string[] = [];
  const batches = batchesOf(sources, selection, options);
  for await (const text of parsedGroups(threaded, batches, { ...parsing, store, origin })) texts.push(text);
  options.onProgress?.({ part: 'text', share: 1, isOver: true });
  const trees = new SilverTrees(files, texts);
  const { sentences, words, heldOut } = selection;
  const chosen = least > 0 ? trees.choose(least) : sentences;
  onNotice?.(`${sentences} sentences of ${words} words parsed, ${chosen} to learn from`);
  const why = 'they are also in the treebank or the held-out data';
  if (heldOut > 0) onNotice?.(`${heldOut} sentences left out of the text: ${why}`);
  return trees;
}

async function* batchesOf(
  sources: readonly SentenceSource[],
  selection: TextSelection,
  { text, words, encoding, signal, onProgress }: DistilOptions,
): AsyncGenerator<TextBatch> {
  const isText = sources.every((source) => source.isText) && !text.includes(STANDARD_STREAM);
  const letters = words === undefined && isText ? await lettersIn(text, encoding) : undefined;
  for (const source of sources) {
    for await (const batch of selection.batches(source)) {
      signal?.throwIfAborted();
      const share = words === undefined ? selection.letters / (letters ?? Infinity) : selection.words / words;
      onProgress?.({ part: 'text', share: Math.min(1, share) });
      yield batch;
    }
  }
}

/** Counts characters other than white space. */
async function lettersIn(files: readonly string[], encoding: string | undefined): Promise<number> {
  let count = 0;
  for (const file of files)
    for await (const chunk of new TextFile(file, encoding, false).chunks())
      count += chunk.replace(/\s+/g, '').length;
  return count;
}

function programOf(model: ModelReader): object {
  const parts = model.partNames.length === 0 ? [model] : model.partNames.map((name) => model.part(name));
  const modules = parts.map((part) => {
    const fields = part.fields();
    return isAnnotator(part) ? taskModule(fields.text('annotator')) : paradigmFile(fields.text('paradigm'));
  });
  const worker = moduleFile('combine/pipeline/pipeline-worker');
  return programFrom([worker, ...modules], new Set([annotatorChooser, moduleFile('parsers/registry')]));
}

/** Sentences in a group: seconds of work that a killed program loses. */
const GROUP = 1000;

interface Group {
  readonly name: string;
  readonly isKept: boolean;
  /** Number of its batches that are not parsed yet. */
  left: number;
  text: string;
}

interface GroupOptions extends Omit<ParseBatchesOptions, 'to'> {
  /** A folder that keeps parsed groups; undefined: none are kept. */
  readonly store: string | undefined;
  /** What trees depend on besides the sentences, as JSON data. */
  readonly origin: readonly unknown[];
}

/** Parses batches in groups, and yields each group as CoNLL-U; one that is kept from before is not parsed again. */
export async function* parsedGroups(
  threaded: ThreadedParser,
  batches: AsyncIterable<TextBatch>,
  { store: folder, origin, ...options }: GroupOptions,
): AsyncGenerator<string> {
  const store = folder === undefined ? undefined : await Store.open(folder);
  const groups: Group[] = [];
  async function* missing(): AsyncGenerator<TextBatch> {
    for await (const group of grouped(batches)) {
      const text = group.map((batch) => batch.text).join('');
      const data = JSON.stringify([origin, options.confidence, text]);
      const name = `${createHash('sha256').update(data).digest('hex')}.conllu`;
      const kept = store?.read(name)?.toString();
      groups.push({ name, isKept: kept !== undefined, left: group.length, text: kept ?? '' });
      if (kept === undefined) yield* group;
    }
  }
  for await (const { text, fault } of parseBatches(threaded, missing(), { ...options, to: 'conllu' })) {
    if (fault !== undefined) throw new InputError(fault.problem, fault.place);
    while (groups[0].isKept) yield groups.shift()!.text;
    const [group] = groups;
    group.text += text;
    group.left--;
    if (group.left > 0) continue;
    store?.write(group.name, Buffer.from(group.text));
    yield groups.shift()!.text;
  }
  for (const { text } of groups) yield text;
}

async function* grouped(batches: AsyncIterable<TextBatch>): AsyncGenerator<TextBatch[]> {
  let group: TextBatch[] = [];
  let sentences = 0;
  for await (const batch of batches) {
    group.push(batch);
    sentences += batch.sentences?.length ?? 0;
    if (sentences < GROUP) continue;
    yield group;
    group = [];
    sentences = 0;
  }
  if (group.length > 0) yield group;
}
