import { Random } from '../learn/random.ts';
import { giveWay, Turns } from '../threads/scheduling.ts';
import type { EpochScores, NamedScores, TrainingEnd, TrainingProgress, TrainingRun } from './training-run.ts';
import type { TrainingState } from './training-state.ts';

/** How far a training is, and what can be kept of it. */
export type EpochState = Pick<
  TrainingState<string>,
  'epoch' | 'done' | 'mistakes' | 'best' | 'startEpoch' | 'save'
>;

/** What goes through the training sentences epoch by epoch. */
interface EpochTask<S extends NamedScores = EpochScores> {
  readonly state: EpochState;
  readonly epochs: number;
  /** End before the last where training has converged; absent: after the last. See `endOf`. */
  readonly patience?: number | undefined;
  /** Sentences an epoch. */
  readonly total: number;
  /** Put the sentences into a new order in every epoch. */
  readonly shuffle: boolean;
  /** Learns from the sentence of this number. */
  learn(index: number): void;
  /** Called at the end of an epoch. */
  scores(): Promise<Pick<TrainingProgress<S>, 'training' | 'dev'>>;
}

/**
 * Goes through all epochs that are left, or those up to convergence, telling how far it is and keeping the state on the
 * way. Aborted, it keeps the state and throws an `AbortError`.
 */
export async function runEpochs<S extends NamedScores>(
  task: EpochTask<S>,
  run: TrainingRun<S>,
): Promise<void> {
  const { state, epochs, patience, total } = task;
  while (state.epoch <= epochs) {
    const { epoch } = state;
    await runEpoch(task, run);
    const scores = await task.scores();
    const end = patience === undefined ? undefined : endOf(state, { epochs, patience }, scores.dev);
    state.startEpoch(epoch + 1);
    const { kept } = state.best;
    run.onProgress?.({ epoch, epochs, done: total, total, isOver: true, ...scores, kept, end });
    const told = end && endText(end, patience!);
    if (told !== undefined) run.onNotice?.(told);
    if (end !== undefined || epoch === epochs) return;
    run.checkpoints?.save((file) => state.save(file));
    // Of a small treebank an epoch is over before the first turn within it.
    await giveWay(run.signal);
  }
}

async function runEpoch<S extends NamedScores>(task: EpochTask<S>, run: TrainingRun<S>): Promise<void> {
  const { state, epochs, total } = task;
  const tell = () => run.onProgress?.({ epoch: state.epoch, epochs, done: state.done, total });
  const order = Int32Array.from({ length: total }, (_, i) => i);
  // Drawn anew from the seed and the epoch's number, so that a resumed training needs no generator's state.
  if (task.shuffle) new Random(run.seed, state.epoch).shuffle(order);
  const turns = new Turns(run.signal);
  tell();
  while (state.done < order.length) {
    task.learn(order[state.done]);
    state.done++;
    if (!turns.isDue) continue;
    tell();
    await turns.give().catch((reason) => {
      run.checkpoints?.save((file) => state.save(file));
      throw reason;
    });
  }
  tell();
}

/**
 * Whether a training that is to end when it has converged is over after the epoch just scored: the perceptron repeats its
 * epochs until one is without a mistake, which on data that cannot be separated none ever is.
 *
 * @param dev its score on held-out data; undefined while there is nothing to be scored yet
 */
export function endOf(
  { epoch, mistakes, best }: Pick<TrainingState<string>, 'epoch' | 'mistakes' | 'best'>,
  { epochs, patience }: { readonly epochs: number; readonly patience: number },
  dev: NamedScores | undefined,
): TrainingEnd | undefined {
  if (dev !== undefined && mistakes === 0) return { epochs: epoch, reason: 'separated' };
  if (best.scores !== undefined && epoch - best.scores.epoch >= patience)
    return { epochs: epoch, reason: 'held-out' };
  return epoch === epochs ? { epochs: epoch, reason: 'epochs' } : undefined;
}

/** What there is to say of a training that ended before its last epoch. */
function endText({ epochs, reason }: TrainingEnd, patience: number): string | undefined {
  const last = `training ended with epoch ${epochs}`;
  if (reason === 'separated') return `${last}, in which there was nothing to correct`;
  if (reason === 'epochs') return undefined;
  const span = patience === 1 ? 'epoch' : `${patience} epochs`;
  return `${last}: in the last ${span} the score on held-out data has not risen`;
}
