import { Overrides } from '../../annotators/overrides.ts';
import { fillsColumns, isPipeline } from '../../annotators/registry.ts';
import { copyOf, type ModelCopy, readCopy } from '../../parsers/registry.ts';
import type { ThreadedParser } from '../../parsers/run/parse-batches.ts';
import { InputError, UsageError } from '../../src/errors.ts';
import { withoutFolders } from '../../src/files/given-file.ts';
import { Calibration } from '../../src/learn/calibration.ts';
import { readModelFile, writeModelFile } from '../../src/model/model-file.ts';
import { checkVersion, type ModelReader } from '../../src/model/model-reader.ts';
import { ModelWriter, type SaveOptions } from '../../src/model/model-writer.ts';
import { packageVersion } from '../../src/platform/package.ts';
import type { AboutModel } from '../../src/training/about-model.ts';
import type { NamedScores } from '../../src/training/training-run.ts';
import { type KeepName, methodNames } from '../names.ts';
import { loadWeighting, saveWeighting } from '../vote/weights/saved-weighting.ts';
import { type PartialVote, Pipeline } from './pipeline.ts';
import { isParserPart, openPart, type PipelinePart } from './pipeline-part.ts';

/**
 * Writes a pipeline as one file, whole or not at all; each part as in a file of its own. The same parts and `about` give
 * the same bytes.
 *
 * @throws InputError if it cannot be written
 */
export function savePipeline(
  path: string,
  pipeline: Pipeline,
  about: AboutModel<NamedScores> = {},
  saving: SaveOptions = {},
): void {
  if (!(pipeline instanceof Pipeline))
    throw new UsageError('savePipeline takes a pipeline: makePipeline makes one');
  writeModelFile(path, pipelineWriter(pipeline, about), saving);
}

/** The model file of a pipeline. */
export function pipelineWriter(pipeline: Pipeline, about: AboutModel<NamedScores> = {}): ModelWriter {
  const { seed, train, dev, scores } = about;
  const options = withoutFolders(about.options);
  const writer = new ModelWriter();
  const names = namesOf(pipeline.parts);
  const version = packageVersion();
  Object.assign(writer.header, { pipeline: names, version, options, seed, train, dev, scores });
  if (pipeline.vote !== undefined) {
    const { weighting, method, singleRoot, calibration } = pipeline.vote;
    writer.header.vote = { method, singleRoot, calibration };
    saveWeighting(weighting, writer);
  }
  for (const [i, part] of pipeline.parts.entries()) part.write(writer.part(names[i]));
  return writer;
}

/** Names of the parts in the file: `tokenizer`, `tagger`, `lemmatizer`, `parser`, or `parser-1`, `parser-2`, … */
function namesOf(parts: readonly PipelinePart[]): string[] {
  const parsers: readonly PipelinePart[] = parts.filter(isParserPart);
  return parts.map((part) => {
    if ('task' in part.model) return part.model.task;
    return parsers.length === 1 ? 'parser' : `parser-${parsers.indexOf(part) + 1}`;
  });
}

/**
 * Opens a pipeline written by `savePipeline`.
 *
 * @throws InputError if it cannot be read, is damaged, has a newer format, or is no pipeline
 */
export async function loadPipeline(path: string): Promise<Pipeline> {
  return openPipeline(readModelFile(path));
}

/** Opens the pipeline of a model; throws `InputError` if it holds none. */
export async function openPipeline(model: ModelReader): Promise<Pipeline> {
  checkVersion(model);
  if (!isPipeline(model)) throw new InputError('one model, expected a pipeline', { file: model.name });
  const names = model.fields().texts('pipeline');
  if (new Set(names).size < names.length) model.refuse('header field pipeline: names a part twice');
  const opened = await Promise.all(names.map((name) => openPart(model.part(name))));
  const parts = opened.map((part) => overridden(part, model));
  const parsers = parts.filter(isParserPart).length;
  try {
    return new Pipeline(parts, model.fields().has('vote') ? voteOf(model, parsers) : undefined);
  } catch (error) {
    if (error instanceof UsageError) return model.refuse(error.message);
    throw error;
  }
}

/** The part with the lexicon of the pipeline, which overrides predictions (`Overrides`). */
function overridden(part: PipelinePart, pipeline: ModelReader): PipelinePart {
  const { model } = part;
  if (!('task' in model) || !fillsColumns(model)) return part;
  return { ...part, model: Overrides.applied(model, pipeline) };
}

function voteOf(model: ModelReader, parsers: number): PartialVote {
  const fields = model.fields('vote');
  return {
    weighting: loadWeighting(model, parsers),
    method: fields.has('method') ? fields.choice('method', methodNames) : undefined,
    singleRoot: fields.has('singleRoot') ? fields.flag('singleRoot') : undefined,
    calibration: fields.has('calibration') ? Calibration.load(fields.fields('calibration')).data : undefined,
  };
}

/** A pipeline in a form that can be sent to other threads, and the columns of its input that they keep. */
export interface PipelineCopy extends ModelCopy {
  readonly keep: readonly KeepName[];
}

/** A pipeline that parses in any number of threads; `model` is its model. */
export function threadedPipeline(
  pipeline: Pipeline,
  model: ModelReader,
  keep: readonly KeepName[] = [],
): ThreadedParser {
  const data: PipelineCopy = { ...copyOf(model), keep };
  const file = new URL('./pipeline-worker.js', import.meta.url);
  return { load: async () => pipeline.sentenceParser(keep), worker: { file, data }, files: [model.name] };
}

/** Opens a pipeline in the receiving thread. */
export async function openPipelineCopy(copy: ModelCopy): Promise<Pipeline> {
  return openPipeline(await readCopy(copy));
}
