import { Random } from '../learn/random.ts';
import { giveWay, Turns } from '../threads/turns.ts';
import { endOf, endText } from './convergence.ts';
import type { EpochScores, NamedScores, TrainingProgress, TrainingRun } from './training-run.ts';
import type { TrainingState } from './training-state.ts';

/** How far a training is, and what can be kept of it. */
export type EpochState = Pick<
  TrainingState<string>,
  'epoch' | 'done' | 'mistakes' | 'best' | 'startEpoch' | 'save'
>;

/** What goes through the training sentences epoch by epoch. */
export interface EpochTask<S extends NamedScores = EpochScores> {
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
