import type { Examples } from './examples.ts';
import { columnsOf, scoreByPairs } from './multiclass.ts';

/** Limit on the weights of a model: their indices are signed 32-bit integers. */
export const MOST_WEIGHTS = 2 ** 31 - 1;

/** A linear classifier by the highest Σ weights[feature * classes + class] · value, or by votes of pairs. */
export interface LinearModel {
  readonly classes: number;
  /** Number of features; a bias is one more. */
  readonly size: number;
  readonly bias: number | undefined;
  /** Set if weights belong to pairs of classes. */
  readonly multiclass?: 'pairwise' | undefined;
  /** At feature * classes + class, or feature * pairs + pair (`pairOf`); in shared memory. */
  readonly weights: Float32Array;
}

export interface LinearSvm extends LinearModel {
  /** Minimum found of the dual objective (as LIBLINEAR prints it), summed over the binary problems. */
  readonly objective: number;
  readonly passes: number;
  readonly converged: boolean;
}

/** Predicts the class of every example; the first wins ties, unknown features count nothing, targets are not read. */
export function predict(model: LinearModel, examples: Examples): Int32Array {
  const { classes, multiclass } = model;
  const scores = new Float64Array(classes);
  const sums = multiclass === 'pairwise' ? new Float64Array(columnsOf(model)) : scores;
  const predicted = new Int32Array(examples.count);
  for (let i = 0; i < examples.count; i++) {
    sum(model, examples, i, sums);
    if (multiclass === 'pairwise') scoreByPairs(sums, classes, scores);
    for (let c = 1; c < classes; c++) if (scores[c] > scores[predicted[i]]) predicted[i] = c;
  }
  return predicted;
}

function sum(
  { size, bias, weights }: LinearModel,
  { offsets, features, values }: Examples,
  i: number,
  sums: Float64Array,
): void {
  const columns = sums.length;
  for (let c = 0; c < columns; c++) sums[c] = bias === undefined ? 0 : bias * weights[size * columns + c];
  for (let k = offsets[i]; k < offsets[i + 1]; k++) {
    const feature = features[k];
    if (feature >= size) continue;
    const value = values?.[k] ?? 1;
    for (let c = 0; c < columns; c++) sums[c] += weights[feature * columns + c] * value;
  }
}
