import type { AveragedWeights } from '../../../src/learn/linear/weights.ts';
import { hasLabel, UNSHIFT } from '../systems/system.ts';
import { labelRow, type TransitionModel } from '../transition-model.ts';

/** The weights that a perceptron learns. */
export type LearntWeights = Readonly<Record<'transitions' | 'labels', AveragedWeights>>;

/**
 * Adds `step` to all that a transition from the configuration last extracted is scored by: nothing for UNSHIFT,
 * which comes where nothing else may.
 */
export function addTransition(
  { features, mask }: TransitionModel,
  weights: LearntWeights,
  kind: number,
  label: number,
  step: number,
): void {
  if (kind === UNSHIFT) return;
  const { hashes, count } = features;
  for (let t = 0; t < count; t++) weights.transitions.add((hashes[t] & mask) + kind, step);
  if (!hasLabel(kind)) return;
  for (let t = 0; t < count; t++) weights.labels.add((labelRow(hashes[t], kind) & mask) + label, step);
}
