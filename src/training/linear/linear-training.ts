import type { Treebank } from '../../treebank/sentence.ts';
import type { EpochScores, TrainingRun } from '../training-run.ts';

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
