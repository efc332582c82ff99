import { quantized } from '../../../src/learn/linear/weights.ts';
import type { Examples } from '../../../src/learn/svm/examples.ts';
import type { SvmMulticlass } from '../../../src/learn/svm/multiclass.ts';
import { type PolynomialDegree, PolynomialFeatures } from '../../../src/learn/svm/polynomial-features.ts';
import { trainPolynomialSvm } from '../../../src/learn/svm/train.ts';
import type { TagExamples } from '../learning-examples.ts';
import type { Machines } from './classifier-set.ts';

/** Fewer and more weights than this a classifier never has: 2^n rows. */
const FEWEST_BITS = 10;
const MOST_BITS = 26;

/** What a classifier learns from, and how: data that can be sent to a thread. */
export interface ClassifierTask {
  readonly examples: Examples;
  readonly classes: number;
  readonly degree: PolynomialDegree;
  readonly multiclass: SvmMulticlass;
  readonly bits: number;
  readonly cost: number;
  readonly seed: number;
  /** About how much work it is, to be compared with that of other tasks. */
  readonly work: number;
}

/** Trains a classifier; gives its weights [subset × classes], or of pairs of classes, none where there is but one class. */
export async function trainClassifier(task: ClassifierTask, signal?: AbortSignal): Promise<Int16Array> {
  if (task.classes === 1) return new Int16Array(0);
  const { weights } = await trainPolynomialSvm(task.examples, { ...task, signal });
  return quantized(weights);
}

export interface ClassifierOptions extends Machines {
  /** All classifiers together have about 2^bits rows of weights. */
  readonly bits: number;
  readonly cost: number;
  readonly seed: number;
}

/**
 * The tasks of classifiers, one for each tag. Each gets the share of all rows of weights, to a power of two,
 * that its examples have of all subsets of features.
 */
export function classifierTasks(parts: readonly TagExamples[], options: ClassifierOptions): ClassifierTask[] {
  const sizes = parts.map(({ examples }) => subsetsOf(examples, options.degree));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return parts.map(({ examples, classes }, m) => {
    const bits = Math.round(options.bits + Math.log2(sizes[m] / total));
    return {
      ...options,
      examples,
      classes: classes.length,
      bits: Math.min(Math.max(bits, FEWEST_BITS), MOST_BITS),
      work: sizes[m] * classes.length,
    };
  });
}

/** How many subsets all examples have, each counted as often as it occurs. */
function subsetsOf({ offsets, count }: Examples, degree: PolynomialDegree): number {
  const expansion = new PolynomialFeatures(degree, 1);
  let subsets = 0;
  for (let i = 0; i < count; i++) subsets += expansion.subsets(offsets[i + 1] - offsets[i]);
  return subsets;
}
