import { StackConfiguration } from '../../parsers/transition/systems/stack-configuration.ts';
import { dependentOf, hasLabel, type TransitionSystem } from '../../parsers/transition/systems/system.ts';
import {
  RowConfiguration,
  YamadaMatsumoto,
  YamadaMatsumotoOracle,
} from '../../parsers/yamada-matsumoto/system.ts';
import type { Random } from '../../src/learn/random.ts';

/** A tree with numbers for labels; entry 0 is not used. */
export interface LabelledTree {
  readonly heads: Int32Array;
  readonly labels: Int32Array;
}

/** The operations that tests need of a transition system, independent of its kind of configurations. */
export interface TestedSystem {
  /**
   * The tree that the oracle's transitions build; undefined if the oracle says that it cannot be built. Arcs that
   * an action makes have their labels, others have the label 0.
   */
  rebuild(gold: LabelledTree): (LabelledTree & { readonly steps: number }) | undefined;
  /** The heads that randomly drawn permitted transitions build, and the number of these transitions. */
  wander(length: number, random: Random): { readonly heads: Int32Array; readonly steps: number };
}

/** One configuration of a system together with its oracle. */
interface Walk {
  start(length: number): void;
  isComplete(): boolean;
  permitted(): readonly number[];
  /** An arc that the action makes gets the label of its dependent in `labels`. */
  apply(action: number, labels?: Int32Array): void;
  startOracle(gold: LabelledTree & { readonly length: number }): void;
  /** The oracle's action, or −1 if the tree cannot be built. */
  next(): number;
  head(token: number): number;
  label(token: number): number;
}

export function tested(system: TransitionSystem): TestedSystem {
  const configuration = new StackConfiguration();
  const oracle = system.createOracle();
  return walking({
    start: (length) => system.start(configuration, length),
    isComplete: () => system.isComplete(configuration),
    permitted: () => system.actions.filter((action) => system.permits(configuration, action)),
    apply(action, labels) {
      const isLabelled = labels !== undefined && hasLabel(action);
      const label = isLabelled ? labels[dependentOf(system, configuration, action)]! : 0;
      system.apply(configuration, action, label);
    },
    startOracle: (gold) => oracle.start(gold),
    next: () => oracle.next(configuration),
    head: (token) => configuration.head(token),
    label: (token) => configuration.label(token),
  });
}

/** Labels are 0, since this parser labels arcs only after the tree is complete. */
export function testedYamadaMatsumoto(singleRoot: boolean): TestedSystem {
  const system = new YamadaMatsumoto(singleRoot);
  const configuration = new RowConfiguration();
  const oracle = new YamadaMatsumotoOracle(singleRoot);
  return walking({
    start: (length) => system.start(configuration, length),
    isComplete: () => configuration.isComplete,
    permitted: () => [...system.permitted(configuration)],
    apply: (action) => system.apply(configuration, action),
    startOracle: (gold) => oracle.start(gold),
    next: () => oracle.next(configuration),
    head: (token) => configuration.heads[token],
    label: () => 0,
  });
}

function walking(walk: Walk): TestedSystem {
  const read = (length: number) => ({
    heads: Int32Array.from({ length: length + 1 }, (_, d) => (d === 0 ? -1 : walk.head(d))),
    labels: Int32Array.from({ length: length + 1 }, (_, d) => (d === 0 ? 0 : walk.label(d))),
  });
  return {
    rebuild({ heads, labels }) {
      const length = heads.length - 1;
      walk.start(length);
      walk.startOracle({ length, heads, labels });
      let steps = 0;
      for (; !walk.isComplete(); steps++) {
        const action = walk.next();
        if (action === -1) return undefined;
        if (!walk.permitted().includes(action)) throw new Error(`action ${action} is not permitted`);
        walk.apply(action, labels);
      }
      return { ...read(length), steps };
    },
    wander(length, random) {
      walk.start(length);
      let steps = 0;
      for (; !walk.isComplete(); steps++) {
        const permitted = walk.permitted();
        if (permitted.length === 0) throw new Error('no transition is permitted');
        walk.apply(permitted[random.below(permitted.length)]!);
      }
      return { heads: read(length).heads, steps };
    },
  };
}
