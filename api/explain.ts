/** Explanations of how a parser found its tree, and of errors. */

export type { KindOfError, TemplateReason, WrongToken } from '../src/explain/error-reasons.ts';
export { ErrorReasons } from '../src/explain/error-reasons.ts';
export {
  explanationSchema,
  type ParseExplanation,
  type PcfgExplanation,
  type PipelineExplanation,
  type SpansExplanation,
  type VoteParseExplanation,
} from '../src/explain/explanation.ts';
export type {
  BigramExplanation,
  GraphExplanation,
  MatrixExplanation,
  NetworkExplanation,
} from '../src/explain/matrix.ts';
export type { ExplainRequest } from '../src/explain/request.ts';
export type { Alternative, Contribution, Decision } from '../src/explain/shared.ts';
export type { TransitionExplanation, YamadaMatsumotoExplanation } from '../src/explain/steps.ts';
