import { quantized } from '../../../src/learn/linear/weights.ts';
import type { Examples } from '../../../src/learn/svm/examples.ts';
import type { SvmMulticlass } from '../../../src/learn/svm/multiclass.ts';
import { type PolynomialDegree, PolynomialFeatures } from '../../../src/learn/svm/polynomial-features.ts';
import { trainPolynomialSvm } from '../../../src/learn/svm/train.ts';
import type { TagExamples } from '../learning-examples.ts';
import type { Machines } from './classifier-set.ts';

/** Limits on the size of a classifier: 2^n rows of weights. */
const FEWEST_BITS = 10;
const MOST_BITS = 26;

export interface ClassifierTask {
  readonly examples: Examples;
  readonly classes: number;
  readonly degree: PolynomialDegree;
  readonly multiclass: SvmMulticlass;
  readonly bits: number;
  readonly cost: number;
  readonly seed: number;
  readonly work: number;
}

/** Trains a classifier. weights: subsets × classes (or pairs of classes); empty for a single class. */
export async function trainClassifier(task: ClassifierTask, signal?: AbortSignal): Promise<Int16Array> {
  if (task.classes === 1) return new Int16Array(0);
  const { weights } = await trainPolynomialSvm(task.examples, { ...task, signal });
  return quantized(weights);
}

interface ClassifierOptions extends Machines {
  /** log₂ of the approximate number of rows of weights in all classifiers. */
  readonly bits: number;
  readonly cost: number;
  readonly seed: number;
}

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

function subsetsOf({ offsets, count }: Examples, degree: PolynomialDegree): number {
  const expansion = new PolynomialFeatures(degree, 1);
  let subsets = 0;
  for (let i = 0; i < count; i++) subsets += expansion.subsets(offsets[i + 1] - offsets[i]);
  return subsets;
}
