import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainReader, type SparseExamples } from '../../../src/learn/svm/examples.ts';
import { CrammerSinger } from '../../../src/learn/svm/solvers/crammer-singer.ts';
import { OneVsRest } from '../../../src/learn/svm/solvers/one-vs-rest.ts';
import type { Solver } from '../../../src/learn/svm/solvers/solver.ts';
import { madeUpExamples, scoresOf } from '../../support/classification.ts';
import { expectClose } from '../../support/close.ts';

const EPSILON = 1e-3;

/** After its last check, a gradient may still change by the updates in the rest of the pass. */
const SLACK = 3 * EPSILON;

const shapes = fc.record({
  seed: fc.integer(),
  count: fc.integer({ min: 5, max: 100 }),
  size: fc.integer({ min: 8, max: 30 }),
  classes: fc.integer({ min: 2, max: 5 }),
  active: fc.integer({ min: 1, max: 8 }),
  values: fc.boolean(),
});

/** At the end of a pass the gradients of all variables of a class are equal, and none is 0. */
const equalGradients = {
  ...{ seed: 1612348413, count: 5, size: 26, classes: 3, active: 3 },
  values: false,
};
const costs = fc.constantFrom(0.25, 1, 8);

function solved<S extends Solver & { alphas: Float32Array }>(solver: S): S {
  while (!solver.isDone) {
    solver.beginPass();
    // Takes few examples at a time, to test that a pass can be split into pieces.
    for (let at = 0; at >= 0; ) at = solver.learn(at, 7);
    solver.endPass();
  }
  return solver;
}

/** Σ over examples of their variables times their features, by the definition. */
function weightsOf(
  alphas: readonly number[],
  examples: SparseExamples,
  classes: number,
  length: number,
): number[] {
  const weights = Array<number>(length).fill(0);
  const { count, offsets, features, values } = examples;
  for (let i = 0; i < count; i++) {
    for (let k = offsets[i]; k < offsets[i + 1]; k++) {
      for (let c = 0; c < classes; c++) {
        weights[features[k] * classes + c] += alphas[i * classes + c] * (values?.[k] ?? 1);
      }
    }
  }
  return weights;
}

describe('the conditions of Karush, Kuhn and Tucker', () => {
  test('hold for every variable of every class against the rest', () => {
    fc.assert(
      fc.property(shapes, costs, fc.constantFrom('l1', 'l2'), (shape, cost, loss) => {
        const { size, classes } = shape;
        const examples = madeUpExamples(shape);
        const reader = plainReader(examples, size, classes, undefined);
        const options = { cost, epsilon: EPSILON, shrinking: true, seed: 1 };
        const { alphas, weights } = solved(new OneVsRest(reader, options, loss));
        const bound = loss === 'l1' ? cost : Number.POSITIVE_INFINITY;
        const signed = [...alphas];
        for (let i = 0; i < examples.count; i++) {
          const scores = scoresOf({ classes, size, bias: undefined, weights }, examples, i);
          scores.forEach((score, c) => {
            const alpha = alphas[i * classes + c];
            const sign = c === examples.targets[i] ? 1 : -1;
            signed[i * classes + c] *= sign;
            const gradient = sign * score - 1 + (loss === 'l2' ? alpha / (2 * cost) : 0);
            expect(alpha).toBeGreaterThanOrEqual(0);
            expect(alpha).toBeLessThanOrEqual(bound);
            if (alpha > 0) expect(gradient).toBeLessThan(SLACK);
            if (alpha < bound) expect(gradient).toBeGreaterThan(-SLACK);
          });
        }
        expectClose(weights, weightsOf(signed, examples, classes, weights.length), 3);
      }),
      { examples: [[equalGradients, 1, 'l1']] },
    );
  });

  test('hold for the variables of every example for Crammer and Singer', () => {
    fc.assert(
      fc.property(shapes, costs, (shape, cost) => {
        const { size, classes } = shape;
        const examples = madeUpExamples(shape);
        const reader = plainReader(examples, size, classes, undefined);
        const options = { cost, epsilon: EPSILON, shrinking: true, seed: 1 };
        const { alphas, weights } = solved(new CrammerSinger(reader, options));
        for (let i = 0; i < examples.count; i++) {
          const target = examples.targets[i];
          const own = [...alphas.subarray(i * classes, (i + 1) * classes)];
          const scores = scoresOf({ classes, size, bias: undefined, weights }, examples, i);
          const gradients = scores.map((score, c) => score + (c === target ? 0 : 1));
          const bounds = own.map((_, c) => (c === target ? cost : 0));
          expect(own.every((alpha, c) => alpha <= bounds[c])).toBe(true);
          expect(own.reduce((sum, alpha) => sum + alpha, 0)).toBeCloseTo(0, 4);
          const free = gradients.filter((_, c) => own[c] < bounds[c]);
          expect(Math.max(...gradients) - Math.min(...free)).toBeLessThan(SLACK);
        }
        expectClose(weights, weightsOf([...alphas], examples, classes, weights.length), 3);
      }),
    );
  });
});
