import type { ModelReader } from '../model/model-reader.ts';
import type { ModelWriter } from '../model/model-writer.ts';
import type { Treebank } from '../treebank/sentence.ts';

/** The context of a training: everything it needs besides data and options. */
export interface TrainingRun<S extends NamedScores = EpochScores> {
  readonly seed: number;
  /** Held-out data, scored after every epoch, or at the end of training without epochs. */
  readonly dev?: Treebank | undefined;
  /** Trees that other parsers found, to learn from in addition to the treebank; with `Paradigm.takesSilver`. */
  readonly silver?: Silver | undefined;
  /** With `Paradigm.furtherOptions`: the model to train further. */
  readonly from?: Origin | undefined;
  /** Asks training to stop soon, leaving a checkpoint. */
  readonly signal?: AbortSignal | undefined;
  /** Stores the training state between epochs; absent: not stored. */
  readonly checkpoints?: CheckpointStore | undefined;
  readonly jobs: number;
  onProgress?(progress: TrainingProgress<S>): void;
  /** A fact the user should know, one line (sentences left out, options chosen by the data). */
  onNotice?(notice: string): void;
  /** A probable mistake, one line (held-out sentences that are also in the training data). */
  onWarning?(warning: string): void;
}

/** The fields of a `TrainingRun`, to refuse misspelt ones. */
export const runFields = [
  'seed',
  'jobs',
  'dev',
  'silver',
  'from',
  'signal',
  'checkpoints',
  'onProgress',
  'onNotice',
  'onWarning',
] as const satisfies readonly (keyof TrainingRun)[];

/** Fields of a run as options. */
export type RunOptions<Name extends keyof TrainingRun> = {
  readonly [Each in Name]?: TrainingRun[Each] | undefined;
};

/** Trees that other parsers found. */
export interface Silver {
  readonly treebank: Treebank;
  /** Factor of the updates or of the loss of a sentence; the treebank's sentences have 1. Default: 1. */
  readonly weight?: number | undefined;
  /** Number of final epochs that learn from the treebank alone; default: 0. */
  readonly goldEpochs?: number | undefined;
}

/** A trained model that is trained further. */
export interface Origin {
  readonly model: ModelReader;
  /** The treebank that it was trained on, and the share of its sentences to learn from again. */
  readonly replay?: { readonly treebank: Treebank; readonly share: number } | undefined;
}

/** Stores one training state, which is replaced as a whole or not at all. */
export interface CheckpointStore {
  load(): ModelReader | undefined;
  save(write: (checkpoint: ModelWriter) => void): void;
}

/** The share of a training that is done, from 0 to 1. */
export const shareDone = ({ epoch, epochs, done, total }: TrainingProgress<NamedScores>) =>
  (epoch - 1 + done / total) / epochs;

/** Progress: reported at the start of each epoch, often within it, at its end, and again with scores. */
export interface TrainingProgress<S extends NamedScores = EpochScores> {
  /** The unit of `epoch`; passes of an optimiser have scores only at their end. Default: epochs. */
  readonly unit?: 'epoch' | 'member' | 'fold' | 'pass' | undefined;
  /** The current epoch (or member, fold or pass), from 1. */
  readonly epoch: number;
  readonly epochs: number;
  readonly done: number;
  readonly total: number;
  /** For members: whether `total` is only an upper bound. */
  readonly mayEndEarly?: boolean | undefined;
  readonly isOver?: boolean | undefined;
  /** At the end of an epoch: scores of the predictions during training, and on held-out data. */
  readonly training?: S | undefined;
  readonly dev?: S | undefined;
  /** At the end of an epoch, if the best is kept: the best so far. */
  readonly kept?: KeptEpoch | undefined;
  /** At the end of the last epoch, with early stopping: why it was the last. */
  readonly end?: TrainingEnd | undefined;
  /** Held-out scores of the member alone; `dev` has the scores of all members so far. */
  readonly member?: S | undefined;
}

export interface TrainingEnd {
  readonly epochs: number;
  /** The maximum; no better held-out score for `patience` epochs; or an epoch without mistakes. */
  readonly reason: 'epochs' | 'held-out' | 'separated';
}

/** Scores in percent, by name. */
export type NamedScores = Readonly<Record<string, number | undefined>>;
/** The epoch whose weights are kept, and its held-out scores. */
export type KeptEpoch = EpochScores & { readonly epoch: number };

export type EpochScores = {
  readonly uas: number;
  readonly las: number;
  /** Bracket F1, if the parser finds phrases and the gold data have them. */
  readonly f1?: number | undefined;
};

/** How a linear paradigm trains the members of a Bayes Point Machine in threads, and averages their weights. */
export interface LinearTraining<Options, Parser> {
  epochs(options: Options): number;
  /** Reads the training data into shared memory that can be sent to threads (structured clone). */
  share(treebank: Treebank, options: Options, run: TrainingRun): Promise<SharedTraining>;
  /** Trains a member on shared data, which include the held-out ones; does not use `checkpoints` and `dev` of the run. */
  trainMember(shared: SharedTraining, run: TrainingRun): Promise<TrainedMember>;
  fromWeights(shared: SharedTraining, weights: readonly Float32Array[]): Parser;
  /** Scores weights on the held-out data, if there are any. */
  score(
    shared: SharedTraining,
    weights: readonly Float32Array[],
    signal: AbortSignal | undefined,
  ): Promise<EpochScores | undefined>;
}

/** Training data of a linear parser, opaque to everything but its paradigm. */
export interface SharedTraining {
  /** Identifies data and options: equal fingerprints and seeds give equal weights. */
  readonly fingerprint: string;
  /** Number of sentences times epochs of one training. */
  readonly sentences: number;
  /** Whether that is only an upper bound, because of early stopping. */
  readonly mayEndEarly?: boolean | undefined;
}

export interface TrainedMember {
  readonly weights: readonly Float32Array[];
  /** Scores of the last epoch's predictions during training, and on held-out data. */
  readonly training?: EpochScores | undefined;
  readonly dev?: EpochScores | undefined;
}
