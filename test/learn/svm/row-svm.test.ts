import { expect, test } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { SparseExamples } from '../../../src/learn/svm/examples.ts';
import { RowExamples, trainLinearSvm, trainRowSvm } from '../../../src/learn/svm/train.ts';
import { madeUpExamples } from '../../support/classification.ts';

const CLASSES = 3;
const SIZE = 30;
const ACTIVE = 5;
const precise = { cost: 0.5, epsilon: 1e-3, maxPasses: 100_000 };
const examples = madeUpExamples({ seed: 2, count: 200, size: SIZE, classes: CLASSES, active: ACTIVE });

/** The examples as rows of the weights, each with the classes that `allowed` lists. */
function rowsOf(allowed: (i: number) => readonly number[]): RowExamples {
  const rows = new RowExamples(CLASSES, ACTIVE, (i, into) => {
    for (let k = 0; k < ACTIVE; k++) into[k] = examples.features[i * ACTIVE + k] * CLASSES;
  });
  for (let i = 0; i < examples.count; i++) rows.add(examples.targets[i], allowed(i));
  return rows;
}

test.each(['one-vs-rest', 'crammer-singer'] as const)(
  'rows that do not overlap give the weights of the plain machine: %s',
  async (multiclass) => {
    const expected = await trainLinearSvm(examples, { ...precise, multiclass, classes: CLASSES, size: SIZE });
    const rows = rowsOf(() => [0, 1, 2]);
    const found = await trainRowSvm(rows, { ...precise, multiclass, size: SIZE * CLASSES });
    expect(found.weights).toEqual(expected.weights);
  },
);

test('a class is trained only on the examples that may have it', async () => {
  const allowed = (i: number) => [...new Set([examples.targets[i], i % 2])].sort();
  const { weights } = await trainRowSvm(rowsOf(allowed), { ...precise, size: SIZE * CLASSES });
  for (let c = 0; c < CLASSES; c++) {
    const own = new SparseExamples();
    for (let i = 0; i < examples.count; i++) {
      if (!allowed(i).includes(c)) continue;
      const features = examples.features.slice(examples.offsets[i], examples.offsets[i + 1]);
      own.add(features, features.length, examples.targets[i] === c ? 0 : 1);
    }
    const alone = await trainLinearSvm(own, { ...precise, classes: 2, size: SIZE });
    for (let f = 0; f < SIZE; f++) expect(weights[f * CLASSES + c]).toBeCloseTo(alone.weights[2 * f], 2);
  }
});

test('rows may overlap: two classes then share a weight', async () => {
  const targets = [0, 1, 0, 1];
  const rows = new RowExamples(2, 1, (i, into) => into.fill(targets[i]));
  for (const target of targets) rows.add(target, [0, 1]);
  const { weights } = await trainRowSvm(rows, { ...precise, epsilon: 1e-4, size: 3 });
  // Each outer weight minimises ½w² + 2·½·(1 − w)² (two examples), the one in the middle ½w² + 4·½·(1 + w)².
  [2 / 3, -4 / 5, 2 / 3].forEach((optimum, at) => {
    expect(weights[at]).toBeCloseTo(optimum, 3);
  });
});

test('a row outside the weights is refused', async () => {
  const rowAt = (start: number) => {
    const rows = new RowExamples(3, 1, (_, into) => into.fill(start));
    for (const target of [0, 1]) rows.add(target, [0, 1, 2]);
    return rows;
  };
  await expect(trainRowSvm(rowAt(7), { size: 10 })).resolves.toMatchObject({ converged: true });
  const message = (start: number) => new UsageError(`rows must be from 0 to 7, found ${start}`);
  await expect(trainRowSvm(rowAt(8), { size: 10 })).rejects.toThrow(message(8));
  await expect(trainRowSvm(rowAt(-1), { size: 10 })).rejects.toThrow(message(-1));
});
