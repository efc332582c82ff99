import { LEFT } from './actions.ts';
import type { NodePair } from './node-pair.ts';
import type { StackConfiguration } from './stack-configuration.ts';

/** A tree to learn from: `heads` as everywhere, `labels` by number; entry 0 of `labels` is not used. */
export interface GoldTree {
  readonly length: number;
  readonly heads: Int32Array;
  readonly labels: Int32Array;
}

/**
 * A way to build a tree token by token (Nivre 2008, §3): configurations, and the transitions between them.
 * A transition is an action (actions.ts) and, for LEFT and RIGHT, the number of a label. Systems have no
 * state: one configuration can be started again for sentence after sentence, and copied in a beam.
 *
 * What learners, features and options must know of a system it declares: none of them asks which one it is.
 */
export interface TransitionSystem {
  /** The actions that it has, in ascending order. */
  readonly actions: readonly number[];
  /** The pair of nodes that its decisions are about: distances and combined features are taken over it. */
  readonly focus: NodePair;
  /** The templates that suit it, but for those of morphological features. */
  readonly templates: readonly string[];
  /** Whether it builds projective trees alone. */
  readonly isProjective: boolean;
  /** Makes a configuration the initial one of a sentence. */
  start(configuration: StackConfiguration, length: number): void;
  /** No transition is left; the configuration holds a whole tree. */
  isComplete(configuration: StackConfiguration): boolean;
  /** Whether an action may come next; one of them may wherever the configuration is not complete. */
  permits(configuration: StackConfiguration, action: number): boolean;
  /** Goes one transition on; `label` counts for LEFT and RIGHT alone. */
  apply(configuration: StackConfiguration, action: number, label: number): void;
  /** The pair of nodes between which LEFT, or RIGHT, makes an arc. */
  ends(action: number): NodePair;
  /** The static oracle. */
  createOracle(): Oracle;
  /** The dynamic oracle; systems without this method have none. */
  createDynamicOracle?(): DynamicOracle;
}

/** Tells the way to a gold tree. */
export interface Oracle {
  /** Takes the tree to be built. */
  start(gold: GoldTree): void;
  /**
   * The action of the next transition on the way from the initial configuration to the gold tree; −1 where the
   * system cannot build it. The label, for LEFT and RIGHT, is the gold one of the dependent.
   */
  next(configuration: StackConfiguration): number;
}

/** Tells of every configuration, on the way to the gold tree or off it, what is best (Goldberg & Nivre 2012). */
export interface DynamicOracle {
  /** Takes the tree to be built. */
  start(gold: GoldTree): void;
  /** How many gold arcs are lost by an action that is permitted; one action at least costs nothing. */
  cost(configuration: StackConfiguration, action: number): number;
}

/** What the oracle says, of a tree that the system must be able to build. */
export function nextAction(oracle: Oracle, configuration: StackConfiguration): number {
  const action = oracle.next(configuration);
  if (action === -1) throw new Error('a tree that the transition system cannot build');
  return action;
}

/** The head of the arc that LEFT or RIGHT would make now. */
export function headOf(system: TransitionSystem, configuration: StackConfiguration, action: number): number {
  const ends = system.ends(action);
  return action === LEFT ? ends.right(configuration) : ends.left(configuration);
}

/** The dependent of the arc that LEFT or RIGHT would make now. */
export function dependentOf(
  system: TransitionSystem,
  configuration: StackConfiguration,
  action: number,
): number {
  const ends = system.ends(action);
  return action === LEFT ? ends.left(configuration) : ends.right(configuration);
}
