import type { Examples } from './examples.ts';
import type { LinearModel } from './linear-model.ts';

/**
 * The class with the highest score for every example, of equals the first. Features that the model does not
 * know count nothing; targets are not read.
 */
export function predict({ classes, size, bias, weights }: LinearModel, examples: Examples): Int32Array {
  const { count, offsets, features, values } = examples;
  const scores = new Float64Array(classes);
  const predicted = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < classes; c++) scores[c] = bias === undefined ? 0 : bias * weights[size * classes + c];
    for (let k = offsets[i]; k < offsets[i + 1]; k++) {
      const feature = features[k];
      if (feature >= size) continue;
      const value = values?.[k] ?? 1;
      for (let c = 0; c < classes; c++) scores[c] += weights[feature * classes + c] * value;
    }
    for (let c = 1; c < classes; c++) if (scores[c] > scores[predicted[i]]) predicted[i] = c;
  }
  return predicted;
}
