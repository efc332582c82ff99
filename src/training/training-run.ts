import type { ModelReader } from '../model/model-reader.ts';
import type { ModelWriter } from '../model/model-writer.ts';
import type { Treebank } from '../treebank/sentence.ts';

/** What a long training needs from its surroundings, and should not know the source of. */
export interface TrainingRun<S extends NamedScores = EpochScores> {
  readonly seed: number;
  /** Held-out data, scored after every epoch; where there are none, at the end. */
  readonly dev?: Treebank | undefined;
  /** Asks training to stop soon, leaving a checkpoint. */
  readonly signal?: AbortSignal | undefined;
  /** Where training state is kept between epochs; absent: not kept. */
  readonly checkpoints?: CheckpointStore | undefined;
  /** Processor cores that may be used. */
  readonly jobs: number;
  onProgress?(progress: TrainingProgress<S>): void;
  /** A fact the user should know, one line (sentences left out, options chosen by the data). */
  onNotice?(notice: string): void;
  /** What is probably not as the user meant it, one line (held-out sentences that are learnt from, too). */
  onWarning?(warning: string): void;
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
export interface TrainingProgress<S extends NamedScores = EpochScores> {
  /**
   * What is counted: epochs, members of an ensemble, folds of a treebank, or the passes of an optimiser, which has
   * scores at its end only. Default: epochs.
   */
  readonly unit?: 'epoch' | 'member' | 'fold' | 'pass' | undefined;
  /** The epoch (or member, fold or pass) being worked on, from 1. */
  readonly epoch: number;
  readonly epochs: number;
  /** Sentences done in this epoch, of how many. */
  readonly done: number;
  readonly total: number;
  /** Of members: `total` is but the most sentences that they learn from. */
  readonly mayEndEarly?: boolean | undefined;
  /** The epoch is over, with scores or without. */
  readonly isOver?: boolean | undefined;
  /** At the end of an epoch: scores of the predictions made while learning, and on the held-out data. */
  readonly training?: S | undefined;
  readonly dev?: S | undefined;
  /** At the end of an epoch, where a parser's best is kept: which that is so far. */
  readonly kept?: KeptEpoch | undefined;
  /** At the end of the last epoch, where that was to be the one of convergence: why it was the last. */
  readonly end?: TrainingEnd | undefined;
  /** On the held-out data, of the member alone; `dev` is that of all members so far. */
  readonly member?: S | undefined;
}

/** Why a training in epochs ended, and after how many. */
export interface TrainingEnd {
  readonly epochs: number;
  /**
   * `epochs`: there were to be no more. `held-out`: the score on held-out data had not risen for as many as the option
   * `patience` says. `separated`: the last had nothing to correct.
   */
  readonly reason: 'epochs' | 'held-out' | 'separated';
}

/** Figures in percent, by the names of what is scored. */
export type NamedScores = Readonly<Record<string, number | undefined>>;

/** The epoch whose weights are to be parsed with, and its scores on the held-out data. */
export type KeptEpoch = EpochScores & { readonly epoch: number };

/** The scores of a parser. */
export type EpochScores = {
  readonly uas: number;
  readonly las: number;
  /** Of brackets, where phrases are found and the right ones are known. */
  readonly f1?: number | undefined;
};

/**
 * How a parser that is a vector of weights can be trained several times over, in threads of their own, and the
 * weights be averaged into one.
 */
export interface LinearTraining<Options, Parser> {
  /** How often training goes through the sentences. */
  epochs(options: Options): number;
  /** Reads all that training needs, as data over shared memory that threads can be given (structured clone). */
  share(treebank: Treebank, options: Options, run: TrainingRun): Promise<SharedTraining>;
  /**
   * Trains one parser on shared data, in whichever thread. `checkpoints` and `dev` of the run are not used: held-out data
   * are shared, too.
   */
  trainMember(shared: SharedTraining, run: TrainingRun): Promise<TrainedMember>;
  /** The parser that a member's weights, or a mean of several members', make. */
  fromWeights(shared: SharedTraining, weights: readonly Float32Array[]): Parser;
  /** Scores of such a parser on the held-out data, where there is any. */
  score(shared: SharedTraining, weights: readonly Float32Array[]): Promise<EpochScores | undefined>;
}

/** Training data of a linear parser, known in detail to its paradigm alone. */
export interface SharedTraining {
  /** Names the data and the options: training runs of one name and seed give the same weights. */
  readonly fingerprint: string;
  /** Sentences that one training learns from, each counted as often as it does. */
  readonly sentences: number;
  /** Whether that is but the most: a training ends once it has converged. */
  readonly mayEndEarly?: boolean | undefined;
}

export interface TrainedMember {
  readonly weights: readonly Float32Array[];
  /** Scores of the predictions made in the last epoch while learning, and on the held-out data. */
  readonly training?: EpochScores | undefined;
  readonly dev?: EpochScores | undefined;
}
