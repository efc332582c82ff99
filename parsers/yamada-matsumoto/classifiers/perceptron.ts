import { Random } from '../../../src/learn/random.ts';
import type { Examples } from '../../../src/learn/svm/examples.ts';
import { type PolynomialDegree, PolynomialFeatures } from '../../../src/learn/svm/polynomial-features.ts';
import { addRows, rowScores } from '../../../src/learn/svm/row-products.ts';
import { Turns } from '../../../src/threads/scheduling.ts';

const PASSES = 10;

interface PerceptronOptions {
  readonly classes: number;
  readonly degree: PolynomialDegree;
  readonly bits: number;
  readonly seed: number;
  readonly signal?: AbortSignal | undefined;
}

/** Trains the averaged perceptron with the kernel (x·x′ + 1)^d over the same rows of weights as the support vector machines. */
export async function trainPerceptron(examples: Examples, options: PerceptronOptions): Promise<Float32Array> {
  const { classes, degree, bits, seed, signal } = options;
  const { offsets, features, targets, count } = examples;
  const rows = new PolynomialFeatures(degree, bits, classes);
  const weights = new Float32Array(classes * 2 ** bits);
  // Changes of each weight times the number of examples before them: the mean is found at the end (Daumé 2006, fig. 2.4).
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
  for (let pass = 0; pass < PASSES; pass++) await turns.forEach(random.shuffle(order), learn);
  return weights.map((weight, k) => weight - changes[k] / seen);
}
