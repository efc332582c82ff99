import type { SvmMulticlass } from './multiclass.ts';

/** Loss of an example whose margin falls short of 1 by ξ: C·ξ (`l1`) or C·ξ² (`l2`). */
export type SvmLoss = 'l1' | 'l2';

/**
 * Default of C. On UD English EWT dev (60,000 training examples, L2 loss) it gets 0.15 points more transitions right
 * than LIBLINEAR's default of 1, and 0.01 points fewer labels. It converges in some 50 passes; with 1, a hundred are
 * not enough.
 */
export const DEFAULT_COST = 0.1;
export const DEFAULT_EPSILON = 0.1;

/** Options of training; by default one-vs-rest with the L2 loss. */
export interface SvmOptions {
  readonly classes: number;
  readonly multiclass?: SvmMulticlass | undefined;
  readonly loss?: SvmLoss | undefined;
  /** C, the weight of the losses against ½|w|²; default `DEFAULT_COST`. */
  readonly cost?: number | undefined;
  /**
   * Training ends when the projected gradients of the dual problem differ by no more than this; default
   * `DEFAULT_EPSILON`. Weights have single precision: a value below about 0.0001 may never be reached.
   */
  readonly epsilon?: number | undefined;
  /** Limit on the passes over the examples; default 1000, as in LIBLINEAR. */
  readonly maxPasses?: number | undefined;
  /** Value of an additional feature that every example has (LIBLINEAR's `-B`); absent: no such feature. */
  readonly bias?: number | undefined;
  /** Skip variables that seem to stay at their bound, and check them at the end; default true. */
  readonly shrinking?: boolean | undefined;
  readonly seed?: number | undefined;
  /** Checked between passes and every few thousand examples. */
  readonly signal?: AbortSignal | undefined;
  onPass?(pass: SvmPass): void;
}

export interface SvmPass {
  readonly pass: number;
  /** Number of examples not skipped by shrinking. */
  readonly active: number;
  /** Largest violation of optimality in this pass; training ends once it is below `epsilon`. */
  readonly violation: number;
}
