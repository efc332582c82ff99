/** Plain text to trees: annotators and a parser, or a vote, as one model. */

export { makePipeline, type PipelineSource } from '../combine/pipeline/make-pipeline.ts';
export { Pipeline, type PipelineSteps, type PipelineVote } from '../combine/pipeline/pipeline.ts';
export type { PipelinePart } from '../combine/pipeline/pipeline-part.ts';
export type { InputKind } from '../combine/pipeline/run/input-kinds.ts';
export { type PipelineFileOptions, parseWithPipeline } from '../combine/pipeline/run/parse-with-pipeline.ts';
export type { InputOptions } from '../combine/pipeline/run/pipeline-input.ts';
export { loadPipeline, openPipeline, savePipeline } from '../combine/pipeline/saved-pipeline.ts';
export type { KeepName } from '../combine/pipeline/sentence-annotation.ts';
export { type PipelineOptions, pipelineOptions } from '../combine/pipeline/training/options.ts';
export type { MetricScores, PipelineScores } from '../combine/pipeline/training/score-pipeline.ts';
export {
  type TrainedPipeline,
  type TrainPipelineOptions,
  trainPipeline,
} from '../combine/pipeline/training/train-pipeline.ts';
export type { PartProgress } from '../combine/training/part-progress.ts';
