import type { SvmMulticlass } from './multiclass.ts';

/** What an example with a margin below 1 costs: C·ξ (`l1`) or C·ξ² (`l2`). */
export type SvmLoss = 'l1' | 'l2';

/**
 * C where nothing else is asked for. On UD English EWT dev, 60,000 training examples, L2 loss, it gets 0.15
 * points more transitions right than LIBLINEAR's default of 1, and as many labels but for 0.01 points; it
 * converges in some 50 passes, where with 1 a hundred are not enough.
 */
export const DEFAULT_COST = 0.1;
/** LIBLINEAR's. */
export const DEFAULT_EPSILON = 0.1;

/** Defaults: one-vs-rest, the L2 loss. */
export interface SvmOptions {
  /** Classes are numbered from 0 to classes − 1. */
  readonly classes: number;
  readonly multiclass?: SvmMulticlass | undefined;
  readonly loss?: SvmLoss | undefined;
  /** C: what a violated margin costs, against ½|w|²; default `DEFAULT_COST`. */
  readonly cost?: number | undefined;
  /**
   * Training ends where no projected gradient of the dual problem is off by more than about this; default
   * `DEFAULT_EPSILON`. Weights have single precision: below 0.0001 or so it may never be reached.
   */
  readonly epsilon?: number | undefined;
  /** Passes over the examples after which training ends, converged or not; default 1000, as in LIBLINEAR. */
  readonly maxPasses?: number | undefined;
  /** The value of one feature more that every example has (LIBLINEAR's `-B`); absent: no such feature. */
  readonly bias?: number | undefined;
  /** Leave out variables that look settled, and check them at the end; default true. */
  readonly shrinking?: boolean | undefined;
  readonly seed?: number | undefined;
  /** Looked at between passes and every few thousand examples. */
  readonly signal?: AbortSignal | undefined;
  onPass?(pass: SvmPass): void;
}

/** How far training is, after each pass. */
export interface SvmPass {
  /** From 1. */
  readonly pass: number;
  /** How many examples are still looked at. */
  readonly active: number;
  /** The largest violation of optimality in this pass; training ends once it is below `epsilon`. */
  readonly violation: number;
}
