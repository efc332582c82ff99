import { createHash } from 'node:crypto';
import { annotated } from '../../annotators/jackknife/annotated.ts';
import type { TrainedAnnotator } from '../../annotators/train-annotator.ts';
import { OptionError } from '../../src/errors.ts';
import { readModelFile } from '../../src/model/model-file.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';
import { columnTitles } from '../../src/treebank/columns/names.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import type { TrainedParser } from '../train-parser.ts';
import { type EnsembleOptions, makeEnsemble } from '../vote/ensemble/make-ensemble.ts';
import { isPipeline } from './is-pipeline.ts';
import { Pipeline, type PipelineVote } from './pipeline.ts';
import { isParserPart, openPart, type PipelinePart, partOf } from './pipeline-part.ts';
import { openPipeline } from './saved-pipeline.ts';

/** A model's file, a model that is open, or what has just been trained. */
export type PipelineSource = string | ModelReader | TrainedAnnotator | TrainedParser;

/**
 * Puts models together: a tokenizer, a tagger, a lemmatizer, a parser, in any order, each of which may be missing;
 * of several parsers a vote. Of a pipeline among them all parts are taken over; annotators that several have in common,
 * byte for byte, once.
 *
 * @param options how several parsers vote: with the weights that are learnt on `dev`, whose columns the pipeline
 *   fills first, or else with equal ones
 * @throws UsageError for fewer than two models, two that do the same, and votes that cannot be
 * @throws InputError for models and sentences that cannot be read
 */
export async function makePipeline(
  sources: readonly PipelineSource[],
  options: EnsembleOptions = {},
): Promise<Pipeline> {
  const opened = await Promise.all(sources.map(openSource));
  const parts = withoutRepeats(opened.flatMap((source) => source.parts));
  const pipeline = new Pipeline(parts);
  for (const warning of lacks(pipeline)) options.onWarning?.(warning);
  const count = pipeline.parsers.length;
  const asked = (['dev', 'weighting', 'method', 'singleRoot'] as const).find(
    (name) => options[name] !== undefined,
  );
  if (count < 2 && asked !== undefined) {
    throw new OptionError(
      (option) => `${option(asked)}: ${count === 0 ? 'no parser' : 'one parser'}, a vote takes several`,
    );
  }
  if (count < 2) return pipeline;
  return new Pipeline(parts, await voteOf(pipeline, opened, options));
}

interface OpenSource {
  readonly parts: readonly PipelinePart[];
  readonly vote?: PipelineVote | undefined;
}

async function openSource(source: PipelineSource): Promise<OpenSource> {
  if (typeof source === 'string') return openSource(readModelFile(source));
  if (!(source instanceof ModelReader)) return { parts: [partOf(source)] };
  return isPipeline(source) ? openPipeline(source) : { parts: [await openPart(source)] };
}

/** The parts without the annotators that are among those before them. */
function withoutRepeats(parts: readonly PipelinePart[]): PipelinePart[] {
  const known = new Set<string>();
  return parts.filter((part) => {
    if (isParserPart(part)) return true;
    const digest = digestOf(part);
    const isNew = !known.has(digest);
    known.add(digest);
    return isNew;
  });
}

/** SHA-256 (hex) of the file that a part would make. */
function digestOf(part: PipelinePart): string {
  const writer = new ModelWriter();
  part.write(writer);
  const hash = createHash('sha256');
  for (const chunk of writer.chunks()) hash.update(chunk);
  return hash.digest('hex');
}

/** How the parsers of a pipeline are to vote: as is asked for, or else as in the pipeline that they were taken from. */
async function voteOf(
  pipeline: Pipeline,
  opened: readonly OpenSource[],
  options: EnsembleOptions,
): Promise<PipelineVote> {
  const before = opened.find(({ vote }) => vote !== undefined)?.vote;
  const { dev, weighting, method = before?.method, singleRoot = before?.singleRoot, onWarning } = options;
  if (dev === undefined && weighting === undefined && before !== undefined) {
    if (opened.filter(({ parts }) => parts.some(isParserPart)).length === 1)
      return { ...before, method, singleRoot };
    onWarning?.('more parsers than the weights of the vote are for: all weigh the same');
  }
  const members = pipeline.parsers.map(({ model }) => model);
  const gold = typeof dev === 'string' ? await openTreebank(dev) : dev;
  // Their columns as the pipeline itself fills them.
  const { vote } = await makeEnsemble(members, {
    ...options,
    dev: gold && annotated(gold, pipeline.annotators),
  });
  return { weighting: vote.weighting, method, singleRoot, calibration: vote.calibration };
}

/** What parts read and no part fills, a line each. */
function lacks(pipeline: Pipeline): string[] {
  const titles = new Intl.ListFormat('en-GB');
  const names = (columns: readonly (keyof typeof columnTitles)[]) =>
    titles.format(columns.map((column) => columnTitles[column]));
  const ofParsers = pipeline.parsers.flatMap(({ name, model: { reads } }) => {
    const lacking = reads.filter((column) => !pipeline.fills(column));
    return lacking.length === 0 ? [] : `${name} reads ${names(lacking)}, which nothing in the pipeline fills`;
  });
  // What annotators look at need not all be there.
  const ofAnnotators = pipeline.annotators
    .filter(({ reads }) => reads.length > 0 && !reads.some((column) => pipeline.fills(column)))
    .map(({ task, reads }) => `the ${task} reads ${names(reads)}, which nothing in the pipeline fills`);
  return [...ofAnnotators, ...ofParsers].map((lack) => `${lack}: only input that has them is parsed well`);
}
