import { Random } from '../../src/learn/random.ts';
import { type Examples, SparseExamples } from '../../src/learn/svm/examples.ts';
import type { LinearModel } from '../../src/learn/svm/linear-model.ts';

/** The shape of a made-up classification problem. */
export interface ProblemShape {
  readonly seed: number;
  readonly count: number;
  readonly size: number;
  readonly classes: number;
  /** The number of features of each example, all different. */
  readonly active: number;
  /** Whether features have values, from −1 to 1 in steps of 1/8. */
  readonly values?: boolean;
}

/**
 * Examples from a seed. Each feature has a favourite class, and an example has the class that most of its features
 * favour. One in eight has a random class, so that not all margins can be kept. The first examples have the classes
 * 0, 1, …, so that labels appear in this order.
 */
export function madeUpExamples(shape: ProblemShape): SparseExamples {
  const { seed, count, size, classes, active } = shape;
  const random = new Random(seed);
  const favourites = Int32Array.from({ length: size }, () => random.below(classes));
  const examples = new SparseExamples();
  const all = Int32Array.from({ length: size }, (_, feature) => feature);
  for (let i = 0; i < count; i++) {
    const features = random.shuffle(all).slice(0, active).sort();
    const values = Float32Array.from(features, () => (random.below(16) - 8) / 8 || 1);
    const noisy = random.below(8) === 0;
    const target = noisy ? random.below(classes) : mostVotes(features, favourites, classes);
    if (shape.values) examples.addWithValues(features, values, active, i < classes ? i : target);
    else examples.add(features, active, i < classes ? i : target);
  }
  return examples;
}

function mostVotes(features: Int32Array, favourites: Int32Array, classes: number): number {
  const votes = new Int32Array(classes);
  for (const feature of features) votes[favourites[feature]]++;
  return votes.indexOf(Math.max(...votes));
}

/** The scores of example i for all classes, computed by the definition. */
export function scoresOf(
  { classes, size, bias, weights }: LinearModel,
  examples: Examples,
  i: number,
): number[] {
  const { offsets, features, values } = examples;
  return Array.from({ length: classes }, (_, c) => {
    let sum = bias === undefined ? 0 : weights[size * classes + c] * bias;
    for (let k = offsets[i]; k < offsets[i + 1]; k++)
      sum += weights[features[k] * classes + c] * (values?.[k] ?? 1);
    return sum;
  });
}
