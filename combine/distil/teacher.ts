import { isAnnotator, isPipeline } from '../../annotators/registry.ts';
import { annotatorRegistry, taskModule } from '../../annotators/train-annotator.ts';
import { paradigmFile } from '../../parsers/registry.ts';
import type { ParseBatchesOptions, ThreadedParser } from '../../parsers/run/parse-batches.ts';
import { modelParser, parseBatches } from '../../parsers/run/parse-batches.ts';
import type { SentenceSource } from '../../parsers/run/parse-file.ts';
import { digestOf, jsonDigest } from '../../src/digest.ts';
import { InputError } from '../../src/errors.ts';
import { Store } from '../../src/files/store.ts';
import { STANDARD_STREAM, TextFile, TextStart } from '../../src/files/text-file.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import { modelBytes } from '../../src/model/model-writer.ts';
import { moduleFile, programFrom } from '../../src/program-digest.ts';
import type { RunOptions } from '../../src/training/training-run.ts';
import { asBlock } from '../../src/treebank/columns/comments.ts';
import type { TextBatch } from '../../src/treebank/sentence.ts';
import { makePipeline } from '../pipeline/make-pipeline.ts';
import { sentencesOf } from '../pipeline/parse-with-pipeline.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { openPipeline, pipelineWriter, threadedPipeline } from '../pipeline/saved-pipeline.ts';
import type { TrainPipelineOptions } from '../pipeline/training/options.ts';
import type { EnsembleOptions } from '../vote/ensemble.ts';
import { SilverTrees, type TextSelection } from './silver-trees.ts';

/** Options for parsing text with a teacher. */
export interface TextOptions
  extends RunOptions<'jobs' | 'signal'>,
    Pick<TrainPipelineOptions, 'store' | 'onWarning' | 'onProgress'> {
  /** Files of raw text; if the teacher has no tokenizer, of sentences with the columns that it reads. */
  readonly text: readonly string[];
  readonly encoding?: string | undefined;
  /** Maximum number of words to parse; default: all. */
  readonly words?: number | undefined;
  /**
   * Minimum mean arc confidence. It sets the number of sentences to learn from; they are the most confident ones of each
   * length. Default: 0, all sentences.
   */
  readonly least?: number | undefined;
}

/** The model whose trees a student learns from. */
export interface Teacher {
  readonly model: ModelReader;
  readonly pipeline: Pipeline | undefined;
}

/**
 * Opens a teacher: one model, or several bundled into a pipeline.
 *
 * @param vote how several parsers vote; default: as in a pipeline among the models, or with weights by paradigm
 */
export async function openTeacher(models: readonly ModelReader[], vote?: EnsembleOptions): Promise<Teacher> {
  const [first, ...others] = models;
  if (others.length === 0)
    return { model: first, pipeline: isPipeline(first) ? await openPipeline(first) : undefined };
  const pipeline = await makePipeline(models, vote);
  const name = models.map((model) => model.name).join(' + ');
  return { model: ModelReader.fromBuffer(modelBytes(pipelineWriter(pipeline)), name), pipeline };
}

/** The annotators of a pipeline model; none of a parser. */
export function annotatorsOf(model: ModelReader): ModelReader[] {
  return model.partNames.map((name) => model.part(name)).filter(isAnnotator);
}

/** Parses the selected sentences of the text. */
export async function parsedText(
  { model, pipeline }: Teacher,
  selection: TextSelection,
  options: TextOptions,
  part = 'text',
): Promise<SilverTrees> {
  const { text: files, least = 0, jobs = 1, store, onWarning } = options;
  const threaded = pipeline === undefined ? modelParser(model) : threadedPipeline(pipeline, model);
  const starts = files.map((file) => new TextStart(new TextFile(file, options.encoding, false)));
  const sources = await Promise.all(starts.map((start) => sentencesOf(start, pipeline?.tokenizer, {})));
  const [{ format, isText }] = sources;
  const digest = digestOf([new Uint8Array(model.buffer)]);
  const parsing = { format, isText, skipInvalid: false, confidence: least > 0, jobs, onWarning };
  const origin = [programOf(model), digest];
  const texts: string[] = [];
  const batches = batchesOf(sources, selection, options, part);
  for await (const text of parsedGroups(threaded, batches, { ...parsing, store, origin })) texts.push(text);
  options.onProgress?.({ part, share: 1, isOver: true });
  return new SilverTrees(files, texts, pipeline?.tokenizer?.normalization);
}

async function* batchesOf(
  sources: readonly SentenceSource[],
  selection: TextSelection,
  { text, words, encoding, signal, onProgress }: TextOptions,
  part: string,
): AsyncGenerator<TextBatch> {
  const isText = sources.every((source) => source.isText) && !text.includes(STANDARD_STREAM);
  const characters = words === undefined && isText ? await charactersIn(text, encoding) : undefined;
  for (const source of sources) {
    for await (const batch of selection.batches(source)) {
      signal?.throwIfAborted();
      const share =
        words === undefined ? selection.characters / (characters ?? Infinity) : selection.words / words;
      onProgress?.({ part, share: Math.min(1, share) });
      yield batch;
    }
  }
}

/** Counts characters other than white space. */
async function charactersIn(files: readonly string[], encoding: string | undefined): Promise<number> {
  let count = 0;
  for (const file of files)
    for await (const chunk of new TextFile(file, encoding, false).chunks())
      count += chunk.replace(/\s+/g, '').length;
  return count;
}

/** Identifies the code that the parsers and annotators of a model run: their cached results depend on it. */
export function programOf(model: ModelReader): object {
  const parts = model.partNames.length === 0 ? [model] : model.partNames.map((name) => model.part(name));
  const modules = parts.map((part) => {
    const fields = part.fields();
    return isAnnotator(part) ? taskModule(fields.text('annotator')) : paradigmFile(fields.text('paradigm'));
  });
  const worker = moduleFile('combine/pipeline/pipeline-worker');
  return programFrom([worker, ...modules], new Set([annotatorRegistry, moduleFile('parsers/registry')]));
}

/** Sentences per group: the unit of caching, some seconds of work. */
const GROUP = 1000;

interface Group {
  readonly name: string;
  readonly isCached: boolean;
  /** Number of its batches that are not parsed yet. */
  left: number;
  text: string;
}

interface GroupOptions extends Omit<ParseBatchesOptions, 'to'> {
  /** A folder that caches parsed groups; undefined: no cache. */
  readonly store: string | undefined;
  /** All that the trees depend on besides the sentences, as JSON data. */
  readonly origin: readonly unknown[];
}

/** Parses batches in groups, and yields each group as CoNLL-U; cached groups are not parsed again. */
export async function* parsedGroups(
  threaded: ThreadedParser,
  batches: AsyncIterable<TextBatch>,
  { store: folder, origin, ...options }: GroupOptions,
): AsyncGenerator<string> {
  const store = await Store.open(folder);
  const groups: Group[] = [];
  async function* missing(): AsyncGenerator<TextBatch> {
    for await (const group of grouped(batches)) {
      const text = group.map((batch) => batch.text).join('');
      const name = `${jsonDigest([origin, options.confidence, text])}.conllu`;
      const cached = store?.read(name)?.toString();
      groups.push({ name, isCached: cached !== undefined, left: group.length, text: cached ?? '' });
      if (cached === undefined) yield* group;
    }
  }
  for await (const { text, fault } of parseBatches(threaded, missing(), { ...options, to: 'conllu' })) {
    if (fault !== undefined) throw new InputError(fault.problem, fault.place);
    while (groups[0].isCached) yield groups.shift()!.text;
    const [group] = groups;
    group.text += asBlock(text);
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
