import type { AveragedWeights } from '../../../src/learn/linear/weights.ts';
import { hasLabel, UNSHIFT } from '../systems/actions.ts';
import { labelRow, type TransitionModel } from '../transition-model.ts';

/** The weights that a perceptron learns. */
export type LearntWeights = Readonly<Record<'actions' | 'labels', AveragedWeights>>;

/**
 * Adds `step` to all that a transition from the configuration last extracted is scored by: nothing for UNSHIFT,
 * which comes where nothing else may.
 */
export function addTransition(
  { features, mask }: TransitionModel,
  weights: LearntWeights,
  action: number,
  label: number,
  step: number,
): void {
  if (action === UNSHIFT) return;
  const { hashes, count } = features;
  for (let t = 0; t < count; t++) weights.actions.add((hashes[t] & mask) + action, step);
  if (!hasLabel(action)) return;
  for (let t = 0; t < count; t++) weights.labels.add((labelRow(hashes[t], action) & mask) + label, step);
}
