/** Pipelines from plain text to trees: annotators and a parser, or a vote, as one model. */

export type { InputKind, KeepName } from '../combine/names.ts';
export type { PartProgress } from '../combine/parser-part.ts';
export { makePipeline, type PipelineSource } from '../combine/pipeline/make-pipeline.ts';
export type { InputOptions } from '../combine/pipeline/parse-with-pipeline.ts';
export { type PipelineFileOptions, parseWithPipeline } from '../combine/pipeline/parse-with-pipeline.ts';
export {
  type PartialVote,
  Pipeline,
  type PipelineParseOptions,
  type PipelineSteps,
  type PipelineVote,
} from '../combine/pipeline/pipeline.ts';
export type { PipelinePart } from '../combine/pipeline/pipeline-part.ts';
export { loadPipeline, openPipeline, savePipeline } from '../combine/pipeline/saved-pipeline.ts';
export {
  type PipelineOptions,
  pipelineOptions,
  type TagSource,
  type TrainPipelineOptions,
} from '../combine/pipeline/training/options.ts';
export type { MetricScores, PipelineScores } from '../combine/pipeline/training/score-pipeline.ts';
export type { TrainedPipeline } from '../combine/pipeline/training/train-pipeline.ts';
export { trainPipeline } from '../combine/pipeline/training/train-pipeline.ts';
