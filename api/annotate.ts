/** Tokenizers, taggers and lemmatizers: training, running, saving and loading. */

export type {
  Annotation,
  AnnotationTask,
  Annotator,
  ColumnAnnotator,
  SentenceNaming,
  SentenceStream,
  StreamOptions,
  TextLayout,
  Tokenizer,
} from '../annotators/annotator.ts';
export { type FillFigures, type FillFileOptions, fillFile } from '../annotators/fill-file.ts';
export { annotated } from '../annotators/jackknife/fold.ts';
export { type ColumnTask, type JackknifeOptions, jackknifed } from '../annotators/jackknife/jackknife.ts';
export { type LemmatizerOptions, lemmatizerOptions } from '../annotators/lemmatizer/options.ts';
export type { AnnotatorName, AnnotatorOptions } from '../annotators/registry.ts';
export { findTask, openAnnotator, openTokenizer, taskNames } from '../annotators/registry.ts';
export { loadAnnotator, saveAnnotator } from '../annotators/saved-annotator.ts';
export { type TaggerOptions, taggerOptions } from '../annotators/tagger/options.ts';
export type { TokenizeFigures, TokenizeFileOptions } from '../annotators/tokenize-file.ts';
export { tokenizeFile } from '../annotators/tokenize-file.ts';
export { type TokenizerOptions, tokenizerOptions } from '../annotators/tokenizer/options.ts';
export type { TrainAnnotatorOptions, TrainedAnnotator } from '../annotators/train-annotator.ts';
export { trainAnnotator } from '../annotators/train-annotator.ts';
export {
  type AlignedCount,
  type AlignedMetric,
  type AlignedNumbers,
  scoreText,
  type TextScores,
  type UdScores,
} from '../src/evaluate/attachment/ud-counts.ts';
export type { ColumnAlternative } from '../src/treebank/columns/write.ts';
export { type SurfaceToken, surfaceTokens, textOf } from '../src/treebank/surface.ts';
export type { NormalizedText, TextNormalization } from '../src/treebank/text-normalization.ts';
