import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SparseExamples } from '../../../src/learn/svm/examples.ts';
import { predict } from '../../../src/learn/svm/linear-model.ts';
import { pairCount, pairOf, scoreByPairs } from '../../../src/learn/svm/multiclass.ts';
import { trainLinearSvm } from '../../../src/learn/svm/train.ts';
import { madeUpExamples } from '../../support/classification.ts';

/** The examples of two classes, which become 0 and 1. */
function between(examples: SparseExamples, a: number, b: number): SparseExamples {
  const pair = new SparseExamples();
  const { offsets, features, values, targets } = examples;
  for (let i = 0; i < examples.count; i++) {
    if (targets[i] !== a && targets[i] !== b) continue;
    const [own, sizes] = [features, values!].map((all) => all.slice(offsets[i], offsets[i + 1]));
    pair.addWithValues(own as Int32Array, sizes as Float32Array, own.length, targets[i] === a ? 0 : 1);
  }
  return pair;
}

describe('pairs of classes', () => {
  test('are numbered consecutively', () => {
    for (const classes of [2, 3, 5, 9]) {
      const numbers: number[] = [];
      for (let a = 0; a < classes; a++)
        for (let b = a + 1; b < classes; b++) numbers.push(pairOf(a, b, classes));
      expect(numbers).toEqual(Array.from({ length: pairCount(classes) }, (_, k) => k));
    }
  });

  test('vote for a class, and margins break ties', () => {
    const best = (...margins: number[]) => {
      const scores = new Float64Array(3);
      scoreByPairs(Float64Array.from(margins), 3, scores);
      return scores.indexOf(Math.max(...scores));
    };
    // The margins of 0 over 1, 0 over 2, and 1 over 2.
    expect(best(0.1, 0.1, 9)).toBe(0);
    expect(best(-0.1, 9, 0.1)).toBe(1);
    expect(best(1, -2, 3)).toBe(1);
    expect(best(1e6, -1e6 - 1, 1e6 + 2)).toBe(2 - 1);
    expect(best(0, 0, 0)).toBe(0);
  });
});

test('a pairwise machine has the same weights for each pair as a machine of only these two classes', async () => {
  const shapes = fc.record({
    ...{ seed: fc.integer(), count: fc.integer({ min: 12, max: 80 }), size: fc.constant(20) },
    ...{ classes: fc.integer({ min: 2, max: 9 }), active: fc.integer({ min: 1, max: 6 }) },
    values: fc.constant(true),
  });
  const machine = { loss: fc.constantFrom('l1' as const, 'l2' as const), cost: fc.constantFrom(0.25, 1) };
  await fc.assert(
    fc.asyncProperty(shapes, fc.record(machine), async (shape, { loss, cost }) => {
      const examples = madeUpExamples(shape);
      const { size, classes } = shape;
      const options = { loss, cost, size, bias: 1, epsilon: 2e-4, maxPasses: 100_000 };
      const model = await trainLinearSvm(examples, { ...options, classes, multiclass: 'pairwise' });
      expect(model.converged).toBe(true);
      const pairs = pairCount(classes);
      let objectives = 0;
      for (let a = 0; a < classes; a++) {
        for (let b = a + 1; b < classes; b++) {
          const alone = await trainLinearSvm(between(examples, a, b), { ...options, classes: 2 });
          objectives += alone.objective / 2;
          if (loss === 'l1') continue;
          for (let f = 0; f <= size; f++)
            expect(model.weights[f * pairs + pairOf(a, b, classes)]).toBeCloseTo(alone.weights[2 * f], 2);
        }
      }
      expect(Math.abs(model.objective - objectives)).toBeLessThan(1e-3 * Math.abs(objectives) + 0.01);
    }),
    { numRuns: 30 },
  );
});

test('a pairwise machine predicts the class that most pairs prefer', async () => {
  const shape = { seed: 3, count: 300, size: 40, classes: 4, active: 6 };
  const examples = madeUpExamples(shape);
  const right = async (multiclass: 'pairwise' | 'one-vs-rest') => {
    const model = await trainLinearSvm(examples, { ...shape, multiclass, cost: 1 });
    return predict(model, examples).filter((found, i) => found === examples.targets[i]).length;
  };
  expect(await right('pairwise')).toBeGreaterThan(200);
  expect(await right('pairwise')).toBeGreaterThan((await right('one-vs-rest')) - 20);
});
