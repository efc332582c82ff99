/** The public API of Parliament. */

export {
  type TrainedParser,
  type TrainParserOptions,
  trainParser,
} from './combine/train-parser.ts';
export { type Explanation, explainVote } from './combine/vote/analysis/explain.ts';
export { type EnsembleChoice, searchEnsemble } from './combine/vote/analysis/search.ts';
export { searchAndReport } from './combine/vote/analysis/search-report.ts';
export type { Ballot, GoldBallot } from './combine/vote/ballots.ts';
export { readGoldBallots, type VoteFilesOptions, voteFiles } from './combine/vote/files/vote-files.ts';
export { type MethodName, methodNames } from './combine/vote/methods/registry.ts';
export { Vote, type VoteOptions } from './combine/vote/vote.ts';
export { defaultWeightingName, learnWeighting } from './combine/vote/weights/learn-weighting.ts';
export { equalWeighting, givenWeighting } from './combine/vote/weights/member-weighting.ts';
export { type Weighting, type WeightingName, weightingNames } from './combine/vote/weights/weighting.ts';
export { type BigramOptions, bigramOptions } from './parsers/bigram/options.ts';
export { bigram } from './parsers/bigram/paradigm.ts';
export { type PcfgOptions, pcfgOptions } from './parsers/constituency/options.ts';
export { pcfg } from './parsers/constituency/paradigm.ts';
export type { GraphParser } from './parsers/graph/graph-parser.ts';
export { type GraphOptions, graphOptions } from './parsers/graph/options.ts';
export { graph } from './parsers/graph/paradigm.ts';
export type { Paradigm, Parse, Parser, ReadColumn } from './parsers/parser.ts';
export {
  allParadigms,
  findParadigm,
  openParser,
  paradigmNames,
  registerParadigm,
} from './parsers/registry.ts';
export { type ParseFigures, type ParseFileOptions, parseFile } from './parsers/run/parse-file.ts';
export { type AboutModel, loadParser, saveParser, type TreebankRecord } from './parsers/saved-parser.ts';
export { type TransitionOptions, transitionOptions } from './parsers/transition/options.ts';
export { transition } from './parsers/transition/paradigm.ts';
export { type YamadaMatsumotoOptions, yamadaMatsumotoOptions } from './parsers/yamada-matsumoto/options.ts';
export { yamadaMatsumoto } from './parsers/yamada-matsumoto/paradigm.ts';
export type { Decoder, DecoderOptions } from './src/decode/decoder.ts';
export { createDecoder, type DecoderName, decoderNames, decoders } from './src/decode/registry.ts';
export { InputError, type Place, UsageError } from './src/errors.ts';
export { type Agreement, agreement } from './src/evaluate/agreement.ts';
export { AttachmentCounts } from './src/evaluate/attachment/attachment-counts.ts';
export type { ComparedSentence } from './src/evaluate/compared-sentence.ts';
export { type CompareOptions, compare } from './src/evaluate/comparison/compare.ts';
export type { Comparison } from './src/evaluate/comparison/comparison.ts';
export { evaluate } from './src/evaluate/evaluate.ts';
export {
  type PhraseOptions,
  type PhraseReport,
  type PhraseTrees,
  scorePhrases,
} from './src/evaluate/parseval/score-phrases.ts';
export type { Examples } from './src/learn/svm/examples.ts';
export { SparseExamples } from './src/learn/svm/examples.ts';
export {
  type LiblinearModel,
  type LiblinearSolver,
  readLiblinearModel,
  writeLiblinearModel,
} from './src/learn/svm/files/liblinear-model.ts';
export { type Problem, readProblem, writeProblem } from './src/learn/svm/files/liblinear-problem.ts';
export type { LinearModel, LinearSvm } from './src/learn/svm/linear-model.ts';
export { trainLinearSvm } from './src/learn/svm/linear-svm.ts';
export type { SvmOptions } from './src/learn/svm/options.ts';
export { PolynomialFeatures } from './src/learn/svm/polynomial-features.ts';
export { trainPolynomialSvm } from './src/learn/svm/polynomial-svm.ts';
export { predict } from './src/learn/svm/predict.ts';
export { readModelFile, writeModelFile } from './src/model/model-file.ts';
export { ModelReader } from './src/model/model-reader.ts';
export { ModelWriter } from './src/model/model-writer.ts';
export {
  type ComparisonPageOptions,
  comparisonPage,
  type PageSection,
} from './src/report/html/comparison-page.ts';
export { phraseTreeToSvg } from './src/report/trees/phrase-svg.ts';
export { drawPhraseTree } from './src/report/trees/phrase-text.ts';
export { treeToSvg } from './src/report/trees/tree-svg.ts';
export { drawTree } from './src/report/trees/tree-text.ts';
export { CheckpointFile } from './src/training/checkpoint-file.ts';
export type { LinearTraining, SharedTraining, TrainedMember } from './src/training/linear-training.ts';
export type {
  CheckpointStore,
  EpochScores,
  TrainingProgress,
  TrainingRun,
} from './src/training/training-run.ts';
export { formatBrackets, parseBrackets } from './src/treebank/brackets/brackets.ts';
export type { BracketedSentence, PhraseTree } from './src/treebank/brackets/phrase-tree.ts';
export { type PhraseTreebank, phraseTrees } from './src/treebank/brackets/phrase-trees.ts';
export { Catalogue } from './src/treebank/catalogue/catalogue.ts';
export { formatSentence } from './src/treebank/columns/write.ts';
export { dependenciesOfPhrases } from './src/treebank/phrases/phrase-dependencies.ts';
export type { DependencyTree, Sentence, SentenceSource, Treebank } from './src/treebank/sentence.ts';
export { treebankStatistics } from './src/treebank/statistics.ts';
export { findCycle, isProjective, isTree, nonProjectiveArcs, roots } from './src/treebank/tree.ts';
export { openTreebank, type TreebankFile } from './src/treebank/treebank-file.ts';
