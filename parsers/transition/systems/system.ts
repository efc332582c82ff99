import type { StackConfiguration } from './stack-configuration.ts';

/** The actions of all systems. As in Nivre (2008), LEFT makes the left node of a pair the dependent, RIGHT the right one. */
export const SHIFT = 0;
export const LEFT = 1;
export const RIGHT = 2;
export const REDUCE = 3;
export const SWAP = 4;
export const UNSHIFT = 5;
export const ACTIONS = 6;

export const actionNames = ['SHIFT', 'LEFT', 'RIGHT', 'REDUCE', 'SWAP', 'UNSHIFT'] as const;

export const hasLabel = (action: number): boolean => action === LEFT || action === RIGHT;

/** Two nodes between which the next arc may be made. */
export interface NodePair {
  /** Names of the left and the right node in templates. */
  readonly names: readonly [left: string, right: string];
  /** Further nodes whose morphology is informative about the pair, as named in templates. */
  readonly around: readonly string[];
  left(configuration: StackConfiguration): number;
  right(configuration: StackConfiguration): number;
  /** The node to which either may be connected next; −1: none. */
  third(configuration: StackConfiguration): number;
}

export const topAndNext: NodePair = {
  names: ['s0', 'b0'],
  around: ['s0L', 's0R', 's0H', 'b0L', 'b1'],
  left: (configuration) => configuration.stack(0),
  right: (configuration) => configuration.buffer(0),
  third: (configuration) => configuration.stack(1),
};

export const twoTopmost: NodePair = {
  names: ['s1', 's0'],
  around: ['s1L', 's1R', 's0L', 's0R', 'b0'],
  left: (configuration) => configuration.stack(1),
  right: (configuration) => configuration.stack(0),
  third: (configuration) => configuration.buffer(0),
};

/** The transition of a complete configuration, which does nothing. */
export const IDLE = -1;

export const transitionOf = (action: number, label: number): number => action | (label << 3);
export const actionOf = (transition: number): number => transition & 7;
export const labelOf = (transition: number): number => transition >> 3;

export type GoldTree = { readonly length: number; readonly heads: Int32Array; readonly labels: Int32Array };

/**
 * A transition system (Nivre 2008, §3): configurations, and the transitions between them. A transition is an action and,
 * for LEFT and RIGHT, the number of a label. Systems have no state: a configuration can be reused for other sentences,
 * and copied in a beam. A system declares everything that learners, features and options depend on.
 */
export interface TransitionSystem {
  readonly actions: readonly number[];
  /** The pair of nodes that features are about. */
  readonly focus: NodePair;
  readonly templates: readonly string[];
  readonly isProjective: boolean;
  start(configuration: StackConfiguration, length: number): void;
  isComplete(configuration: StackConfiguration): boolean;
  /** Whether an action is permitted; at least one is until the configuration is complete. */
  permits(configuration: StackConfiguration, action: number): boolean;
  /** Makes a transition; `label` is ignored except for LEFT and RIGHT. */
  apply(configuration: StackConfiguration, action: number, label: number): void;
  /** The two ends of the arc that LEFT or RIGHT would make. */
  ends(action: number): NodePair;
  createOracle(): Oracle;
  createDynamicOracle?(): DynamicOracle;
}

/** A static oracle, which follows one path to the gold tree. */
export interface Oracle {
  start(gold: GoldTree): void;
  /** Returns the next action towards the gold tree; −1 if it cannot be built. */
  next(configuration: StackConfiguration): number;
}

/** A dynamic oracle: costs of actions in any configuration, even off the path to the gold tree (Goldberg & Nivre 2012). */
export interface DynamicOracle {
  start(gold: GoldTree): void;
  /** Returns the number of gold arcs that a permitted action makes unreachable; at least one action costs nothing. */
  cost(configuration: StackConfiguration, action: number): number;
}

export const UNBUILDABLE = 'a tree that the transition system cannot build';

/** Returns the oracle's next action; throws for a tree that the system cannot build. */
export function nextAction(oracle: Oracle, configuration: StackConfiguration): number {
  const action = oracle.next(configuration);
  if (action === -1) throw new Error(UNBUILDABLE);
  return action;
}

/** Builds a gold tree in `configuration`, and returns the transitions; undefined if the oracle has no permitted action. */
export function goldTransitions(
  system: TransitionSystem,
  oracle: Oracle,
  configuration: StackConfiguration,
  gold: GoldTree,
): number[] | undefined {
  const transitions: number[] = [];
  system.start(configuration, gold.length);
  oracle.start(gold);
  while (!system.isComplete(configuration)) {
    const action = oracle.next(configuration);
    if (action === -1 || !system.permits(configuration, action)) return undefined;
    const label = hasLabel(action) ? gold.labels[dependentOf(system, configuration, action)] : 0;
    transitions.push(transitionOf(action, label));
    system.apply(configuration, action, label);
  }
  return transitions;
}

export function headOf(system: TransitionSystem, configuration: StackConfiguration, action: number): number {
  const ends = system.ends(action);
  return action === LEFT ? ends.right(configuration) : ends.left(configuration);
}

export function dependentOf(system: TransitionSystem, configuration: StackConfiguration, action: number) {
  const ends = system.ends(action);
  return action === LEFT ? ends.left(configuration) : ends.right(configuration);
}
