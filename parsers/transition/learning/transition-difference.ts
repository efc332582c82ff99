import { FeatureDifference } from '../../../src/learn/linear/difference.ts';
import type { AveragedWeights } from '../../../src/learn/linear/weights.ts';
import { hasLabel, UNSHIFT } from '../systems/system.ts';
import { labelRow, type TransitionModel } from '../transition-model.ts';

export type LearntWeights = Readonly<Record<'actions' | 'labels', AveragedWeights>>;

export class TransitionDifference {
  private readonly actions: FeatureDifference;
  private readonly labels: FeatureDifference;

  constructor(
    private readonly model: TransitionModel,
    { actions, labels }: LearntWeights,
  ) {
    this.actions = new FeatureDifference(actions);
    this.labels = new FeatureDifference(labels);
  }

  clear(): void {
    this.actions.clear();
    this.labels.clear();
  }

  /** Adds the features of a transition from the configuration extracted last; UNSHIFT, without alternative, has none. */
  add(action: number, label: number, sign: 1 | -1): void {
    if (action === UNSHIFT) return;
    const { features, mask } = this.model;
    const { hashes, count } = features;
    for (let t = 0; t < count; t++) this.actions.add((hashes[t] & mask) + action, sign);
    if (!hasLabel(action)) return;
    for (let t = 0; t < count; t++) this.labels.add((labelRow(hashes[t], action) & mask) + label, sign);
  }

  squaredNorm(): number {
    return this.actions.squaredNorm() + this.labels.squaredNorm();
  }

  apply(step: number): void {
    this.actions.apply(step);
    this.labels.apply(step);
  }
}
