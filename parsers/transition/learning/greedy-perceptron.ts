import type { Random } from '../../../src/learn/random.ts';
import type { Example } from '../../../src/training/examples.ts';
import type { PerceptronSettings } from '../options.ts';
import { hasLabel } from '../systems/actions.ts';
import { StackConfiguration } from '../systems/stack-configuration.ts';
import { type DynamicOracle, dependentOf, headOf, nextAction, type Oracle } from '../systems/system.ts';
import type { TransitionModel, TransitionWeights } from '../transition-model.ts';
import { addTransition, type LearntWeights } from './updates.ts';

/** How often a mistake is followed (Goldberg & Nivre 2012, algorithm 3), once the first epoch is over. */
const EXPLORE = 0.9;

/** A transition and its score. */
interface Choice {
  action: number;
  label: number;
  score: number;
}

/**
 * Perceptron learning of single transitions: along the static oracle's way, or, with the dynamic oracle, also
 * along ways with mistakes, where the best of the transitions that cost nothing more is the right one.
 */
export class GreedyPerceptron {
  private readonly configuration = new StackConfiguration();
  private readonly oracle: Oracle;
  private readonly dynamic: DynamicOracle | undefined;
  private readonly values: TransitionWeights;
  private readonly predicted: Choice = { action: 0, label: 0, score: 0 };
  private readonly right: Choice = { action: 0, label: 0, score: 0 };

  constructor(
    private readonly model: TransitionModel,
    private readonly weights: LearntWeights,
    { oracle }: PerceptronSettings,
  ) {
    const { system } = model;
    this.oracle = system.createOracle();
    this.dynamic = oracle === 'dynamic' ? system.createDynamicOracle?.() : undefined;
    this.values = { actions: weights.actions.values, labels: weights.labels.values };
  }

  /** Learns from a sentence; `random`, where mistakes may be followed, decides when. */
  learn(example: Example, random: Random | undefined): void {
    const { model, configuration, weights, predicted, right } = this;
    const { system, features } = model;
    features.prepare(example);
    system.start(configuration, example.length);
    (this.dynamic ?? this.oracle).start(example);
    while (!system.isComplete(configuration)) {
      this.choose(example);
      const isRight = predicted.action === right.action && predicted.label === right.label;
      if (!isRight) {
        addTransition(model, weights, right.action, right.label, 1);
        addTransition(model, weights, predicted.action, predicted.label, -1);
      }
      weights.actions.examples++;
      weights.labels.examples++;
      const follows =
        this.dynamic !== undefined && random !== undefined && random.below(1000) < 1000 * EXPLORE;
      const { action, label } = follows ? predicted : right;
      system.apply(configuration, action, label);
    }
  }

  /** The best transition of all, and the best of those that are right. */
  private choose(example: Example): void {
    const { model, configuration, values, predicted, right } = this;
    const { system, actionScores } = model;
    model.score(configuration, values);
    predicted.score = right.score = Number.NEGATIVE_INFINITY;
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
    // An arc that is not gold, but costs nothing: the gold head is lost already, and any label will do.
    const isGoldArc = headOf(system, configuration, action) === example.heads[dependent];
    const labels = model.labelsFor(example, configuration, action);
    model.scoreLabels(action, labels, values);
    for (let l = 0; l < labels.length; l++) {
      const isRightLabel = !isGoldArc || labels[l] === example.labels[dependent];
      this.offer(action, labels[l], actionScores[action] + labelScores[l], isRight && isRightLabel);
    }
  }

  private offer(action: number, label: number, score: number, isRight: boolean): void {
    if (score > this.predicted.score) set(this.predicted, action, label, score);
    if (isRight && score > this.right.score) set(this.right, action, label, score);
  }
}

function set(choice: Choice, action: number, label: number, score: number): void {
  choice.action = action;
  choice.label = label;
  choice.score = score;
}
