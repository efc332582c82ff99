import type { StateFeatures } from '../../parsers/transition/features/state-features.ts';
import type { TransitionTrainingData } from '../../parsers/transition/learning/training-data.ts';
import type { OnlineSettings } from '../../parsers/transition/options.ts';
import { StackConfiguration } from '../../parsers/transition/systems/stack-configuration.ts';
import {
  dependentOf,
  headOf,
  LEFT,
  RIGHT,
  type TransitionSystem,
  UNSHIFT,
} from '../../parsers/transition/systems/system.ts';
import { TransitionModel } from '../../parsers/transition/transition-model.ts';
import { Random } from '../../src/learn/random.ts';
import type { Example } from '../../src/training/examples.ts';

/** What MIRA counts a wrong transition as: weights are in units of 1/1024. */
const COST = 1024;

interface Transition {
  readonly action: number;
  /** 0 where the action makes no arc. */
  readonly label: number;
}

interface Scored extends Transition {
  readonly score: number;
}

/** A sequence of transitions from the initial configuration, and the sum of their scores. */
interface Derivation {
  readonly path: readonly Transition[];
  readonly score: number;
}

/** A transition, and the configuration that it leads on from. */
interface Step {
  readonly configuration: StackConfiguration;
  readonly transition: Transition;
}

/** Weights, each with the sum of all values that it has had. */
class ReferenceWeights {
  readonly values: number[];
  private readonly sums: number[];
  /** The first of all values is that before any example. */
  private count = 1;

  constructor(size: number) {
    this.values = Array(size).fill(0);
    this.sums = Array(size).fill(0);
  }

  /** An example is over, whether it has changed any weight or not. */
  endExample(): void {
    this.count++;
    this.values.forEach((value, slot) => {
      this.sums[slot]! += value;
    });
  }

  mean(): number[] {
    return this.sums.map((sum) => Math.fround(sum / this.count));
  }
}

/**
 * Perceptrons and MIRA for transition-based parsing as their papers tell them, slow and without a thought of
 * memory: a configuration is found anew from all transitions to it, candidates are sorted, averages are summed
 * up after every example. The fast ones must learn the same, weight for weight.
 *
 * What has tests of its own is taken as it is: systems with their oracles, candidates for labels, and the
 * hashes of features. A hash selects the row of weights in which every action, or label, has its slot.
 */
export class ReferenceTransitionLearner {
  private readonly actions: ReferenceWeights;
  private readonly labels: ReferenceWeights;
  private readonly settings: OnlineSettings;
  private readonly system: TransitionSystem;
  private readonly features: StateFeatures;
  private readonly rows: number;
  private readonly cost: number;

  constructor(
    private readonly data: TransitionTrainingData<OnlineSettings>,
    private readonly seed: number,
  ) {
    this.settings = data.learning;
    this.cost = data.learning.learner === 'mira' ? COST : 0;
    const { system, features } = new TransitionModel(data);
    this.system = system;
    this.features = features;
    this.rows = 2 ** this.settings.bits;
    this.actions = new ReferenceWeights(this.rows + 6);
    this.labels = new ReferenceWeights(this.rows + data.numbering.labels.length);
  }

  /** Both weight vectors, the means or the last ones, scaled to the whole numbers that models have. */
  train(): { actions: number[]; labels: number[] } {
    const { epochs, shuffle, beam, learner } = this.settings;
    for (let epoch = 1; epoch <= epochs; epoch++) {
      const order = Int32Array.from(this.data.examples.keys());
      if (shuffle) new Random(this.seed, epoch).shuffle(order);
      for (const [place, i] of order.entries()) {
        if (beam > 1) this.learnByBeam(this.data.examples[i]!);
        else this.learnGreedily(this.data.examples[i]!, epoch, place);
      }
    }
    const [actions, labels] =
      learner === 'perceptron'
        ? [this.actions.values, this.labels.values]
        : [this.actions.mean(), this.labels.mean()];
    const largest = [...actions, ...labels].reduce((most, mean) => Math.max(most, Math.abs(mean)), 0);
    const factor = largest === 0 ? 1 : Math.floor(32_767 / largest);
    const scaled = (means: number[]) => means.map((mean) => Math.round(mean * factor) || 0);
    return { actions: scaled(actions), labels: scaled(labels) };
  }

  /**
   * An example is a transition. With the static oracle the way is always the right one; with the dynamic
   * oracle (Goldberg & Nivre 2012, algorithm 3), from the second epoch on, what was predicted is followed nine
   * times of ten.
   */
  private learnGreedily(example: Example, epoch: number, place: number): void {
    const random = new Random(this.seed, epoch, place);
    const isDynamic = this.settings.oracle === 'dynamic';
    let path: Transition[] = [];
    for (;;) {
      const configuration = this.configurationAfter(example, path);
      if (this.system.isComplete(configuration)) return;
      const told = isDynamic ? undefined : this.toldByOracle(example, configuration);
      const isRight = (one: Transition) =>
        told === undefined ? this.costsNothing(example, configuration, one) : isSame(one, told);
      const all = this.scoredTransitions(example, configuration);
      const predicted = best(all);
      const right = best(all.filter(isRight));
      const worst = best(all.map((one) => (isRight(one) ? one : { ...one, score: one.score + this.cost })));
      if (!isSame(worst, right)) {
        const rewarded = { configuration, transition: right };
        this.update(example, [rewarded], [{ configuration, transition: worst }], worst.score - right.score);
      }
      this.endExample();
      const explores = isDynamic && epoch > 1 && random.below(1000) < 900;
      path = [...path, explores ? predicted : right];
    }
  }

  /** No gold arc is lost, and where the arc is a gold one it has the gold label. */
  private costsNothing(
    { length, heads, labels }: Example,
    configuration: StackConfiguration,
    { action, label }: Transition,
  ): boolean {
    const oracle = this.system.createDynamicOracle!();
    oracle.start({ length, heads, labels });
    if (oracle.cost(configuration, action) > 0) return false;
    if (action !== LEFT && action !== RIGHT) return true;
    const dependent = dependentOf(this.system, configuration, action);
    const isGold = heads[dependent] === headOf(this.system, configuration, action);
    return !isGold || label === labels[dependent];
  }

  private toldByOracle(example: Example, configuration: StackConfiguration): Transition {
    const oracle = this.system.createOracle();
    oracle.start(example);
    const action = oracle.next(configuration);
    if (action !== LEFT && action !== RIGHT) return { action, label: 0 };
    return { action, label: example.labels[dependentOf(this.system, configuration, action)]! };
  }

  /**
   * An example is a sentence: where the best derivation is not the gold one, all of the gold derivation is
   * rewarded and all of the other punished up to some number of transitions.
   */
  private learnByBeam(example: Example): void {
    const gold = this.goldDerivation(example);
    const { bestAfter, isGoldBest } = this.search(example, gold);
    if (!isGoldBest) {
      const steps = bestAfter.length - 1;
      const end = this.settings.update === 'early' ? steps : this.worstViolation(example, gold, bestAfter);
      const right = gold.slice(0, end);
      const wrong = bestAfter[end]!;
      const cost = this.cost * differences(right, wrong.path);
      const violation = wrong.score + cost - this.scoreOf(example, right);
      this.update(example, this.stepsOf(example, right), this.stepsOf(example, wrong.path), violation);
    }
    this.endExample();
  }

  private goldDerivation(example: Example): Transition[] {
    const path: Transition[] = [];
    for (;;) {
      const configuration = this.configurationAfter(example, path);
      if (this.system.isComplete(configuration)) return path;
      path.push(this.toldByOracle(example, configuration));
    }
  }

  /**
   * The best derivation after every number of transitions, up to the end of all or, with early updates, until
   * the gold one is not in the beam any more (Collins & Roark 2004). What is complete waits for the rest.
   */
  private search(example: Example, gold: readonly Transition[]) {
    let beam: Derivation[] = [{ path: [], score: 0 }];
    const bestAfter = [...beam];
    const isGold = ({ path }: Derivation) => isPrefix(path, gold) && path.length === prefixLength();
    const prefixLength = () => Math.min(bestAfter.length - 1, gold.length);
    for (;;) {
      const next = beam.flatMap((one) => this.extended(example, one));
      next.sort((one, other) => other.score - one.score);
      const kept = next.slice(0, this.settings.beam);
      if (kept.every((one) => beam.includes(one))) break;
      beam = kept;
      bestAfter.push(beam[0]!);
      if (this.settings.update === 'early' && !beam.some(isGold)) break;
    }
    return { bestAfter, isGoldBest: isGold(beam[0]!) };
  }

  /** All derivations one transition longer; one that is complete, as it is. */
  private extended(example: Example, derivation: Derivation): Derivation[] {
    const configuration = this.configurationAfter(example, derivation.path);
    if (this.system.isComplete(configuration)) return [derivation];
    return this.scoredTransitions(example, configuration).map(({ action, label, score }) => ({
      path: [...derivation.path, { action, label }],
      score: derivation.score + score,
    }));
  }

  /** After how many transitions the best is furthest above the gold derivation (Huang et al. 2012), at the latest. */
  private worstViolation(
    example: Example,
    gold: readonly Transition[],
    bestAfter: readonly Derivation[],
  ): number {
    const violations = bestAfter.map(
      ({ score }, steps) => score - this.scoreOf(example, gold.slice(0, steps)),
    );
    return violations.lastIndexOf(Math.max(...violations.slice(1)));
  }

  private scoreOf(example: Example, path: readonly Transition[]): number {
    return this.stepsOf(example, path).reduce(
      (sum, { configuration, transition }) => sum + this.score(example, configuration, transition),
      0,
    );
  }

  /** All transitions that may come next, actions in their order, labels in theirs. */
  private scoredTransitions(example: Example, configuration: StackConfiguration): Scored[] {
    const { system } = this;
    const all = system.actions.flatMap((action): Transition[] => {
      if (!system.permits(configuration, action)) return [];
      if (action !== LEFT && action !== RIGHT) return [{ action, label: 0 }];
      const head = headOf(system, configuration, action);
      const labels = this.data.numbering.candidates.inSearch(
        example,
        head,
        dependentOf(system, configuration, action),
      );
      return Array.from(labels, (label) => ({ action, label }));
    });
    return all.map((one) => ({ ...one, score: this.score(example, configuration, one) }));
  }

  private score(example: Example, configuration: StackConfiguration, transition: Transition): number {
    const { actionSlots, labelSlots } = this.slots(example, configuration, transition);
    return sumOf(this.actions.values, actionSlots) + sumOf(this.labels.values, labelSlots);
  }

  private stepsOf(example: Example, path: readonly Transition[]): Step[] {
    return path.map((transition, done) => ({
      configuration: this.configurationAfter(example, path.slice(0, done)),
      transition,
    }));
  }

  /**
   * Adds the difference between the features of right and of wrong transitions: a perceptron once, MIRA
   * (Crammer & Singer 2003) as often as it takes for the violation to be gone, to the nearest whole number.
   */
  private update(example: Example, right: readonly Step[], wrong: readonly Step[], violation: number): void {
    const actions = new Map<number, number>();
    const labels = new Map<number, number>();
    const count = (steps: readonly Step[], sign: number) => {
      for (const { configuration, transition } of steps) {
        const { actionSlots, labelSlots } = this.slots(example, configuration, transition);
        for (const slot of actionSlots) actions.set(slot, (actions.get(slot) ?? 0) + sign);
        for (const slot of labelSlots) labels.set(slot, (labels.get(slot) ?? 0) + sign);
      }
    };
    count(right, 1);
    count(wrong, -1);
    const squares = [...actions.values(), ...labels.values()].map((value) => value ** 2);
    const squaredNorm = squares.reduce((sum, square) => sum + square, 0);
    const smallest = squaredNorm === 0 ? 0 : Math.round(Math.max(0, violation) / squaredNorm);
    const step = this.settings.learner === 'mira' ? smallest : 1;
    for (const [slot, value] of actions) this.actions.values[slot]! += step * value;
    for (const [slot, value] of labels) this.labels.values[slot]! += step * value;
  }

  /** Where the weights of a transition stand, a slot for every feature; UNSHIFT, never one of several, has none. */
  private slots(example: Example, configuration: StackConfiguration, { action, label }: Transition) {
    this.features.prepare(example);
    this.features.extract(configuration);
    const hashes = action === UNSHIFT ? [] : [...this.features.hashes];
    const row = (hash: number) => hash & (this.rows - 1);
    const isArc = action === LEFT || action === RIGHT;
    const scrambled = (hash: number) => Math.imul(hash ^ Math.imul(action, 0x2545f491), 0x9e3779b1);
    return {
      actionSlots: hashes.map((hash) => row(hash) + action),
      labelSlots: isArc ? hashes.map((hash) => row(scrambled(hash)) + label) : [],
    };
  }

  private configurationAfter({ length }: Example, path: readonly Transition[]): StackConfiguration {
    const configuration = new StackConfiguration();
    this.system.start(configuration, length);
    for (const { action, label } of path) this.system.apply(configuration, action, label);
    return configuration;
  }

  private endExample(): void {
    this.actions.endExample();
    this.labels.endExample();
  }
}

/** The highest score; of equal ones the first. */
function best(all: readonly Scored[]): Scored {
  return all.reduce((one, other) => (other.score > one.score ? other : one));
}

function isSame(one: Transition, other: Transition): boolean {
  return one.action === other.action && one.label === other.label;
}

/** At how many places two sequences of transitions differ; where one is over, the other does. */
function differences(one: readonly Transition[], other: readonly Transition[]): number {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  return longer.filter((transition, i) => !isPrefix([transition], shorter.slice(i))).length;
}

function isPrefix(path: readonly Transition[], whole: readonly Transition[]): boolean {
  return path.every((transition, i) => whole[i] !== undefined && isSame(transition, whole[i]));
}

function sumOf(values: readonly number[], slots: readonly number[]): number {
  return slots.reduce((sum, slot) => sum + values[slot]!, 0);
}
