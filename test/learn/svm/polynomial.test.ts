import fc from 'fast-check';
import SVM from 'libsvm-js/asm.js';
import { describe, expect, test } from 'vitest';
import { SparseExamples } from '../../../src/learn/svm/examples.ts';
import {
  type PolynomialDegree,
  PolynomialFeatures,
  subsetWeights,
} from '../../../src/learn/svm/polynomial-features.ts';
import { trainLinearSvm, trainPolynomialSvm } from '../../../src/learn/svm/train.ts';
import { madeUpExamples } from '../../support/classification.ts';

const degrees: readonly PolynomialDegree[] = [1, 2, 3];
const sets = fc.uniqueArray(fc.integer(), { maxLength: 12 });

function binomial(n: number, k: number): number {
  return k === 0 ? 1 : (binomial(n, k - 1) * (n - k + 1)) / k;
}

/** An expansion as a map from indices to values; values with equal indices are added up. */
function expansion(features: PolynomialFeatures, set: readonly number[]): Map<number, number> {
  const count = features.expand(Int32Array.from(set), set.length);
  const vector = new Map<number, number>();
  for (let k = 0; k < count; k++) {
    const index = features.indices[k];
    vector.set(index, (vector.get(index) ?? 0) + features.values[k]);
  }
  return vector;
}

/** All orders of some numbers. */
function orders(set: readonly number[]): number[][] {
  if (set.length === 0) return [[]];
  return set.flatMap((first) => orders(set.filter((one) => one !== first)).map((rest) => [first, ...rest]));
}

function product(one: Map<number, number>, other: Map<number, number>): number {
  return [...one].reduce((sum, [index, value]) => sum + value * (other.get(index) ?? 0), 0);
}

describe.each(degrees)('the explicit features of the kernel of degree %i', (degree) => {
  test('count each subset of r common features c_d(r) times: (1 + k)^d = Σ c_d(r) C(k, r)', () => {
    for (let k = 0; k <= 20; k++) {
      const sum = subsetWeights[degree].reduce((total, weight, r) => total + weight * binomial(k, r), 0);
      expect(sum).toBe((1 + k) ** degree);
    }
  });

  test('include one feature for each subset of at most d features, in any order', () => {
    const features = new PolynomialFeatures(degree, 30);
    fc.assert(
      fc.property(sets, (set) => {
        const subsets = Array.from({ length: degree + 1 }, (_, r) => binomial(set.length, r));
        const expected = subsets.reduce((sum, subset) => sum + subset, 0);
        expect(features.subsets(set.length)).toBe(expected);
        const vector = expansion(features, set);
        expect(features.expand(Int32Array.from(set), set.length)).toBe(expected);
        expect(expansion(features, [...set].reverse())).toEqual(vector);
        for (const index of vector.keys()) expect(index >= 0 && index < 2 ** 30).toBe(true);
      }),
    );
  });

  test('share a score among single features by their Shapley values: their mean gain over all orders', () => {
    const features = new PolynomialFeatures(degree, 20);
    const weightOf = (index: number) => ((index * 2654435761) % 1009) - 504;
    const score = (set: readonly number[]) =>
      [...expansion(features, set)].reduce((sum, [index, value]) => sum + weightOf(index) * value, 0);
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer(), { maxLength: 5 }), (set) => {
        const all = orders(set);
        const gainOf = (feature: number) =>
          all.reduce((sum, order) => {
            const before = order.slice(0, order.indexOf(feature));
            return sum + score([...before, feature]) - score(before);
          }, 0) / all.length;
        features.expand(Int32Array.from(set), set.length);
        const shares = features.shares(set.length, (subset) => weightOf(features.indices[subset]));
        set.forEach((feature, k) => {
          expect(shares[k]).toBeCloseTo(gainOf(feature), 3);
        });
        expect(shares[set.length]).toBeCloseTo(score([]), 3);
      }),
      { numRuns: 20 },
    );
  });

  test('have the kernel as their inner product', () => {
    const features = new PolynomialFeatures(degree, 30);
    fc.assert(
      fc.property(sets, sets, sets, (common, left, right) => {
        const one = [...new Set([...common, ...left])];
        const other = [...new Set([...common, ...right])];
        const shared = one.filter((feature) => other.includes(feature)).length;
        const kernel = (1 + shared) ** degree;
        const error = product(expansion(features, one), expansion(features, other)) - kernel;
        // Two of a thousand subsets share one of 2^30 hashes once in a few thousand runs.
        expect(Math.abs(error)).toBeLessThan(1e-4 * kernel);
      }),
      { seed: 1 },
    );
  });
});

/** The machine that libsvm finds, as in its model file: f(x) = Σ coefficient · K(vector, x) − rho. */
interface KernelMachine {
  readonly rho: number;
  readonly vectors: readonly { readonly coefficient: number; readonly features: readonly number[] }[];
}

function kernelMachine(
  rows: readonly (readonly number[])[],
  labels: readonly number[],
  degree: number,
  cost: number,
): KernelMachine {
  const options = { type: SVM.SVM_TYPES.C_SVC, kernel: SVM.KERNEL_TYPES.POLYNOMIAL, gamma: 1, coef0: 1 };
  const machine = new SVM({ ...options, degree, cost, tolerance: 1e-6, quiet: true });
  machine.train(rows, labels);
  const [header, body] = machine.serializeModel().split('SV\n');
  machine.free();
  const vectors = body!
    .trim()
    .split('\n')
    .map((line) => {
      const [coefficient, ...cells] = line.trim().split(' ');
      const features = cells.map((cell) => cell.split(':').map(Number)).filter(([, value]) => value === 1);
      return { coefficient: Number(coefficient), features: features.map(([index]) => index! - 1) };
    });
  return { rho: Number(/rho (\S+)/.exec(header!)![1]), vectors };
}

function kernel(one: readonly number[], other: readonly number[], degree: number): number {
  return (1 + one.filter((feature) => other.includes(feature)).length) ** degree;
}

/** The dual objective, to be minimised, from the signed dual variables. */
function kernelObjective({ vectors }: KernelMachine, degree: number): number {
  let sum = 0;
  for (const one of vectors) {
    sum -= Math.abs(one.coefficient);
    for (const other of vectors) {
      sum += (one.coefficient * other.coefficient * kernel(one.features, other.features, degree)) / 2;
    }
  }
  return sum;
}

/** Feature f and its mirror image f + MIRROR change places. */
const MIRROR = 12;

/**
 * A problem that is its own mirror image: each example has a counterpart of the other class with mirrored
 * features. The kernel treats both sides alike, so the mirrored optimum with its signs changed is optimal too, and
 * by convexity so is the mean of both, which has no bias. Therefore libsvm's bias, which is not regularised, is 0,
 * and libsvm solves the same problem as we do, although we have no bias except the kernel's constant.
 */
function mirroredExamples(seed: number): SparseExamples {
  const shape = { seed, count: 60, size: 2 * MIRROR, classes: 2, active: 6 };
  const { count, offsets, features, targets } = madeUpExamples(shape);
  const examples = new SparseExamples();
  for (let i = 0; i < count; i++) {
    const set = features.slice(offsets[i], offsets[i + 1]);
    examples.add(set, set.length, targets[i]);
    examples.add(
      set.map((feature) => (feature + MIRROR) % (2 * MIRROR)),
      set.length,
      1 - targets[i],
    );
  }
  return examples;
}

describe.each(degrees)('a linear machine over the features of degree %i', (degree) => {
  test.each([0.01, 1])('equals the kernel machine that libsvm finds, at cost %f', async (cost) => {
    const examples = mirroredExamples(degree);
    const { count, offsets, features, targets } = examples;
    const sets = Array.from({ length: count }, (_, i) => [...features.subarray(offsets[i], offsets[i + 1])]);
    const rows = sets.map((set) => Array.from({ length: 2 * MIRROR }, (_, f) => (set.includes(f) ? 1 : 0)));
    // Class 0 comes first, so that for both programs it is the positive one.
    const labels = [...targets.subarray(0, count)];
    const machine = kernelMachine(rows, labels, degree, cost);
    const options = {
      degree,
      bits: 22,
      classes: 2,
      loss: 'l1',
      cost,
      epsilon: 1e-4,
      maxPasses: 1e5,
    } as const;
    const { weights, objective } = await trainPolynomialSvm(examples, options);
    expect(machine.rho).toBeCloseTo(0, 3);
    // For two classes, the two one-vs-rest problems are the same.
    expect(objective / 2 / kernelObjective(machine, degree)).toBeCloseTo(1, 4);
    const polynomial = new PolynomialFeatures(degree, 22);
    for (const set of sets) {
      let score = 0;
      for (const [index, value] of expansion(polynomial, set)) score += weights[2 * index] * value;
      const expected = machine.vectors.reduce(
        (sum, vector) => sum + vector.coefficient * kernel(vector.features, set, degree),
        -machine.rho,
      );
      expect(score).toBeCloseTo(expected, 2);
    }
  });
});

test('training with few bits finds the optimum over the hashed features, with values of collisions added up', async () => {
  const examples = madeUpExamples({ seed: 3, count: 80, size: 20, classes: 3, active: 5 });
  const features = new PolynomialFeatures(2, 5);
  const hashed = new SparseExamples();
  for (let i = 0; i < examples.count; i++) {
    const set = examples.features.slice(examples.offsets[i], examples.offsets[i + 1]);
    const vector = expansion(features, [...set]);
    const values = Float32Array.from(vector.values());
    hashed.addWithValues(Int32Array.from(vector.keys()), values, vector.size, examples.targets[i]);
  }
  const options = { classes: 3, cost: 0.1, epsilon: 1e-4, maxPasses: 1e5 };
  const expected = await trainLinearSvm(hashed, { ...options, size: 32 });
  const found = await trainPolynomialSvm(examples, { ...options, degree: 2, bits: 5 });
  expect(found.objective / expected.objective).toBeCloseTo(1, 5);
});

test('bits out of range are refused', () => {
  expect(() => new PolynomialFeatures(2, 31)).toThrow('bits must be from 1 to 30, found 31');
});
