/** What a transition does to a configuration; every system has some of these kinds. LEFT and RIGHT make an arc. */
export const SHIFT = 0;
export const LEFT = 1;
export const RIGHT = 2;
export const REDUCE = 3;
export const SWAP = 4;
export const UNSHIFT = 5;
/** One more than the largest kind. */
export const KINDS = 6;

/** The kinds by number, as messages and tables call them. */
export const kindNames = ['shift', 'left', 'right', 'reduce', 'swap', 'unshift'] as const;

/** Whether transitions of a kind make an arc, and so have a label. */
export function hasLabel(kind: number): boolean {
  return kind === LEFT || kind === RIGHT;
}

/** A tree to learn from: `heads` as everywhere, `labels` by number; entry 0 of `labels` is not used. */
export interface GoldTree {
  readonly length: number;
  readonly heads: Int32Array;
  readonly labels: Int32Array;
}

/** The tree built so far, of every system: −1 is the head of a token that has none yet. */
export interface PartialTree {
  head(token: number): number;
  label(token: number): number;
}

/**
 * A way to build a tree token by token (Nivre 2008, §3): configurations, and the transitions between them.
 * A transition is a kind and, for LEFT and RIGHT, the number of a label. Systems have no state: one
 * configuration object can be started again for sentence after sentence, and copied in a beam.
 */
export interface TransitionSystem<Configuration extends PartialTree> {
  readonly name: string;
  /** The kinds that it has, in ascending order. */
  readonly kinds: readonly number[];
  /** A configuration of no sentence yet. */
  create(): Configuration;
  /** Makes it the initial configuration of a sentence. */
  start(configuration: Configuration, length: number): void;
  /** No transition is left; the configuration holds a whole tree. */
  isComplete(configuration: Configuration): boolean;
  /** Whether a kind may come next; one of them may wherever the configuration is not complete. */
  permits(configuration: Configuration, kind: number): boolean;
  /** Goes one transition on; `label` counts for LEFT and RIGHT alone. */
  apply(configuration: Configuration, kind: number, label: number): void;
  /** The head of the arc that LEFT or RIGHT would make now. */
  headOf(configuration: Configuration, kind: number): number;
  /** The dependent of the arc that LEFT or RIGHT would make now. */
  dependentOf(configuration: Configuration, kind: number): number;
  createOracle(): Oracle<Configuration>;
}

/** Tells the way to a gold tree. */
export interface Oracle<Configuration> {
  /** Takes the tree to be built. */
  start(gold: GoldTree): void;
  /**
   * The kind of the next transition on the way from the initial configuration to the gold tree; −1 where the
   * system cannot build it. The label, for LEFT and RIGHT, is the gold one of the dependent.
   */
  next(configuration: Configuration): number;
}

/** What the oracle says, of a tree that the system must be able to build. */
export function nextKind<Configuration>(oracle: Oracle<Configuration>, configuration: Configuration): number {
  const kind = oracle.next(configuration);
  if (kind === -1) throw new Error('a tree that the transition system cannot build');
  return kind;
}
