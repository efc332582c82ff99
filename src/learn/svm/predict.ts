import type { Examples } from './examples.ts';
import type { LinearModel } from './linear-model.ts';
import { columnsOf } from './multiclass.ts';
import { scoreByPairs } from './pairs.ts';

/**
 * The class with the highest score for every example, of equals the first. Features that the model does not
 * know count nothing; targets are not read.
 */
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

/** Σ weight · value of example i, for each column of weights. */
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
