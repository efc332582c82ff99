/** The most weights that a model may have: their indices are whole numbers of 32 bits, signed. */
export const MOST_WEIGHTS = 2 ** 31 - 1;

/**
 * The class of an example is the one with the highest Σ weights[feature * classes + class] · value; or, pairwise, the one
 * that the sums of the pairs of classes speak for (`scoreByPairs`).
 */
export interface LinearModel {
  readonly classes: number;
  /** Weights are over features 0…size − 1, and a last one where there is a bias. */
  readonly size: number;
  readonly bias: number | undefined;
  /** Where weights are those of pairs of classes. */
  readonly multiclass?: 'pairwise' | undefined;
  /** (feature * classes + class), or of pairs likewise (`pairOf`); over shared memory. */
  readonly weights: Float32Array;
}

/** A model and how its training went. */
export interface LinearSvm extends LinearModel {
  /** The dual objective, to be minimised (as LIBLINEAR prints it), summed over the binary problems. */
  readonly objective: number;
  readonly passes: number;
  /** Whether training ended because the optimum was reached. */
  readonly converged: boolean;
}
