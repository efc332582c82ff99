/** Scores, comparisons and significance tests. */

export { type Agreement, agreement, type Shares, type UniqueAnswers } from '../src/evaluate/agreement.ts';
export type {
  ComparedTree,
  OtherSplit,
  OwnWord,
  SplitSentence,
} from '../src/evaluate/alignment/counterpart.ts';
export { AttachmentCounts, type IllFormed } from '../src/evaluate/attachment/attachment-counts.ts';
export type { SeenTags } from '../src/evaluate/attachment/column-counts.ts';
export type { PunctuationChoice, PunctuationRuleName } from '../src/evaluate/attachment/punctuation.ts';
export type { BucketScores } from '../src/evaluate/breakdowns/breakdown.ts';
export type { BreakdownName } from '../src/evaluate/breakdowns/buckets.ts';
export type { Reliability, ReliabilityBin } from '../src/evaluate/breakdowns/reliability.ts';
export type { ComparedSentence } from '../src/evaluate/compared-sentence.ts';
export { type ComparedTreebanks, type CompareOptions, compare } from '../src/evaluate/comparison/compare.ts';
export {
  type BracketErrors,
  type ComparedPhraseParser,
  comparePhrases,
  type PhraseComparison,
  type RelabelledBrackets,
} from '../src/evaluate/comparison/compare-phrases.ts';
export type {
  ArcKind,
  ComparedPair,
  ComparedParser,
  Comparison,
  DifferingSentence,
  ErrorAnalysis,
  ErrorCounts,
  LabelConfusion,
  PairTests,
  Ranking,
  Significance,
  TestResult,
  TokenPlace,
  WrongArcPattern,
  WrongWord,
} from '../src/evaluate/comparison/comparison.ts';
export { type MetricName, metricNames } from '../src/evaluate/comparison/metrics.ts';
export type { TestedPair } from '../src/evaluate/comparison/ranking.ts';
export type { TestOptions } from '../src/evaluate/comparison/significance.ts';
export type { CorrectCounts, EvaluateOptions, EvaluationReport } from '../src/evaluate/evaluate.ts';
export { evaluate } from '../src/evaluate/evaluate.ts';
export type { Sentences } from '../src/evaluate/lock-step.ts';
export type { ScoredTree } from '../src/evaluate/parseval/flat-tree.ts';
export type {
  PhraseBreakdownName,
  PhraseBucketScores,
  PhraseFigures,
  PhraseOptions,
  PhraseReport,
  PhraseTrees,
} from '../src/evaluate/parseval/score-phrases.ts';
export { scorePhrases } from '../src/evaluate/parseval/score-phrases.ts';
export type { PhraseScorerName } from '../src/evaluate/parseval/scorers.ts';
export type { PrecisionRecall } from '../src/evaluate/percent.ts';
export { type McNemarResult, mcnemar } from '../src/evaluate/significance/mcnemar.ts';
export { type Outcomes, type TokenOutcomes, tokenOutcomes } from '../src/evaluate/significance/outcomes.ts';
export {
  type BootstrapResult,
  bootstrapScores,
  holm,
  type Interval,
  type PValues,
  pairedBootstrap,
  type ResamplingOptions,
  type SentenceCounts,
  type ShufflingResult,
  stratifiedShuffling,
} from '../src/evaluate/significance/resampling.ts';
