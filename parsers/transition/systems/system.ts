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

/**
 * What a transition does to a configuration; every system has some of these actions. LEFT and RIGHT make an
 * arc between a pair of nodes (node-pair.ts). In all systems they mean what they do in Nivre (2008):
 * LEFT makes an arc that points to the left, so that the left one of the pair becomes the dependent; RIGHT
 * makes the right one the dependent.
 */
export const SHIFT = 0;
export const LEFT = 1;
export const RIGHT = 2;
export const REDUCE = 3;
export const SWAP = 4;
export const UNSHIFT = 5;
/** One more than the largest action. */
export const ACTIONS = 6;

/** What they are called, by number. */
export const actionNames = ['SHIFT', 'LEFT', 'RIGHT', 'REDUCE', 'SWAP', 'UNSHIFT'] as const;

/** Whether transitions with an action make an arc, and so have a label. */
export function hasLabel(action: number): boolean {
  return action === LEFT || action === RIGHT;
}

/** A pair of nodes that an arc may be between. */
export interface NodePair {
  /** The left and the right one, as templates call them. */
  readonly names: readonly [left: string, right: string];
  /** Nodes whose agreement and case tell about the pair. */
  readonly around: readonly string[];
  /** The left one in a configuration; −1: none. */
  left(configuration: StackConfiguration): number;
  /** The right one in a configuration; −1: none. */
  right(configuration: StackConfiguration): number;
  /** The node that either may be connected with next; −1: none. */
  third(configuration: StackConfiguration): number;
}

/** The top of the stack and the front of the buffer. */
export const topAndNext: NodePair = {
  names: ['s0', 'b0'],
  around: ['s0L', 's0R', 's0H', 'b0L', 'b1'],
  left: (configuration) => configuration.stack(0),
  right: (configuration) => configuration.buffer(0),
  third: (configuration) => configuration.stack(1),
};

/** The two topmost tokens of the stack. */
export const twoTopmost: NodePair = {
  names: ['s1', 's0'],
  around: ['s1L', 's1R', 's0L', 's0R', 'b0'],
  left: (configuration) => configuration.stack(1),
  right: (configuration) => configuration.stack(0),
  third: (configuration) => configuration.buffer(0),
};

/** The transition of a configuration that is complete: none. */
export const IDLE = -1;

/** A transition as one number. */
export function transitionOf(action: number, label: number): number {
  return action | (label << 3);
}

export function actionOf(transition: number): number {
  return transition & 7;
}

export function labelOf(transition: number): number {
  return transition >> 3;
}
