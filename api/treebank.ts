/** Sentences and treebanks: reading and writing every format, the catalogue, statistics, errors. */

export { InputError, type Place, UsageError } from '../src/errors.ts';
export type { DownloadOptions } from '../src/files/network/download.ts';
export { formatBrackets, parseBrackets } from '../src/treebank/brackets/brackets.ts';
export type { BracketedSentence, PhraseTree } from '../src/treebank/brackets/phrase-tree.ts';
export { type PhraseTreebank, phraseTrees, type TreeOfFile } from '../src/treebank/brackets/phrase-trees.ts';
export {
  Catalogue,
  type CatalogueEntry,
  type CatalogueFile,
  type CatalogueOptions,
} from '../src/treebank/catalogue/catalogue.ts';
export type { FilledColumns } from '../src/treebank/columns/fill.ts';
export { formatSentence, type WrittenTree } from '../src/treebank/columns/write.ts';
export { inMemory } from '../src/treebank/in-memory.ts';
export type { JsonComments, JsonSentence, JsonToken } from '../src/treebank/json/json-sentence.ts';
export {
  dependenciesOfPhrases,
  type PhraseDependencyOptions,
} from '../src/treebank/phrases/phrase-dependencies.ts';
export type { TraceTreatment } from '../src/treebank/phrases/phrase-traces.ts';
export type { TextBatch } from '../src/treebank/reading/blocks.ts';
export type { ColumnFormat, DependencyFormat, TreebankFormat } from '../src/treebank/reading/format.ts';
export { type ReadSentencesOptions, readSentences } from '../src/treebank/reading/read-sentences.ts';
export type { Expectation, ReadingOptions } from '../src/treebank/reading/reading-options.ts';
export {
  openTreebank,
  type TreebankFile,
  type TreebankOptions,
} from '../src/treebank/reading/treebank-file.ts';
export type { DependencyTree, Sentence, SentenceSource, Treebank } from '../src/treebank/sentence.ts';
export { sentenceOf, type Token } from '../src/treebank/sentence-of.ts';
export {
  type Share,
  type TreebankStatistics,
  treebankStatistics,
  type ValueCount,
} from '../src/treebank/statistics.ts';
export { findCycle, isProjective, isTree, nonProjectiveArcs, roots } from '../src/treebank/tree.ts';
