/** Sentences and treebanks: reading and writing every format, the catalogue, statistics, errors. */

export { InputError, type Place, UsageError } from '../src/errors.ts';
export type { DownloadOptions } from '../src/files/network/download.ts';
export type { CatalogueEntry, CatalogueFile, CatalogueOptions } from '../src/treebank/catalogue.ts';
export { Catalogue } from '../src/treebank/catalogue.ts';
export type { StringColumn } from '../src/treebank/columns/names.ts';
export type { FilledColumns } from '../src/treebank/columns/write.ts';
export { formatSentence, type WrittenTree } from '../src/treebank/columns/write.ts';
export type { JsonComments, JsonSentence, JsonToken } from '../src/treebank/json/json-sentence.ts';
export { type SentenceTree, treeOf } from '../src/treebank/navigation.ts';
export { formatBrackets, parseBrackets } from '../src/treebank/phrases/brackets.ts';
export type { PhraseDependencyOptions } from '../src/treebank/phrases/dependencies.ts';
export { dependenciesOfPhrases } from '../src/treebank/phrases/dependencies.ts';
export type { BracketedSentence, PhraseTree } from '../src/treebank/phrases/phrase-tree.ts';
export type { TraceTreatment } from '../src/treebank/phrases/traces.ts';
export { type Match, Query } from '../src/treebank/query/query.ts';
export type {
  ColumnFormat,
  DependencyFormat,
  Expectation,
  ReadingOptions,
  TreebankFormat,
} from '../src/treebank/reading/format.ts';
export type {
  PhraseTreebank,
  ReadSentencesOptions,
  TreebankFile,
  TreebankOptions,
  TreeOfFile,
} from '../src/treebank/reading/treebank-file.ts';
export { openTreebank, phraseTrees, readSentences } from '../src/treebank/reading/treebank-file.ts';
export type {
  DependencyTree,
  Sentence,
  SentenceSource,
  TextBatch,
  Treebank,
} from '../src/treebank/sentence.ts';
export { sentenceOf, type Token } from '../src/treebank/sentence.ts';
export type { Share, TreebankStatistics, ValueCount } from '../src/treebank/statistics.ts';
export { treebankStatistics } from '../src/treebank/statistics.ts';
export { findCycle, isProjective, isTree, nonProjectiveArcs, roots } from '../src/treebank/tree.ts';
export { inMemory } from '../src/treebank/treebanks.ts';
