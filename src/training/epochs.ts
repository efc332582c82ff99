import { OptionError } from '../errors.ts';
import { Random } from '../learn/random.ts';
import { Turns, yieldToEvents } from '../threads/scheduling.ts';
import type { SilverExamples } from './examples.ts';
import type { EpochScores, NamedScores, TrainingEnd, TrainingProgress, TrainingRun } from './training-run.ts';
import type { TrainingState } from './training-state.ts';

export type EpochState = Pick<
  TrainingState<string>,
  'epoch' | 'done' | 'mistakes' | 'best' | 'startEpoch' | 'save' | 'restore'
>;

/** Learns an epoch; `order`: the numbers of its examples. */
export type LearnEpoch = (order: Int32Array, onDone: (done: number) => void) => Promise<void>;

interface EpochTask<S extends NamedScores = EpochScores> {
  readonly state: EpochState;
  readonly epochs: number;
  readonly patience?: number | undefined;
  readonly total: number;
  readonly silver?: SilverExamples | undefined;
  readonly shuffle: boolean;
  learn(index: number): void;
  /** Replaces `learn` for a whole epoch, which starts again if it is interrupted before its end. */
  learnEpoch?: LearnEpoch | undefined;
  scores(): Promise<Pick<TrainingProgress<S>, 'training' | 'dev'>>;
}

/** Milliseconds between saved states at the ends of epochs: a small treebank's epochs take less time than saving. */
const SAVING_INTERVAL = 10_000;

/** Trains from the run's saved state to the last epoch or early stopping; if aborted, saves and throws an `AbortError`. */
export async function runEpochs<S extends NamedScores>(task: EpochTask<S>, run: TrainingRun<S>) {
  const { state, epochs, patience } = task;
  checkGoldEpochs(task.silver?.goldEpochs ?? 0, task);
  run.signal?.throwIfAborted();
  const saved = run.checkpoints?.load();
  if (saved !== undefined) state.restore(saved);
  let lastSaved = Number.NEGATIVE_INFINITY;
  while (state.epoch <= epochs) {
    const { epoch } = state;
    const total = examplesIn(task, epoch);
    await runEpoch(task, run);
    const scores = await savingIfAborted(task.scores(), state, run);
    const end = patience === undefined ? undefined : endOf(state, { epochs, patience }, scores.dev);
    state.startEpoch(epoch + 1);
    const { kept } = state.best;
    run.onProgress?.({ epoch, epochs, done: total, total, isOver: true, ...scores, kept, end });
    const notice = end && endText(end, patience!);
    if (notice !== undefined) run.onNotice?.(notice);
    if (end !== undefined || epoch === epochs) return;
    if (performance.now() - lastSaved >= SAVING_INTERVAL) {
      save(state, run);
      lastSaved = performance.now();
    }
    // On a small treebank an epoch ends before its first yield.
    await savingIfAborted(yieldToEvents(run.signal), state, run);
  }
}

/** The number of examples in an epoch: the final `goldEpochs` leave out the silver ones. */
export function examplesIn(
  { total, epochs, silver }: Pick<EpochTask, 'total' | 'epochs' | 'silver'>,
  epoch: number,
): number {
  return silver !== undefined && epoch > epochs - silver.goldEpochs ? silver.from : total;
}

/** Throws `OptionError` if training has not more epochs than the final ones without silver trees, or may end before them. */
export function checkGoldEpochs(
  goldEpochs: number,
  { epochs, patience }: { readonly epochs?: number | undefined; readonly patience?: number | undefined },
): void {
  if (goldEpochs === 0) return;
  if (patience !== undefined)
    throw new OptionError(
      (option) =>
        `${option('goldEpochs', goldEpochs)} does not go with ${option('patience', patience)}, which may end training before them`,
    );
  if (epochs === undefined || goldEpochs < epochs) return;
  throw new OptionError(
    (option) => `${option('goldEpochs', goldEpochs)}: fewer than all epochs, which are ${epochs}`,
  );
}

async function runEpoch<S extends NamedScores>(task: EpochTask<S>, run: TrainingRun<S>): Promise<void> {
  const { state, epochs } = task;
  const total = examplesIn(task, state.epoch);
  const report = () => run.onProgress?.({ epoch: state.epoch, epochs, done: state.done, total });
  const order = Int32Array.from({ length: total }, (_, i) => i);
  // Drawn from the seed and the epoch's number, so that resuming needs no generator state.
  if (task.shuffle) new Random(run.seed, state.epoch).shuffle(order);
  report();
  if (task.learnEpoch === undefined) await learnInTurns(task, order, run, report);
  else if (state.done < total) {
    await task.learnEpoch(order, (done) => {
      state.done = done;
      report();
    });
    state.done = total;
  }
  report();
}

async function learnInTurns<S extends NamedScores>(
  task: EpochTask<S>,
  order: Int32Array,
  run: TrainingRun<S>,
  report: () => void,
): Promise<void> {
  const { state } = task;
  const turns = new Turns(run.signal);
  while (state.done < order.length) {
    task.learn(order[state.done]);
    state.done++;
    if (!turns.isDue) continue;
    report();
    await savingIfAborted(turns.give(), state, run);
  }
}

function save(state: EpochState, { checkpoints }: Pick<TrainingRun, 'checkpoints'>): void {
  checkpoints?.save((file) => state.save(file));
}

/** Awaits work that does not change the state, which is saved if the run is aborted meanwhile. */
async function savingIfAborted<T>(
  work: Promise<T>,
  state: EpochState,
  run: Pick<TrainingRun, 'checkpoints' | 'signal'>,
): Promise<T> {
  return work.catch((reason) => {
    if (run.signal?.aborted) save(state, run);
    throw reason;
  });
}

/** With early stopping: why training ends with this epoch; undefined if it goes on. */
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

function endText({ epochs, reason }: TrainingEnd, patience: number): string | undefined {
  const last = `training ended with epoch ${epochs}`;
  if (reason === 'separated') return `${last}, in which there was nothing to correct`;
  if (reason === 'epochs') return undefined;
  const span = patience === 1 ? 'epoch' : `${patience} epochs`;
  return `${last}: in the last ${span} the score on held-out data has not risen`;
}
