/**
 * The main entry point, with what most programs need; `parliament/train`, `parliament/vote` and the other files of `api/`
 * export the rest. See docs/api.md for examples.
 */

export type { Annotator, ColumnAnnotator, Tokenizer } from './api/annotate.ts';
export { loadAnnotator, saveAnnotator, trainAnnotator } from './api/annotate.ts';
export type {
  CompareOptions,
  Comparison,
  EvaluateOptions,
  EvaluationReport,
  PhraseReport,
} from './api/evaluate.ts';
export { compare, evaluate, scorePhrases } from './api/evaluate.ts';
export { type ExperimentTable, runExperiment } from './api/experiment.ts';
export type { ParseExplanation } from './api/explain.ts';
export type {
  Parse,
  ParseFigures,
  ParseFileOptions,
  ParseOptions,
  Parser,
  ParserImplementation,
} from './api/parse.ts';
export { loadParser, parseFile, saveParser } from './api/parse.ts';
export {
  loadPipeline,
  makePipeline,
  Pipeline,
  parseWithPipeline,
  savePipeline,
  type TrainedPipeline,
  trainPipeline,
} from './api/pipeline.ts';
export {
  comparisonPage,
  drawPhraseTree,
  drawTree,
  explanationPage,
  phraseTreeToSvg,
  textTable,
  treeToSvg,
} from './api/report.ts';
export {
  Catalogue,
  type DependencyTree,
  formatBrackets,
  formatSentence,
  InputError,
  inMemory,
  isProjective,
  isTree,
  openTreebank,
  type PhraseTree,
  parseBrackets,
  readSentences,
  type Sentence,
  sentenceOf,
  type Token,
  type Treebank,
  type TreebankFormat,
  treebankStatistics,
  UsageError,
} from './api/treebank.ts';
export {
  type Ballot,
  Ensemble,
  ensembleOf,
  equalWeighting,
  givenWeighting,
  learnWeighting,
  makeEnsemble,
  Vote,
  type VoteOptions,
  voteFiles,
} from './api/vote.ts';
// From their own files: `api/train.ts` loads the training code of every paradigm, which is loaded here when it is needed.
export { trainStacked } from './combine/stack/train-stacked.ts';
export { type TrainedParser, type TrainParserOptions, trainParser } from './combine/train-parser.ts';
export type { Paradigm } from './parsers/parser.ts';
export type { ParadigmName, ParadigmOptions } from './parsers/registry.ts';
export { findParadigm, paradigmNames, registerParadigm } from './parsers/registry.ts';
export type { TrainingProgress } from './src/training/training-run.ts';
