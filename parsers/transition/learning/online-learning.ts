import type { Learner } from '../../../src/learn/linear/learner.ts';
import { type AveragedWeights, FeatureDifference } from '../../../src/learn/linear/weights.ts';
import type { Random } from '../../../src/learn/random.ts';
import type { Example } from '../../../src/training/examples.ts';
import { BeamSearch } from '../beam-search.ts';
import type { OnlineSettings } from '../options.ts';
import { StackConfiguration } from '../systems/stack-configuration.ts';
import type { DynamicOracle, Oracle } from '../systems/system.ts';
import {
  actionOf,
  dependentOf,
  goldTransitions,
  hasLabel,
  headOf,
  IDLE,
  labelOf,
  nextAction,
  UNBUILDABLE,
  UNSHIFT,
} from '../systems/system.ts';
import { labelRow, type TransitionModel, type TransitionWeights } from '../transition-model.ts';

type LearntWeights = Readonly<Record<'actions' | 'labels', AveragedWeights>>;

/** The difference of the features of two derivations, or of two transitions. */
class TransitionDifference {
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

  /** Adds the features of a transition, as extracted last; UNSHIFT, which never has an alternative, has none. */
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

/** Probability of following a prediction, even a wrong one, after the first epoch (Goldberg & Nivre 2012, algorithm 3). */
const EXPLORATION = 0.9;

type Choice = { action: number; label: number; score: number };

/**
 * Learns single transitions: along the path of the static oracle or, with the dynamic oracle, also along paths with
 * mistakes, where the best transition without further cost is right. Each decision is a multi-class example; MIRA
 * (Crammer & Singer 2003) separates the right transition from the worst violator by a margin.
 */
export class GreedyLearning {
  private readonly configuration = new StackConfiguration();
  private readonly oracle: Oracle;
  private readonly dynamic: DynamicOracle | undefined;
  private readonly values: TransitionWeights;
  private readonly difference: TransitionDifference;
  private readonly predicted: Choice = { action: 0, label: 0, score: 0 };
  /** The worst violator: the best transition after the cost is added to the scores of wrong ones. */
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

  /** Learns from a sentence; `random`: decides when predictions are followed (absent: never). */
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
        this.dynamic !== undefined && random !== undefined && random.below(1000) < 1000 * EXPLORATION;
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
    // A wrong arc costs nothing if the gold head is lost already; then any label is right.
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

/**
 * Learns by beam search (Zhang & Clark 2008). If the gold derivation is not the best, updates with both, up to the step
 * where gold falls out of the beam (early update: Collins & Roark 2004, P04-1015), or where the lead of the best over
 * gold is largest (maximum violation: Huang, Fayong & Guo 2012, N12-1015). Up to that step, MIRA makes gold lead the
 * best by one unit for each wrong transition. It searches as parsing does: a search with costs on wrong arcs, as in
 * graph parsers, is worse (81.8 UAS instead of 84.6; 3,000 sentences of UD English EWT, 5 epochs, beam of 4).
 */
export class BeamLearning {
  private readonly search: BeamSearch;
  private readonly configuration = new StackConfiguration();
  private readonly oracle: Oracle;
  private readonly values: TransitionWeights;
  private readonly difference: TransitionDifference;
  private readonly isEarly: boolean;
  /** Number of transitions after which derivations are compared, and the lead of the best over gold there. */
  private end = 0;
  private violation = 0;

  constructor(
    private readonly model: TransitionModel,
    private readonly weights: LearntWeights,
    private readonly learner: Learner,
    { beam, update }: OnlineSettings,
  ) {
    this.search = new BeamSearch(model, beam);
    this.oracle = model.system.createOracle();
    this.isEarly = update === 'early';
    this.values = { actions: weights.actions.values, labels: weights.labels.values };
    this.difference = new TransitionDifference(model, weights);
  }

  learn(example: Example): void {
    const { model, search, weights } = this;
    const transitions = goldTransitions(model.system, this.oracle, this.configuration, example);
    if (transitions === undefined) throw new Error(UNBUILDABLE);
    const gold = Int32Array.from(transitions);
    const steps = search.searchAlong(example, this.values, gold, this.isEarly);
    if (!search.isGoldBest) {
      this.chooseEnd(example, gold, steps);
      this.update(example, gold);
    }
    weights.actions.examples++;
    weights.labels.examples++;
  }

  /** Sets `end`: to the last step with early updates, else to the last step with the largest violation. */
  private chooseEnd(example: Example, gold: Int32Array, steps: number): void {
    const { model, configuration, search, values } = this;
    model.system.start(configuration, example.length);
    let goldScore = 0;
    this.violation = Number.NEGATIVE_INFINITY;
    for (let s = 0; s < steps; s++) {
      if (s < gold.length) {
        model.score(configuration, values);
        goldScore += model.scoreOf(actionOf(gold[s]), labelOf(gold[s]), values);
        model.system.apply(configuration, actionOf(gold[s]), labelOf(gold[s]));
      }
      const violation = search.bestScore(s + 1) - goldScore;
      if (violation < this.violation && !this.isEarly) continue;
      this.violation = violation;
      this.end = s + 1;
    }
  }

  private update(example: Example, gold: Int32Array): void {
    const { end, search, difference, learner } = this;
    const path = search.path(end);
    let start = 0;
    while (start < end && path[start] === gold[start]) start++;
    let wrong = 0;
    for (let s = start; s < end; s++) if (path[s] !== (s < gold.length ? gold[s] : IDLE)) wrong++;
    difference.clear();
    this.add(example, gold, start, Math.min(end, gold.length), 1);
    this.add(example, path, start, end, -1);
    difference.apply(learner.step(this.violation + learner.cost * wrong, difference));
  }

  private add(example: Example, path: Int32Array, start: number, end: number, sign: 1 | -1): void {
    const { model, configuration, difference } = this;
    const { system, features } = model;
    system.start(configuration, example.length);
    for (let s = 0; s < end; s++) {
      if (path[s] === IDLE) return;
      const action = actionOf(path[s]);
      const label = labelOf(path[s]);
      if (s >= start) {
        features.extract(configuration);
        difference.add(action, label, sign);
      }
      system.apply(configuration, action, label);
    }
  }
}
