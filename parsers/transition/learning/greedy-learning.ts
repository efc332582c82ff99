import { FeatureDifference } from '../../../src/learn/linear/difference.ts';
import type { Learner } from '../../../src/learn/linear/learner.ts';
import type { AveragedWeights } from '../../../src/learn/linear/weights.ts';
import type { Random } from '../../../src/learn/random.ts';
import type { Example } from '../../../src/training/examples.ts';
import type { OnlineSettings } from '../options.ts';
import { StackConfiguration } from '../systems/stack-configuration.ts';
import {
  type DynamicOracle,
  dependentOf,
  hasLabel,
  headOf,
  nextAction,
  type Oracle,
  UNSHIFT,
} from '../systems/system.ts';
import { labelRow, type TransitionModel, type TransitionWeights } from '../transition-model.ts';

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

/** Share of predictions that are followed, even if wrong, after the first epoch (Goldberg & Nivre 2012, algorithm 3). */
const EXPLORE = 0.9;

interface Choice {
  action: number;
  label: number;
  score: number;
}

/**
 * Learning of single transitions: along the path of the static oracle, or, with the dynamic oracle, also along paths with
 * mistakes, where the best transition without further cost is the right one. Each decision is a multi-class example; MIRA
 * (Crammer & Singer 2003) separates the right transition from the worst offender by a margin.
 */
export class GreedyLearning {
  private readonly configuration = new StackConfiguration();
  private readonly oracle: Oracle;
  private readonly dynamic: DynamicOracle | undefined;
  private readonly values: TransitionWeights;
  private readonly difference: TransitionDifference;
  private readonly predicted: Choice = { action: 0, label: 0, score: 0 };
  /** The worst offender: the best transition after the cost is added to wrong ones. */
  private readonly worst: Choice = { action: 0, label: 0, score: 0 };
  private readonly right: Choice = { action: 0, label: 0, score: 0 };

  constructor(
    private readonly model: TransitionModel,
    private readonly weights: LearntWeights,
    private readonly learner: Learner,
    { oracle }: OnlineSettings,
  ) {
    const { system } = model;
    this.oracle = system.createOracle();
    this.dynamic = oracle === 'dynamic' ? system.createDynamicOracle?.() : undefined;
    this.values = { actions: weights.actions.values, labels: weights.labels.values };
    this.difference = new TransitionDifference(model, weights);
  }

  /** Learns from a sentence; `random` decides when predictions are followed (absent: never). */
  learn(example: Example, random: Random | undefined): void {
    const { model, configuration, weights, predicted, right } = this;
    const { system, features } = model;
    features.prepare(example);
    system.start(configuration, example.length);
    (this.dynamic ?? this.oracle).start(example);
    while (!system.isComplete(configuration)) {
      this.choose(example);
      this.update();
      weights.actions.examples++;
      weights.labels.examples++;
      const follows =
        this.dynamic !== undefined && random !== undefined && random.below(1000) < 1000 * EXPLORE;
      const { action, label } = follows ? predicted : right;
      system.apply(configuration, action, label);
    }
  }

  private update(): void {
    const { difference, learner, worst, right } = this;
    if (worst.action === right.action && worst.label === right.label) return;
    difference.clear();
    difference.add(right.action, right.label, 1);
    difference.add(worst.action, worst.label, -1);
    difference.apply(learner.step(worst.score - right.score, difference));
  }

  private choose(example: Example): void {
    const { model, configuration, values, predicted, worst, right } = this;
    const { system, actionScores } = model;
    model.score(configuration, values);
    predicted.score = worst.score = right.score = Number.NEGATIVE_INFINITY;
    const next = this.dynamic === undefined ? nextAction(this.oracle, configuration) : -1;
    for (const action of system.actions) {
      if (!system.permits(configuration, action)) continue;
      const isRight =
        this.dynamic === undefined ? action === next : this.dynamic.cost(configuration, action) === 0;
      if (hasLabel(action)) this.offerLabels(example, action, isRight);
      else this.offer(action, 0, actionScores[action], isRight);
    }
  }

  private offerLabels(example: Example, action: number, isRight: boolean): void {
    const { model, configuration, values } = this;
    const { system, actionScores, labelScores } = model;
    const dependent = dependentOf(system, configuration, action);
    // A wrong arc without cost: the gold head is lost already, and any label is right.
    const isGoldArc = headOf(system, configuration, action) === example.heads[dependent];
    const labels = model.labelsFor(example, configuration, action);
    model.scoreLabels(action, labels, values);
    for (let l = 0; l < labels.length; l++) {
      const isRightLabel = !isGoldArc || labels[l] === example.labels[dependent];
      this.offer(action, labels[l], actionScores[action] + labelScores[l], isRight && isRightLabel);
    }
  }

  private offer(action: number, label: number, score: number, isRight: boolean): void {
    const { predicted, worst, right, learner } = this;
    const withCost = isRight ? score : score + learner.cost;
    if (score > predicted.score) set(predicted, action, label, score);
    if (withCost > worst.score) set(worst, action, label, withCost);
    if (isRight && score > right.score) set(right, action, label, score);
  }
}

function set(choice: Choice, action: number, label: number, score: number): void {
  choice.action = action;
  choice.label = label;
  choice.score = score;
}
