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

/** The cost of a wrong transition for MIRA, since weights are in units of 1/1024. */
const COST = 1024;

interface Transition {
  readonly action: number;
  /** The label is 0 if the action makes no arc. */
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

/** A transition, and the configuration that it starts from. */
interface Step {
  readonly configuration: StackConfiguration;
  readonly transition: Transition;
}

/** Weights, each with the sum of its values after every example. */
class ReferenceWeights {
  readonly values: number[];
  private readonly sums: number[];
  /** The number of values in each sum, including the initial value 0. */
  private count = 1;

  constructor(size: number) {
    this.values = Array(size).fill(0);
    this.sums = Array(size).fill(0);
  }

  /** Adds the present values to the sums, whether or not the example has changed any weight. */
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
 * Perceptrons and MIRA for transition-based parsing as their papers describe them, without regard to time or memory:
 * every configuration is built anew from all transitions to it, candidates are sorted, and averages are summed up
 * after every example. The fast learners must arrive at the same weights.
 *
 * Parts with their own tests are used as they are: systems with their oracles, candidates for labels, and the hashes
 * of features. A hash selects the row of weights in which every action, or label, has its slot.
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

  /** Returns both weight vectors, either means or last values, scaled to whole numbers as in models. */
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
   * Every transition is an example. With the static oracle, the gold transitions are always followed; with the dynamic
   * oracle (Goldberg & Nivre 2012, algorithm 3), the predicted transition is followed nine times out of ten from the
   * second epoch on.
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

  /** Whether a transition loses no gold arc and gives a gold arc its gold label. */
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
   * Every sentence is an example. If the best derivation is not the gold one, the gold derivation is rewarded and the
   * best one punished, both up to some number of transitions.
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
   * The best derivation after every number of transitions, until all are complete or, with early updates, until the
   * gold one has left the beam (Collins & Roark 2004). Complete derivations wait for the others.
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

  /** All derivations that are one transition longer; a complete one is returned unchanged. */
  private extended(example: Example, derivation: Derivation): Derivation[] {
    const configuration = this.configurationAfter(example, derivation.path);
    if (this.system.isComplete(configuration)) return [derivation];
    return this.scoredTransitions(example, configuration).map(({ action, label, score }) => ({
      path: [...derivation.path, { action, label }],
      score: derivation.score + score,
    }));
  }

  /** The last number of transitions with the largest lead over the gold derivation (Huang et al. 2012). */
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

  /** All permitted transitions, in the order of actions and then of labels. */
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
   * Adds the difference between the features of right and of wrong transitions. A perceptron adds it once, MIRA
   * (Crammer & Singer 2003) as often as needed to remove the violation, to the nearest whole number.
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

  /** The slots of a transition's weights, one for every feature. UNSHIFT never competes, so it has none. */
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

/** The transition with the highest score; the first of equal ones. */
function best(all: readonly Scored[]): Scored {
  return all.reduce((one, other) => (other.score > one.score ? other : one));
}

function isSame(one: Transition, other: Transition): boolean {
  return one.action === other.action && one.label === other.label;
}

/** The number of places at which two sequences differ; places after the end of the shorter one count as different. */
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
