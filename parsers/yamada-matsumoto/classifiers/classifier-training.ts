import { quantized } from '../../../src/learn/linear/weights.ts';
import { type Examples, SparseExamples } from '../../../src/learn/svm/examples.ts';
import type { SvmMulticlass } from '../../../src/learn/svm/multiclass.ts';
import { type PolynomialDegree, PolynomialFeatures } from '../../../src/learn/svm/polynomial-features.ts';
import { trainPolynomialSvm } from '../../../src/learn/svm/train.ts';
import { giveWay, Turns } from '../../../src/threads/scheduling.ts';
import type { TaskContext } from '../../../src/threads/worker-pool.ts';
import type { Example } from '../../../src/training/examples.ts';
import type { FeatureSet } from '../features.ts';
import type { YamadaMatsumotoModel } from '../model.ts';
import type { ClassifierLearner } from '../settings.ts';
import { NONE } from '../system.ts';
import type { Machines } from './classifier.ts';
import { trainPerceptron } from './perceptron.ts';

/** Limits on the size of a classifier: 2^n rows of weights. */
const FEWEST_BITS = 10;
const MOST_BITS = 26;

export interface ClassifierTask {
  readonly examples: Examples;
  readonly classes: number;
  readonly degree: PolynomialDegree;
  readonly multiclass: SvmMulticlass;
  readonly learner?: ClassifierLearner | undefined;
  readonly bits: number;
  readonly cost: number;
  readonly seed: number;
  readonly work: number;
}

/** Trains a classifier. weights: subsets × classes (or pairs of classes); empty for a single class. */
export async function run(task: ClassifierTask, { signal }: Pick<TaskContext, 'signal'>) {
  if (task.classes === 1) return new Int16Array(0);
  if (task.learner === 'averaged-perceptron')
    return quantized(await trainPerceptron(task.examples, { ...task, signal }));
  const { weights } = await trainPolynomialSvm(task.examples, { ...task, signal });
  return quantized(weights);
}

interface ClassifierOptions extends Machines {
  readonly learner?: ClassifierLearner | undefined;
  /** log₂ of the approximate number of rows of weights in all classifiers. */
  readonly bits: number;
  readonly cost: number;
  readonly seed: number;
}

export function classifierTasks(parts: readonly TagExamples[], options: ClassifierOptions): ClassifierTask[] {
  const expansion = new PolynomialFeatures(options.degree, 1);
  const sizes = parts.map(({ examples: { offsets, count } }) => {
    const lengths = Array.from({ length: count }, (_, i) => offsets[i + 1] - offsets[i]);
    return lengths.reduce((sum, length) => sum + expansion.subsets(length), 0);
  });
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

/** Examples of the actions that build gold trees (projective), split by the tag of the left node in focus. */
export function actionExamples(
  model: YamadaMatsumotoModel,
  sentences: readonly Example[],
  signal: AbortSignal | undefined,
): Promise<TagExamples[]> {
  const { system, window, configuration, oracle } = model;
  return collect(sentences, signal, (sentence, split) => {
    window.prepare(sentence);
    oracle.start(sentence);
    system.start(configuration, sentence.length);
    while (!system.isComplete(configuration)) {
      const action = oracle.next(configuration);
      if (action === NONE) throw new Error('a tree that the transition system cannot build');
      window.extract(configuration);
      split.add(model.tagOf(sentence, configuration.row[configuration.focus]), window.set, action);
      system.apply(configuration, action);
    }
  });
}

/** Examples of the labels of gold arcs, split by the tag of the dependent. */
export function labelExamples(
  model: YamadaMatsumotoModel,
  sentences: readonly Example[],
  signal: AbortSignal | undefined,
): Promise<TagExamples[]> {
  const { arcs } = model;
  return collect(sentences, signal, (sentence, split) => {
    arcs.prepare(sentence, sentence.heads);
    for (let d = 1; d <= sentence.length; d++) {
      arcs.extract(d);
      split.add(model.tagOf(sentence, d), arcs.set, sentence.labels[d]);
    }
  });
}

async function collect(
  sentences: readonly Example[],
  signal: AbortSignal | undefined,
  add: (sentence: Example, split: SplitExamples) => void,
): Promise<TagExamples[]> {
  const split = new SplitExamples();
  await giveWay(signal);
  await new Turns(signal).forEach(sentences, (sentence) => add(sentence, split));
  return split.finish();
}

export interface TagExamples {
  readonly tag: number;
  readonly classes: Int32Array;
  readonly examples: SparseExamples;
}

export class SplitExamples {
  private readonly byTag = new Map<number, SparseExamples>();

  add(tag: number, { features, count }: FeatureSet, target: number): void {
    let examples = this.byTag.get(tag);
    if (examples === undefined) {
      examples = new SparseExamples();
      this.byTag.set(tag, examples);
    }
    examples.add(features, count, target);
  }

  finish(): TagExamples[] {
    const parts = [...this.byTag].sort(([a], [b]) => a - b);
    return parts.map(([tag, examples]) => ({ tag, classes: numberTargets(examples), examples }));
  }
}

/** Replaces targets by indices into the ascending list of those that occur; returns this list. */
function numberTargets({ targets, count }: SparseExamples): Int32Array {
  const classes = Int32Array.from(new Set(targets.subarray(0, count))).sort();
  for (let i = 0; i < count; i++) targets[i] = classes.indexOf(targets[i]);
  return classes;
}

export function knownFeatures({ features, offsets, count }: Examples, featureCount: number): Uint8Array {
  const known = new Uint8Array((featureCount + 7) >> 3);
  for (let k = 0; k < offsets[count]; k++) known[features[k] >> 3] |= 1 << (features[k] & 7);
  return known;
}
