import { annotated } from '../../annotators/jackknife/fold.ts';
import { isPipeline } from '../../annotators/registry.ts';
import type { TrainedAnnotator } from '../../annotators/train-annotator.ts';
import { checkFields } from '../../src/checks.ts';
import { digestOf } from '../../src/digest.ts';
import { OptionError } from '../../src/errors.ts';
import { readModelFile } from '../../src/model/model-file.ts';
import { ModelReader } from '../../src/model/model-reader.ts';
import { ModelWriter } from '../../src/model/model-writer.ts';
import { columnTitles } from '../../src/treebank/columns/names.ts';
import { treebankFrom, withDigest } from '../../src/treebank/treebanks.ts';
import type { TrainedParser } from '../train-parser.ts';
import { type EnsembleOptions, ensembleFields, makeEnsemble } from '../vote/ensemble.ts';
import { Pipeline, type PipelineVote } from './pipeline.ts';
import { isParserPart, openPart, type PipelinePart, partOf } from './pipeline-part.ts';
import { openPipeline } from './saved-pipeline.ts';

/** A model's file, an open model, or a model just trained. */
export type PipelineSource = string | ModelReader | TrainedAnnotator | TrainedParser;

/**
 * Bundles models into a pipeline: a tokenizer, a tagger, a lemmatizer and a parser, in any order, each of them optional;
 * several parsers vote. A pipeline among them contributes all of its parts; identical annotators are kept once.
 *
 * @param options how several parsers vote: with weights learned on `dev`, whose columns the pipeline fills first, or
 *   with weights by paradigm
 * @throws UsageError for fewer than two models, two with the same task, and impossible votes
 * @throws InputError for models and sentences that cannot be read
 */
export async function makePipeline(
  sources: readonly PipelineSource[],
  options: EnsembleOptions = {},
): Promise<Pipeline> {
  checkFields('makePipeline', options, ensembleFields);
  const opened = await Promise.all(sources.map(openSource));
  const parts = withoutRepeats(opened.flatMap((source) => source.parts));
  const pipeline = new Pipeline(parts);
  for (const warning of missingColumns(pipeline)) options.onWarning?.(warning);
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

/** Leaves out identical annotators. */
function withoutRepeats(parts: readonly PipelinePart[]): PipelinePart[] {
  const known = new Set<string>();
  return parts.filter((part) => {
    if (isParserPart(part)) return true;
    const writer = new ModelWriter();
    part.write(writer);
    const digest = digestOf(writer.chunks());
    const isNew = !known.has(digest);
    known.add(digest);
    return isNew;
  });
}

/** The vote that the options ask for; by default, as in the pipeline that the parsers were taken from. */
async function voteOf(pipeline: Pipeline, opened: readonly OpenSource[], options: EnsembleOptions) {
  const before = opened.find(({ vote }) => vote !== undefined)?.vote;
  const { dev, weighting, method = before?.method, singleRoot = before?.singleRoot, onWarning } = options;
  if (dev === undefined && weighting === undefined && before !== undefined) {
    if (opened.filter(({ parts }) => parts.some(isParserPart)).length === 1)
      return { ...before, method, singleRoot };
    onWarning?.('the weights of the vote are for fewer parsers: they are not used');
  }
  const members = pipeline.parsers.map(({ model }) => model);
  const gold = dev && withDigest(await treebankFrom(dev));
  // The members parse held-out sentences with the columns that the pipeline predicts.
  const filled = gold && annotated(gold, pipeline.annotators);
  const { vote } = await makeEnsemble(members, { ...options, method, singleRoot, dev: filled });
  return { weighting: vote.weighting, method, singleRoot, calibration: vote.calibration };
}

/** Warnings about columns that a part reads and no part fills. */
function missingColumns(pipeline: Pipeline): string[] {
  const titles = new Intl.ListFormat('en-GB');
  const names = (columns: readonly (keyof typeof columnTitles)[]) =>
    titles.format(columns.map((column) => columnTitles[column]));
  const ofParsers = pipeline.parsers.flatMap(({ name, model: { reads } }) => {
    const lacking = reads.filter((column) => !pipeline.fills(column));
    return lacking.length === 0 ? [] : `${name} reads ${names(lacking)}, which nothing in the pipeline fills`;
  });
  // Annotators can do without some of the columns that they read.
  const ofAnnotators = pipeline.annotators
    .filter(({ reads }) => reads.length > 0 && !reads.some((column) => pipeline.fills(column)))
    .map(({ task, reads }) => `the ${task} reads ${names(reads)}, which nothing in the pipeline fills`);
  return [...ofAnnotators, ...ofParsers].map((lack) => `${lack}: only input that has them is parsed well`);
}
