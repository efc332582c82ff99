import type { z } from 'zod';
import type { ModelReader } from '../src/model/model-reader.ts';
import type { ModelWriter } from '../src/model/model-writer.ts';
import type { PhraseTree } from '../src/treebank/brackets/phrase-tree.ts';
import type { DependencyTree, Sentence, Treebank } from '../src/treebank/sentence.ts';

/** A way to parse that can be learnt from a treebank: what the command line, votes and reports know of it. */
export interface Paradigm<Options = unknown> {
  readonly name: string;
  /** One line for `--help`. */
  readonly summary: string;
  /** Whether it learns from phrase-structure trees (`Sentence.phrases`) and not from dependencies. */
  readonly needsPhrases?: boolean | undefined;
  /** Names, types, ranges, defaults and descriptions of the options; the command line is made from it. */
  readonly options: z.ZodType<Options>;
  /** Whether a training with such options keeps its state, so that it can be resumed; absent: none does. */
  keepsState?(options: Options): boolean;
  /** Learns a parser; the same treebank, options and seed give the same parser, byte for byte. */
  train(treebank: Treebank, options: Options, run: TrainingRun): Promise<Parser>;
  /** Opens a trained parser; throws `InputError` where the model is not of this paradigm. */
  load(model: ModelReader): Parser;
}

/**
 * A paradigm whose parsers are vectors of weights, so that several can be trained apart, in threads of their
 * own, and their weights averaged into one.
 */
export interface LinearParadigm<Options = unknown> extends Paradigm<Options> {
  /**
   * Reads all that training needs, as data over shared memory that threads can be given (structured clone).
   */
  share(treebank: Treebank, options: Options, run: TrainingRun): Promise<SharedTraining>;
  /**
   * Trains one parser on shared data, in whichever thread. `checkpoints` and `dev` of the run are not used.
   */
  trainMember(shared: SharedTraining, run: TrainingRun): Promise<TrainedMember>;
  /** The parser that a member's weights, or a mean of several members', make. */
  fromWeights(shared: SharedTraining, weights: readonly Float32Array[]): Parser;
  /** Scores of such a parser on the held-out data, where there is any. */
  score(shared: SharedTraining, weights: readonly Float32Array[]): EpochScores | undefined;
}

/** Training data of a linear paradigm, known in detail to that alone. */
export interface SharedTraining {
  /** Names the data and the options: trainings of one name and seed give the same weights. */
  readonly fingerprint: string;
  /** Sentences that one training learns from, each counted as often as it does. */
  readonly sentences: number;
}

export interface TrainedMember {
  readonly weights: readonly Float32Array[];
  /** Scores of the predictions made in the last epoch while learning, and on the held-out data. */
  readonly training: EpochScores;
  readonly dev?: EpochScores | undefined;
}

/** A column of annotation that a parser may read. */
export type ReadColumn = 'lemmas' | 'upos' | 'xpos' | 'feats';

/** What a constituency parser gives. */
export interface ParsedPhrases {
  readonly tree: PhraseTree;
  /** What the user should know of how this sentence was parsed, where it was not as usual. */
  readonly notice?: string | undefined;
}

/** A trained parser. Not to be shared between threads: each loads its own, over the same shared weights. */
export interface Parser {
  readonly paradigm: string;
  /** The columns besides forms that it was trained to read: sentences that lack one are parsed the worse for it. */
  readonly reads: readonly ReadColumn[];
  /** The best tree; reads forms, lemmas, tags and features of the sentence, never its heads or labels. */
  parse(sentence: Sentence): DependencyTree;
  /** The best phrase-structure tree, where the parser finds such; `parse` gives the dependencies in it. */
  phrases?(sentence: Sentence): ParsedPhrases;
  save(model: ModelWriter): void;
}

/** What a long training needs from its surroundings, and should not know the source of. */
export interface TrainingRun {
  readonly seed: number;
  /** Held-out data, scored after every epoch. */
  readonly dev?: Treebank | undefined;
  /** Takes a parser made on the way, under a short name (`member-3`), to be kept beside the result. */
  onParser?(name: string, parser: Parser): void;
  /** Asks training to stop soon, leaving a checkpoint. */
  readonly signal?: AbortSignal | undefined;
  /** Where training state is kept between epochs; absent: not kept. */
  readonly checkpoints?: CheckpointStore | undefined;
  /** Processor cores that may be used. */
  readonly jobs: number;
  onProgress?(progress: TrainingProgress): void;
  /** A fact the user should know, one line (sentences left out, options chosen by the data). */
  onNotice?(notice: string): void;
}

/** Training state on disk: one at a time, replaced as a whole or not at all. */
export interface CheckpointStore {
  /** The last state saved, or undefined where there is none or a fresh start was asked for. */
  load(): ModelReader | undefined;
  save(write: (checkpoint: ModelWriter) => void): void;
}

/**
 * How far training is: given at the start of each epoch, often within it, when its learning ends, and once
 * more with its scores.
 */
export interface TrainingProgress {
  /**
   * What is counted: epochs, members of an ensemble, or the passes of an optimiser, which has scores at its
   * end only. Default: epochs.
   */
  readonly unit?: 'epoch' | 'member' | 'pass' | undefined;
  /** The epoch (or member, or pass) being worked on, from 1. */
  readonly epoch: number;
  readonly epochs: number;
  /** Sentences done in this epoch, of how many. */
  readonly done: number;
  readonly total: number;
  /** The epoch is over, with scores or without. */
  readonly isOver?: boolean | undefined;
  /** At the end of an epoch: scores of the predictions made while learning, and on the held-out data. */
  readonly training?: EpochScores | undefined;
  readonly dev?: EpochScores | undefined;
  /** On the held-out data, of the member alone; `dev` is that of all members so far. */
  readonly member?: EpochScores | undefined;
}

export interface EpochScores {
  readonly uas: number;
  readonly las: number;
  /** Of brackets, where phrases are found and the right ones are known. */
  readonly f1?: number | undefined;
}
