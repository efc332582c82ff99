/** The public API of Parliament, by what it is for; docs/api.md shows it at work. */

// Learn and keep parsers

export { type StackingOptions, stackingOptions } from './combine/stack/options.ts';
export { type TrainStackedOptions, trainStacked } from './combine/stack/train-stacked.ts';
export {
  type TrainedParser,
  type TrainingTreebank,
  type TrainParserOptions,
  trainParser,
} from './combine/train-parser.ts';
export type { Paradigm, Parse, ParseOptions, Parser, UnseenValue } from './parsers/parser.ts';
export {
  allParadigms,
  findParadigm,
  openParser,
  type ParadigmName,
  type ParadigmOptions,
  paradigmNames,
  registerParadigm,
} from './parsers/registry.ts';
export { loadParser, saveParser } from './parsers/saved-parser.ts';
export type { Claim } from './src/files/sharing/lock.ts';
export { Calibration, type CalibrationData } from './src/learn/calibration.ts';
export type { AboutModel, TreebankRecord } from './src/training/about-model.ts';
export { CheckpointFile } from './src/training/checkpoint-file.ts';
export type {
  CheckpointStore,
  EpochScores,
  KeptEpoch,
  NamedScores,
  TrainingEnd,
  TrainingProgress,
  TrainingRun,
} from './src/training/training-run.ts';
export type {
  AnnotatedColumn as FillableColumn,
  AnnotatedColumn as ReadColumn,
  MorphologyColumn as SeenTagColumn,
} from './src/treebank/columns/names.ts';

// The paradigms, with their options

export { type BigramOptions, bigramOptions } from './parsers/bigram/options.ts';
export { bigram } from './parsers/bigram/paradigm.ts';
export { type PcfgOptions, pcfgOptions } from './parsers/constituency/options.ts';
export { pcfg } from './parsers/constituency/paradigm.ts';
export { type GraphOptions, graphOptions } from './parsers/graph/options.ts';
export { graph } from './parsers/graph/paradigm.ts';
export { type NetworkOptions, networkOptions } from './parsers/network/options.ts';
export { network } from './parsers/network/paradigm.ts';
export { type TransitionOptions, transitionOptions } from './parsers/transition/options.ts';
export { transition } from './parsers/transition/paradigm.ts';
export { type YamadaMatsumotoOptions, yamadaMatsumotoOptions } from './parsers/yamada-matsumoto/options.ts';
export { yamadaMatsumoto } from './parsers/yamada-matsumoto/paradigm.ts';

// A paradigm of your own: docs/extending.md

export type { ChosenTemplates, TemplateChooser } from './src/encoding/templates/choice.ts';
export type {
  TemplateGroup,
  TemplateLists,
  TemplateSection,
  TemplateSections,
} from './src/encoding/templates/template-file.ts';
export type { LinearTraining, SharedTraining, TrainedMember } from './src/training/linear/linear-training.ts';

// Text to sentences and words: docs/annotators.md

export type {
  Annotation,
  AnnotationTask,
  Annotator,
  ColumnAlternative,
  ColumnAnnotator,
  SentenceStream,
  TextLayout,
  Tokenizer,
} from './annotators/annotator.ts';
export { annotated } from './annotators/jackknife/annotated.ts';
export { type JackknifeOptions, jackknifed } from './annotators/jackknife/jackknife.ts';
export { type LemmatizerOptions, lemmatizerOptions } from './annotators/lemmatizer/options.ts';
export { findTask, openAnnotator, openTokenizer, taskNames } from './annotators/registry.ts';
export { type FillFigures, type FillFileOptions, fillFile } from './annotators/run/fill-file.ts';
export {
  type TokenizeFigures,
  type TokenizeFileOptions,
  tokenizeFile,
} from './annotators/run/tokenize-file.ts';
export { loadAnnotator, saveAnnotator } from './annotators/saved-annotator.ts';
export { type TaggerOptions, taggerOptions } from './annotators/tagger/options.ts';
export { type TokenizerOptions, tokenizerOptions } from './annotators/tokenizer/options.ts';
export {
  type TrainAnnotatorOptions,
  type TrainedAnnotator,
  trainAnnotator,
} from './annotators/train-annotator.ts';
export {
  type AlignedCount,
  type AlignedMetric,
  type AlignedNumbers,
  scoreText,
  type TextScores,
  type UdScores,
} from './src/evaluate/attachment/ud-counts.ts';
export { type SurfaceToken, surfaceTokens, textOf } from './src/treebank/surface/surface-tokens.ts';

// Text to trees: docs/pipelines.md

export { makePipeline, type PipelineSource } from './combine/pipeline/make-pipeline.ts';
export { Pipeline, type PipelineSteps, type PipelineVote } from './combine/pipeline/pipeline.ts';
export type { PipelinePart } from './combine/pipeline/pipeline-part.ts';
export type { InputKind } from './combine/pipeline/run/input-kinds.ts';
export { type PipelineFileOptions, parseWithPipeline } from './combine/pipeline/run/parse-with-pipeline.ts';
export type { InputOptions } from './combine/pipeline/run/pipeline-input.ts';
export { loadPipeline, openPipeline, savePipeline } from './combine/pipeline/saved-pipeline.ts';
export type { KeepName } from './combine/pipeline/sentence-annotation.ts';
export { type PipelineOptions, pipelineOptions } from './combine/pipeline/training/options.ts';
export type { MetricScores, PipelineScores } from './combine/pipeline/training/score-pipeline.ts';
export {
  type TrainedPipeline,
  type TrainPipelineOptions,
  trainPipeline,
} from './combine/pipeline/training/train-pipeline.ts';

export type { PartProgress } from './combine/training/part-progress.ts';

// Sentences and treebanks

export type { DownloadOptions } from './src/files/network/download.ts';
export { formatBrackets, parseBrackets } from './src/treebank/brackets/brackets.ts';
export type { BracketedSentence, PhraseTree } from './src/treebank/brackets/phrase-tree.ts';
export { type PhraseTreebank, phraseTrees, type TreeOfFile } from './src/treebank/brackets/phrase-trees.ts';
export {
  Catalogue,
  type CatalogueEntry,
  type CatalogueFile,
  type CatalogueOptions,
} from './src/treebank/catalogue/catalogue.ts';
export type { FilledColumns } from './src/treebank/columns/fill.ts';
export { formatSentence, type WrittenTree } from './src/treebank/columns/write.ts';
export { inMemory } from './src/treebank/in-memory.ts';
export type { JsonComments, JsonSentence, JsonToken } from './src/treebank/json/json-sentence.ts';
export {
  dependenciesOfPhrases,
  type PhraseDependencyOptions,
} from './src/treebank/phrases/phrase-dependencies.ts';
export type { TraceTreatment } from './src/treebank/phrases/phrase-traces.ts';
export type { TextBatch } from './src/treebank/reading/blocks.ts';
export type { ColumnFormat, DependencyFormat, TreebankFormat } from './src/treebank/reading/format.ts';
export { type ReadSentencesOptions, readSentences } from './src/treebank/reading/read-sentences.ts';
export type { Expectation, ReadingOptions } from './src/treebank/reading/reading-options.ts';
export {
  openTreebank,
  type TreebankFile,
  type TreebankOptions,
} from './src/treebank/reading/treebank-file.ts';
export type { DependencyTree, Sentence, SentenceSource, Treebank } from './src/treebank/sentence.ts';
export { sentenceOf, type Token } from './src/treebank/sentence-of.ts';
export {
  type Share,
  type TreebankStatistics,
  treebankStatistics,
  type ValueCount,
} from './src/treebank/statistics.ts';
export { findCycle, isProjective, isTree, nonProjectiveArcs, roots } from './src/treebank/tree.ts';

// Parse files, and find trees of scores

export type { SentenceParser } from './parsers/run/batch-parser.ts';
export type { MissingColumnOptions } from './parsers/run/column-check.ts';
export type { ThreadedParser } from './parsers/run/parse-batches.ts';
export {
  type ParseFigures,
  type ParseFileOptions,
  parseFile,
  type SentenceCheck,
} from './parsers/run/parse-file.ts';
export type { Decoder, DecoderOptions } from './src/decode/decoder.ts';
export { createDecoder, type DecoderName, decoderNames, decoders } from './src/decode/registry.ts';

// Explain parses: docs/explain.md

export {
  ErrorReasons,
  type KindOfError,
  type TemplateReason,
  type WrongToken,
} from './src/explain/error-reasons.ts';
export {
  explanationSchema,
  type ParseExplanation,
  type PcfgExplanation,
  type PipelineExplanation,
  type VoteParseExplanation,
} from './src/explain/explanation.ts';
export type {
  BigramExplanation,
  GraphExplanation,
  MatrixExplanation,
  NetworkExplanation,
} from './src/explain/matrix.ts';
export type { ExplainRequest } from './src/explain/request.ts';
export type { Alternative, Contribution, Decision } from './src/explain/shared.ts';
export type { TransitionExplanation, YamadaMatsumotoExplanation } from './src/explain/steps.ts';
export { type ExplanationPageOptions, explanationPage } from './src/report/explanation/explanation-page.ts';

// Evaluate and compare

export { type Agreement, agreement, type Shares, type UniqueAnswers } from './src/evaluate/agreement.ts';
export type {
  ComparedTree,
  OtherSplit,
  OwnWord,
  SplitSentence,
} from './src/evaluate/alignment/counterpart.ts';
export { AttachmentCounts, type IllFormed } from './src/evaluate/attachment/attachment-counts.ts';
export type { SeenTags } from './src/evaluate/attachment/column-counts.ts';
export type { PunctuationChoice, PunctuationRuleName } from './src/evaluate/attachment/punctuation.ts';
export type { BucketScores } from './src/evaluate/breakdowns/breakdown.ts';
export type { BreakdownName } from './src/evaluate/breakdowns/buckets.ts';
export type { Reliability, ReliabilityBin } from './src/evaluate/breakdowns/reliability.ts';
export type { ComparedSentence } from './src/evaluate/compared-sentence.ts';
export { type ComparedTreebanks, type CompareOptions, compare } from './src/evaluate/comparison/compare.ts';
export {
  type BracketErrors,
  type ComparedPhraseParser,
  comparePhrases,
  type PhraseComparison,
  type PhrasePair,
  type RelabelledBrackets,
} from './src/evaluate/comparison/compare-phrases.ts';
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
} from './src/evaluate/comparison/comparison.ts';
export { type MetricName, metricNames } from './src/evaluate/comparison/metrics.ts';
export type { TestOptions } from './src/evaluate/comparison/significance.ts';
export {
  type CorrectCounts,
  type EvaluateOptions,
  type EvaluationReport,
  evaluate,
} from './src/evaluate/evaluate.ts';
export type { Sentences } from './src/evaluate/lock-step.ts';
export type { ScoredTree } from './src/evaluate/parseval/flat-tree.ts';
export type {
  PhraseBreakdownName,
  PhraseBucketScores,
  PhraseFigures,
} from './src/evaluate/parseval/phrase-counts.ts';
export {
  type PhraseOptions,
  type PhraseReport,
  type PhraseTrees,
  scorePhrases,
} from './src/evaluate/parseval/score-phrases.ts';
export type { PhraseScorerName } from './src/evaluate/parseval/scorers.ts';
export type { PrecisionRecall } from './src/evaluate/percent.ts';
export {
  type ComparisonPageOptions,
  comparisonPage,
  type PageSection,
} from './src/report/html/comparison-page.ts';
export {
  type Cell as TableCell,
  type Column as TableColumn,
  csvTable,
  markdownTable,
  type Table,
  type TitledTable,
  textTable,
} from './src/report/tables/table.ts';

// Tests of significance

export {
  type BootstrapResult,
  bootstrapScores,
  type Interval,
  pairedBootstrap,
} from './src/evaluate/significance/bootstrap.ts';
export { type McNemarResult, mcnemar } from './src/evaluate/significance/mcnemar.ts';
export {
  type Outcomes,
  type TokenOutcomes,
  tokenOutcomes,
} from './src/evaluate/significance/outcomes.ts';
export {
  holm,
  type PValues,
  type ResamplingOptions,
  type SentenceCounts,
} from './src/evaluate/significance/paired-tests.ts';
export { type ShufflingResult, stratifiedShuffling } from './src/evaluate/significance/shuffling.ts';

// Vote, and make ensembles

export {
  type Ballots,
  type EnsembleSize,
  type ExplainedMember,
  type ExplainOptions,
  type Explanation,
  explainVote,
  type NonProjectivity,
  type VotedScores,
  type WeightsFor,
} from './combine/vote/analysis/explain.ts';
export type { SmallerEnsemble } from './combine/vote/analysis/fewer-members.ts';
export type { Overruling } from './combine/vote/analysis/overruling.ts';
export {
  type EnsembleChoice,
  type SearchOptions,
  type SearchStep,
  searchEnsemble,
} from './combine/vote/analysis/search.ts';
export {
  type SearchReport,
  type SearchResult,
  searchAndReport,
} from './combine/vote/analysis/search-report.ts';
export { type Ballot, type GoldBallot, goldBallot, type MemberTree } from './combine/vote/ballots.ts';
export { Ensemble, ensembleOf } from './combine/vote/ensemble/ensemble.ts';
export { type EnsembleOptions, makeEnsemble } from './combine/vote/ensemble/make-ensemble.ts';
export {
  type CrossValidatedVoteOptions,
  voteCrossValidated,
} from './combine/vote/files/cross-validated-vote.ts';
export {
  type FileOptions,
  type GoldFile,
  readAnswers,
  readGoldBallots,
  type VoteFilesOptions,
  voteFiles,
} from './combine/vote/files/vote-files.ts';
export type { VotedFileOptions, VoteFigures } from './combine/vote/files/voted-file.ts';
export { type MethodName, methodNames, type WeightingName, weightingNames } from './combine/vote/names.ts';
export type { Counting, Poll } from './combine/vote/poll.ts';
export type { Electorate } from './combine/vote/preference.ts';
export type { Scores } from './combine/vote/scores.ts';
export { Vote, type VoteOptions } from './combine/vote/vote.ts';
export { AgreementWeighting } from './combine/vote/weights/agreement/agreement-weighting.ts';
export { learnAgreement, MemberAnswers } from './combine/vote/weights/agreement/learn-agreement.ts';
export type { SentenceAnswers } from './combine/vote/weights/agreement/sentence-answers.ts';
export { defaultWeightingName, learnWeighting } from './combine/vote/weights/learn-weighting.ts';
export { equalWeighting, givenWeighting } from './combine/vote/weights/member-weighting.ts';
export type {
  AgreementModel,
  ArcModel,
  MemberWeights,
  Weighting,
  WeightingData,
} from './combine/vote/weights/weighting.ts';

// Experiments: whole tables

export type { FigureName } from './experiment/cells/figures.ts';
export type { NamedTreebank } from './experiment/definition/experiment.ts';
export { bundledExperiments } from './experiment/definition/experiment.ts';
export type { TreebankChoice } from './experiment/definition/schema.ts';
export type { CellFigure } from './experiment/results/fill.ts';
export type { ReadableTable } from './experiment/results/table-texts.ts';
export type { RunProgress } from './experiment/run/run-plan.ts';
export type { ExperimentQueue } from './experiment/run-experiment.ts';
export {
  type ExperimentCell,
  type ExperimentOptions,
  type ExperimentTable,
  runExperiment,
} from './experiment/run-experiment.ts';

// Draw

export { phraseTreeToSvg } from './src/report/trees/phrase-svg.ts';
export { drawPhraseTree } from './src/report/trees/phrase-text.ts';
export { treeToSvg } from './src/report/trees/tree-svg.ts';
export { drawTree, type TreeTextOptions } from './src/report/trees/tree-text.ts';

// Support vector machines

export { type Examples, SparseExamples } from './src/learn/svm/examples.ts';
export {
  type LiblinearModel,
  type LiblinearSolver,
  readLiblinearModel,
  writeLiblinearModel,
} from './src/learn/svm/liblinear-model.ts';
export { type Problem, readProblem, writeProblem } from './src/learn/svm/liblinear-problem.ts';
export { type LinearModel, type LinearSvm, predict } from './src/learn/svm/linear-model.ts';
export type { SvmMulticlass } from './src/learn/svm/multiclass.ts';
export type { SvmLoss, SvmOptions, SvmPass } from './src/learn/svm/options.ts';
export { type PolynomialDegree, PolynomialFeatures } from './src/learn/svm/polynomial-features.ts';
export { trainLinearSvm, trainPolynomialSvm } from './src/learn/svm/train.ts';

// Models' files

export type { HeaderFields } from './src/model/header-fields.ts';
export type { ModelKind, SectionArray, SectionArrays, SectionType } from './src/model/layout.ts';
export { readModelFile, writeModelFile } from './src/model/model-file.ts';
export { type ExpectedNumbers, ModelReader } from './src/model/model-reader.ts';
export { ModelWriter } from './src/model/model-writer.ts';
export type { NumberReader } from './src/model/number-reader.ts';

// Errors

export { InputError, type Place, UsageError } from './src/errors.ts';
