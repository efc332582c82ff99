import type { NamedScores, TrainingEnd } from './training-run.ts';
import type { TrainingState } from './training-state.ts';

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
export function endText({ epochs, reason }: TrainingEnd, patience: number): string | undefined {
  const last = `training ended with epoch ${epochs}`;
  if (reason === 'separated') return `${last}, in which there was nothing to correct`;
  if (reason === 'epochs') return undefined;
  const span = patience === 1 ? 'epoch' : `${patience} epochs`;
  return `${last}: in the last ${span} the score on held-out data has not risen`;
}
