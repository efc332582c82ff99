import { quantized } from '../../../src/learn/linear/weights.ts';
import { Random } from '../../../src/learn/random.ts';
import { type Examples, SparseExamples } from '../../../src/learn/svm/examples.ts';
import { PolynomialFeatures } from '../../../src/learn/svm/polynomial-features.ts';
import { addRows, rowScores } from '../../../src/learn/svm/row-products.ts';
import { trainPolynomialSvm } from '../../../src/learn/svm/train.ts';
import { Turns, yieldToEvents } from '../../../src/threads/scheduling.ts';
import type { TaskContext } from '../../../src/threads/worker-pool.ts';
import type { Example } from '../../../src/training/examples.ts';
import type { FeatureSet } from '../features.ts';
import type { YamadaMatsumotoModel } from '../model.ts';
import type { ClassifierLearner } from '../settings.ts';
import { NONE } from '../system.ts';
import type { Machines } from './classifier.ts';

/** Limits on the size of a classifier: 2^n rows of weights. */
const FEWEST_BITS = 10;
const MOST_BITS = 26;

interface ClassifierOptions extends Machines {
  readonly learner?: ClassifierLearner | undefined;
  /** log₂ of the number of rows of weights: in a task, of its classifier; in options, roughly of all together. */
  readonly bits: number;
  readonly cost: number;
  readonly seed: number;
}

/** A classifier to train: its examples and options. */
export interface ClassifierTask extends ClassifierOptions {
  readonly examples: Examples;
  readonly classes: number;
  /** Estimated training time, for scheduling and progress. */
  readonly work: number;
}

/** Trains a classifier. Returns weights: subsets of features × classes (or pairs of classes); none for a single class. */
export async function run(task: ClassifierTask, { signal }: Pick<TaskContext, 'signal'>) {
  if (task.classes === 1) return new Int16Array(0);
  if (task.learner === 'averaged-perceptron') return quantized(await trainPerceptron(task, signal));
  const { weights } = await trainPolynomialSvm(task.examples, { ...task, signal });
  return quantized(weights);
}

const PERCEPTRON_PASSES = 10;

/** Trains an averaged perceptron with the kernel (x·x′ + 1)^d; its weights have the layout of support vector machines. */
async function trainPerceptron(task: ClassifierTask, signal: AbortSignal | undefined) {
  const { classes, degree, bits, seed, examples } = task;
  const { offsets, features, targets, count } = examples;
  const rows = new PolynomialFeatures(degree, bits, classes);
  const weights = new Float32Array(classes * 2 ** bits);
  // Changes of each weight times the number of examples before them, for averaging at the end (Daumé 2006, fig. 2.4).
  const changes = new Float32Array(weights.length);
  const all = Int32Array.from({ length: classes }, (_, c) => c);
  const scores = new Float64Array(classes);
  const moving = new Int32Array(2);
  const steps = Float64Array.of(1, -1);
  const changing = new Float64Array(2);
  const order = Int32Array.from({ length: count }, (_, i) => i);
  const random = new Random(seed);
  let seen = 1;
  const learn = (i: number) => {
    const listed = rows.expand(features, offsets[i + 1] - offsets[i], offsets[i]);
    rowScores(weights, rows.indices, rows.values, listed, all, classes, scores);
    let best = 0;
    for (let c = 1; c < classes; c++) if (scores[c] > scores[best]) best = c;
    if (best !== targets[i]) {
      moving[0] = targets[i];
      moving[1] = best;
      for (let j = 0; j < 2; j++) changing[j] = steps[j] * seen;
      addRows(weights, rows.indices, rows.values, listed, moving, 2, steps);
      addRows(changes, rows.indices, rows.values, listed, moving, 2, changing);
    }
    seen++;
  };
  const turns = new Turns(signal);
  for (let pass = 0; pass < PERCEPTRON_PASSES; pass++) await turns.forEach(random.shuffle(order), learn);
  return weights.map((weight, k) => weight - changes[k] / seen);
}

/** Divides the rows of weights among the classifiers by the sizes of their examples. */
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

/** Collects examples of the actions that build projective gold trees, split by the tag of the left node in focus. */
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
    while (!configuration.isComplete) {
      const action = oracle.next(configuration);
      if (action === NONE) throw new Error('a tree that the transition system cannot build');
      window.extract(configuration);
      split.add(model.tagOf(sentence, configuration.row[configuration.focus]), window.set, action);
      system.apply(configuration, action);
    }
  });
}

/** Collects examples of the labels of gold arcs, split by the tag of the dependent. */
export function labelExamples(
  model: YamadaMatsumotoModel,
  sentences: readonly Example[],
  signal: AbortSignal | undefined,
): Promise<TagExamples[]> {
  const { arcs } = model;
  return collect(sentences, signal, (sentence, split) => {
    arcs.prepareTree(sentence, sentence.heads);
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
  await yieldToEvents(signal);
  await new Turns(signal).forEach(sentences, (sentence) => add(sentence, split));
  return split.finish();
}

/** The examples of one tag. */
export interface TagExamples {
  readonly tag: number;
  /** The classes that occur, ascending; targets of `examples` are indices into them. */
  readonly classes: Int32Array;
  readonly examples: SparseExamples;
}

/** Examples split by tag. */
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

/** Replaces targets by indices into the ascending list of distinct targets, which is returned. */
function numberTargets({ targets, count }: SparseExamples): Int32Array {
  const classes = Int32Array.from(new Set(targets.subarray(0, count))).sort();
  for (let i = 0; i < count; i++) targets[i] = classes.indexOf(targets[i]);
  return classes;
}

/** Returns the bit set of the features that occur in examples. */
export function knownFeatures({ features, offsets, count }: Examples, featureCount: number): Uint8Array {
  const known = new Uint8Array((featureCount + 7) >> 3);
  for (let k = 0; k < offsets[count]; k++) known[features[k] >> 3] |= 1 << (features[k] & 7);
  return known;
}
