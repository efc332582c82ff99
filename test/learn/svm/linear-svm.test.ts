import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { SparseExamples } from '../../../src/learn/svm/examples.ts';
import { DEFAULT_COST, type LinearSvm, type SvmOptions } from '../../../src/learn/svm/linear-model.ts';
import { trainLinearSvm } from '../../../src/learn/svm/train.ts';
import { madeUpExamples, type ProblemShape, scoresOf } from '../../support/classification.ts';

const SHAPE: ProblemShape = { seed: 1, count: 300, size: 60, classes: 4, active: 8 };

const shapes = fc.record({
  seed: fc.integer(),
  count: fc.integer({ min: 5, max: 200 }),
  size: fc.integer({ min: 8, max: 40 }),
  classes: fc.integer({ min: 2, max: 5 }),
  active: fc.integer({ min: 0, max: 8 }),
  values: fc.boolean(),
});
const machines = fc.record({
  multiclass: fc.constant('one-vs-rest' as const),
  loss: fc.constantFrom('l1' as const, 'l2' as const),
  cost: fc.constantFrom(0.1, 1, 4),
  bias: fc.constantFrom(undefined, 0, 1, 2),
});
const crammerSinger = fc.record({
  multiclass: fc.constant('crammer-singer' as const),
  cost: fc.constantFrom(0.1, 1, 4),
  bias: fc.constantFrom(undefined, 0, 1, 2),
});

const precise = { epsilon: 2e-4, maxPasses: 100_000 };

type Machine = Omit<SvmOptions, 'classes'>;

function trained(shape: ProblemShape, machine: Machine): Promise<LinearSvm> {
  return trainLinearSvm(madeUpExamples(shape), { ...shape, ...precise, ...machine });
}

/** ½|w|² plus the cost of all violated margins: Hsieh et al. 2008, (1); Keerthi et al. 2008, (6). */
function primalObjective(model: LinearSvm, examples: SparseExamples, machine: Machine): number {
  const { cost = DEFAULT_COST, loss = 'l2', multiclass = 'one-vs-rest' } = machine;
  let sum = model.weights.reduce((total, weight) => total + weight ** 2 / 2, 0);
  for (let i = 0; i < examples.count; i++) {
    const scores = scoresOf(model, examples, i);
    const target = examples.targets[i];
    if (multiclass === 'crammer-singer') {
      sum += cost * Math.max(...scores.map((score, c) => score - scores[target] + (c === target ? 0 : 1)));
      continue;
    }
    scores.forEach((score, c) => {
      const violation = Math.max(0, 1 - (c === target ? score : -score));
      sum += cost * (loss === 'l1' ? violation : violation ** 2);
    });
  }
  return sum;
}

describe('training a linear SVM', () => {
  test('finds the optimum: the primal and the dual objective are equal', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, fc.oneof(machines, crammerSinger), async (shape, machine) => {
        // As in LIBLINEAR, the objective leaves out the cost of an example without features, which is always C.
        fc.pre(shape.active > 0 || machine.multiclass === 'one-vs-rest');
        const model = await trained(shape, machine);
        expect(model.converged).toBe(true);
        const primal = primalObjective(model, madeUpExamples(shape), machine);
        // A variable that is off by ε may cost C·ε.
        const tolerance = 1e-3 * primal + machine.cost * shape.count * precise.epsilon;
        expect(Math.abs(primal + model.objective)).toBeLessThan(tolerance);
      }),
      { numRuns: 50 },
    );
  });

  test('reaches the same objective with shrinking as without it, in fewer updates', async () => {
    const kinds: Machine[] = [{ loss: 'l1' }, { loss: 'l2' }, { multiclass: 'crammer-singer' }];
    for (const kind of kinds) {
      const machine = { ...kind, cost: 1 };
      const updates = { with: 0, without: 0 };
      const onPass = (key: keyof typeof updates) => (pass: { active: number }) => {
        updates[key] += pass.active;
      };
      const shrunk = await trained(SHAPE, { ...machine, onPass: onPass('with') });
      const whole = await trained(SHAPE, { ...machine, shrinking: false, onPass: onPass('without') });
      expect(shrunk.objective / whole.objective).toBeCloseTo(1, 5);
      expect(updates.with).toBeLessThan(updates.without);
    }
  });

  test('solves the problem of each class against the rest separately', async () => {
    const examples = madeUpExamples(SHAPE);
    const joint = await trained(SHAPE, { bias: 1 });
    let objectives = 0;
    for (let c = 0; c < SHAPE.classes; c++) {
      const targets = examples.targets.map((target) => (target === c ? 0 : 1));
      const { count, offsets, features } = examples;
      const options = { ...SHAPE, ...precise, classes: 2, bias: 1 };
      const alone = await trainLinearSvm({ count, offsets, features, targets }, options);
      objectives += alone.objective / 2;
      for (let f = 0; f <= SHAPE.size; f++) {
        expect(joint.weights[f * SHAPE.classes + c]).toBeCloseTo(alone.weights[f * 2], 3);
      }
    }
    expect(joint.objective / objectives).toBeCloseTo(1, 5);
  });

  test('gives two classes opposite weights', async () => {
    const { weights } = await trained({ ...SHAPE, classes: 2 }, { loss: 'l1' });
    for (let at = 0; at < weights.length; at += 2) expect(weights[at] + weights[at + 1]).toBe(0);
  });

  test('adds up the values of a feature that an example has twice', async () => {
    const twice = new SparseExamples();
    const summed = new SparseExamples();
    for (let i = 0; i < 40; i++) {
      const [a, b] = [i % 5, 5 + (i % 3)];
      twice.add(Int32Array.of(a, b, a), 3, i % 2);
      summed.addWithValues(Int32Array.of(a, b), Float32Array.of(2, 1), 2, i % 2);
    }
    const options = { ...precise, classes: 2, size: 8 };
    const expected = await trainLinearSvm(summed, options);
    expect((await trainLinearSvm(twice, options)).objective / expected.objective).toBeCloseTo(1, 6);
  });

  test('gives the same weights, bit for bit, for the same seed', async () => {
    const machine: Machine = { seed: 7, epsilon: 0.1 };
    const first = await trained(SHAPE, machine);
    expect((await trained(SHAPE, machine)).weights).toEqual(first.weights);
    expect((await trained(SHAPE, { ...machine, seed: 8 })).weights).not.toEqual(first.weights);
  });

  test('handles more classes than there are bits in a word', async () => {
    const shape = { ...SHAPE, classes: 70, count: 500, active: 4 };
    for (const multiclass of ['one-vs-rest', 'crammer-singer'] as const) {
      const machine: Machine = { multiclass, loss: 'l1' };
      const model = await trained(shape, machine);
      const primal = primalObjective(model, madeUpExamples(shape), machine);
      expect(-model.objective / primal).toBeCloseTo(1, 3);
    }
  });

  test('ends after maxPasses, and says that it has not converged', async () => {
    const { passes, converged } = await trained(SHAPE, { maxPasses: 2 });
    expect({ passes, converged }).toEqual({ passes: 2, converged: false });
  });

  test('stops if its signal is aborted, and throws the signal’s reason', async () => {
    const controller = new AbortController();
    const passes: number[] = [];
    const training = trained(SHAPE, {
      signal: controller.signal,
      onPass: ({ pass }) => {
        passes.push(pass);
        if (pass === 2) controller.abort(new Error('enough'));
      },
    });
    await expect(training).rejects.toThrow('enough');
    expect(passes).toEqual([1, 2]);
  });

  test.each([
    ['cost must be above 0, found 0', { cost: 0 }],
    ['epsilon must be above 0, found -1', { epsilon: -1 }],
    ['bias must be 0 or more, found -1', { bias: -1 }],
    ['there must be at least 2 classes, found 1', { classes: 1 }],
    ['targets must be from 0 to 2, found 3', { classes: 3 }],
    ['features must be from 0 to 9, found ', { size: 10 }],
    ['2147483647 features of 4 classes are too many', { size: 2 ** 31 - 1 }],
  ])('refuses invalid options and examples: %s', async (message, options) => {
    const training = trainLinearSvm(madeUpExamples(SHAPE), { ...SHAPE, ...options });
    await expect(training).rejects.toThrow(UsageError);
    await expect(training).rejects.toThrow(message);
  });
});
