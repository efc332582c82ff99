import type { Random } from '../../../src/learn/random.ts';
import type { Example } from '../../../src/training/examples.ts';
import type { PerceptronSettings } from '../options.ts';
import { ArcEager } from '../systems/arc-eager.ts';
import type { DynamicArcEagerOracle } from '../systems/dynamic-oracle.ts';
import type { StackConfiguration } from '../systems/stack-configuration.ts';
import { hasLabel, nextKind, type Oracle } from '../systems/system.ts';
import type { TransitionModel, TransitionWeights } from '../transition-model.ts';
import { addTransition, type LearntWeights } from './updates.ts';

/** How often a mistake is followed (Goldberg & Nivre 2012, algorithm 3), once the first epoch is over. */
const EXPLORE = 0.9;

/** A transition and its score. */
interface Choice {
  kind: number;
  label: number;
  score: number;
}

/**
 * Perceptron learning of single transitions: along the static oracle's way, or, with the dynamic oracle, also
 * along ways with mistakes, where the best of the transitions that cost nothing more is the right one.
 */
export class GreedyPerceptron {
  private readonly configuration: StackConfiguration;
  private readonly oracle: Oracle<StackConfiguration>;
  private readonly dynamic: DynamicArcEagerOracle | undefined;
  private readonly values: TransitionWeights;
  private readonly predicted: Choice = { kind: 0, label: 0, score: 0 };
  private readonly right: Choice = { kind: 0, label: 0, score: 0 };

  constructor(
    private readonly model: TransitionModel,
    private readonly weights: LearntWeights,
    { oracle }: PerceptronSettings,
  ) {
    const { system } = model;
    this.configuration = system.create();
    this.oracle = system.createOracle();
    const isDynamic = oracle === 'dynamic' && system instanceof ArcEager;
    this.dynamic = isDynamic ? system.createDynamicOracle() : undefined;
    this.values = { transitions: weights.transitions.values, labels: weights.labels.values };
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
      const isRight = predicted.kind === right.kind && predicted.label === right.label;
      if (!isRight) {
        addTransition(model, weights, right.kind, right.label, 1);
        addTransition(model, weights, predicted.kind, predicted.label, -1);
      }
      weights.transitions.examples++;
      weights.labels.examples++;
      const follows =
        this.dynamic !== undefined && random !== undefined && random.below(1000) < 1000 * EXPLORE;
      const { kind, label } = follows ? predicted : right;
      system.apply(configuration, kind, label);
    }
  }

  /** The best transition of all, and the best of those that are right. */
  private choose(example: Example): void {
    const { model, configuration, values, predicted, right } = this;
    const { system, kindScores } = model;
    model.score(configuration, values);
    predicted.score = right.score = Number.NEGATIVE_INFINITY;
    const next = this.dynamic === undefined ? nextKind(this.oracle, configuration) : -1;
    for (const kind of system.kinds) {
      if (!system.permits(configuration, kind)) continue;
      const isRight =
        this.dynamic === undefined ? kind === next : this.dynamic.cost(configuration, kind) === 0;
      if (hasLabel(kind)) this.offerLabels(example, kind, isRight);
      else this.offer(kind, 0, kindScores[kind], isRight);
    }
  }

  private offerLabels(example: Example, kind: number, isRight: boolean): void {
    const { model, configuration, values } = this;
    const { system, kindScores, labelScores } = model;
    const dependent = system.dependentOf(configuration, kind);
    // An arc that is not gold, but costs nothing: the gold head is lost already, and any label will do.
    const isGoldArc = system.headOf(configuration, kind) === example.heads[dependent];
    const labels = model.labelsFor(example, configuration, kind);
    model.scoreLabels(kind, labels, values);
    for (let l = 0; l < labels.length; l++) {
      const isRightLabel = !isGoldArc || labels[l] === example.labels[dependent];
      this.offer(kind, labels[l], kindScores[kind] + labelScores[l], isRight && isRightLabel);
    }
  }

  private offer(kind: number, label: number, score: number, isRight: boolean): void {
    if (score > this.predicted.score) set(this.predicted, kind, label, score);
    if (isRight && score > this.right.score) set(this.right, kind, label, score);
  }
}

function set(choice: Choice, kind: number, label: number, score: number): void {
  choice.kind = kind;
  choice.label = label;
  choice.score = score;
}
