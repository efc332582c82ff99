/** The public API of Parliament. */

export { paradigms } from './combine/paradigms.ts';
export type { Decoder, DecoderOptions } from './parsers/graph/decoders/decoder.ts';
export { createDecoder, decoders } from './parsers/graph/decoders/registry.ts';
export type { GraphParser } from './parsers/graph/graph-parser.ts';
export { type GraphOptions, graphOptions } from './parsers/graph/options.ts';
export { graph } from './parsers/graph/paradigm.ts';
export { type ParseFigures, type ParseFileOptions, parseFile } from './parsers/parse-file.ts';
export type {
  CheckpointStore,
  EpochScores,
  LinearParadigm,
  Paradigm,
  Parser,
  SharedTraining,
  TrainedMember,
  TrainingProgress,
  TrainingRun,
} from './parsers/parser.ts';
export { loadParser } from './parsers/registry.ts';
export { InputError, type Place, UsageError } from './src/errors.ts';
export { AttachmentCounts } from './src/evaluate/attachment-counts.ts';
export { evaluate } from './src/evaluate/evaluate.ts';
export { CheckpointFile } from './src/model/checkpoint-file.ts';
export { readModelFile, writeModelFile } from './src/model/model-file.ts';
export { ModelReader } from './src/model/model-reader.ts';
export { ModelWriter } from './src/model/model-writer.ts';
export { phraseTreeToSvg } from './src/report/phrase-svg.ts';
export { drawPhraseTree } from './src/report/phrase-text.ts';
export { treeToSvg } from './src/report/tree-svg.ts';
export { drawTree } from './src/report/tree-text.ts';
export { formatBrackets, parseBrackets } from './src/treebank/brackets.ts';
export { Catalogue } from './src/treebank/catalogue.ts';
export { dependenciesOfPhrases } from './src/treebank/phrase-dependencies.ts';
export type { BracketedSentence, PhraseTree } from './src/treebank/phrase-tree.ts';
export type { DependencyTree, Sentence, SentenceSource, Treebank } from './src/treebank/sentence.ts';
export { treebankStatistics } from './src/treebank/statistics.ts';
export { findCycle, isProjective, isTree, nonProjectiveArcs, roots } from './src/treebank/tree.ts';
export { openTreebank, type TreebankFile } from './src/treebank/treebank-file.ts';
export { formatSentence } from './src/treebank/write.ts';
