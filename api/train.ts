/** Training: parsers of every paradigm with their options, stacking, checkpoints, your own paradigms; word vectors. */

export { type ReadWords, type ReadWordsOptions, readWords } from '../annotators/text-words.ts';
export { type DistilOptions, distil } from '../combine/distil/distil.ts';
export type { TextOptions } from '../combine/distil/teacher.ts';
export type { SilverLearning } from '../combine/distil/tri-training.ts';
export { type StackingOptions, stackingOptions } from '../combine/stack/options.ts';
export { type TrainStackedOptions, trainStacked } from '../combine/stack/train-stacked.ts';
export type { TrainedParser, TrainingTreebank, TrainParserOptions } from '../combine/train-parser.ts';
export { trainParser } from '../combine/train-parser.ts';
export { type BigramOptions, bigramOptions } from '../parsers/bigram/options.ts';
export { bigram } from '../parsers/bigram/paradigm.ts';
export { type PcfgOptions, pcfgOptions } from '../parsers/constituency/options.ts';
export { pcfg } from '../parsers/constituency/paradigm.ts';
export { type SpansOptions, spansOptions } from '../parsers/constituency/spans/options.ts';
export { spans } from '../parsers/constituency/spans/paradigm.ts';
export { type GraphOptions, graphOptions } from '../parsers/graph/options.ts';
export { graph } from '../parsers/graph/paradigm.ts';
export { type NetworkOptions, networkOptions } from '../parsers/network/options.ts';
export { network } from '../parsers/network/paradigm.ts';
export type { Paradigm } from '../parsers/parser.ts';
export type { ParadigmName, ParadigmOptions } from '../parsers/registry.ts';
export { allParadigms, findParadigm, paradigmNames, registerParadigm } from '../parsers/registry.ts';
export { type TransitionOptions, transitionOptions } from '../parsers/transition/options.ts';
export { transition } from '../parsers/transition/paradigm.ts';
export { type YamadaMatsumotoOptions, yamadaMatsumotoOptions } from '../parsers/yamada-matsumoto/options.ts';
export { yamadaMatsumoto } from '../parsers/yamada-matsumoto/paradigm.ts';
export type { ChosenTemplates, TemplateChoice, TemplateChooser } from '../src/encoding/templates/choice.ts';
export type {
  TemplateGroup,
  TemplateLists,
  TemplateSection,
  TemplateSections,
} from '../src/encoding/templates/template-file.ts';
export type { Claim } from '../src/files/lock.ts';
export { Calibration, type CalibrationData } from '../src/learn/calibration.ts';
export { type Neighbour, nearestWords } from '../src/learn/vectors/nearest.ts';
export type { NgramTable, SubwordSettings, Subwords } from '../src/learn/vectors/ngram-table.ts';
export { loadVectors, saveVectors } from '../src/learn/vectors/saved-vectors.ts';
export type { VectorTable, WordVectors } from '../src/learn/vectors/vector-table.ts';
export type { WordIndex } from '../src/learn/vectors/word-index.ts';
export type { AboutModel, SilverRecord, TreebankRecord } from '../src/training/about-model.ts';
export { CheckpointFile } from '../src/training/checkpoint-file.ts';
export { type SkipGramOptions, skipGramOptions } from '../src/training/skip-gram/options.ts';
export { TextWords, type Vocabulary } from '../src/training/skip-gram/text-words.ts';
export { type SkipGramRun, trainVectors } from '../src/training/skip-gram/train.ts';
export type {
  CheckpointStore,
  EpochScores,
  KeptEpoch,
  LinearTraining,
  NamedScores,
  Origin,
  RunOptions,
  SharedTraining,
  Silver,
  TrainedMember,
  TrainingEnd,
  TrainingProgress,
  TrainingRun,
} from '../src/training/training-run.ts';
export type {
  AnnotatedColumn as FillableColumn,
  MorphologyColumn as SeenTagColumn,
} from '../src/treebank/columns/names.ts';
