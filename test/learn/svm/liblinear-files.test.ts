import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { readLiblinearModel, writeLiblinearModel } from '../../../src/learn/svm/liblinear-model.ts';
import { readProblem, writeProblem } from '../../../src/learn/svm/liblinear-problem.ts';
import { madeUpExamples } from '../../support/classification.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('liblinear-files');

describe("LIBLINEAR's problem format", () => {
  test('has one example per line: its label, and its features in ascending order, counted from 1', async () => {
    const path = sandbox.save('problem', '+1 1:1 3:0.5\n-1 2:1\r\n+1\n7 4:1e-2');
    const { examples, labels, size } = await readProblem(path);
    expect({ labels, size, count: examples.count }).toEqual({ labels: [1, -1, 7], size: 4, count: 4 });
    expect([...examples.targets.subarray(0, 4)]).toEqual([0, 1, 0, 2]);
    expect([...examples.offsets.subarray(0, 5)]).toEqual([0, 2, 3, 3, 4]);
    expect([...examples.features.subarray(0, 4)]).toEqual([0, 2, 1, 3]);
    expect([...examples.values!.subarray(0, 4)]).toEqual([1, 0.5, 1, Math.fround(0.01)]);
  });

  test('is read without values if all of them are 1', async () => {
    const { examples } = await readProblem(sandbox.save('problem', '1 1:1 3:1\n2 2:1.0\n'));
    expect(examples.values).toBeUndefined();
  });

  test('preserves examples that are written and read back', async () => {
    const shapes = fc.record({
      seed: fc.integer(),
      count: fc.integer({ min: 4, max: 30 }),
      size: fc.constant(20),
      classes: fc.constant(4),
      active: fc.integer({ min: 1, max: 20 }),
      values: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(shapes, async (shape) => {
        const examples = madeUpExamples(shape);
        const path = sandbox.path('problem');
        await writeProblem(path, examples, [5, -2, 0, 9]);
        const read = await readProblem(path);
        expect(read.labels).toEqual([5, -2, 0, 9]);
        const { count, offsets, features, values } = read.examples;
        expect(count).toBe(examples.count);
        for (let i = 0; i < count; i++) {
          expect(read.examples.targets[i]).toBe(examples.targets[i]);
          expect(offsets[i + 1]).toBe(examples.offsets[i + 1]);
        }
        for (let k = 0; k < offsets[count]; k++) {
          expect(features[k]).toBe(examples.features[k]);
          expect(values?.[k] ?? 1).toBe(examples.values?.[k] ?? 1);
        }
      }),
    );
  });

  test.each([
    ['1 1:1\n\n', "2: label '', expected a whole number"],
    ['1 1:1\none 1:1\n', "2: label 'one', expected a whole number"],
    ['1 0:1\n', "1: feature '0:1', expected index:value with an index from 1 on"],
    ['1 3\n', "1: feature '3', expected index:value with an index from 1 on"],
    ['1 3:x\n', "1: feature '3:x', expected index:value with an index from 1 on"],
    ['1 2:1 2:1\n', "1: feature '2:1' after index 2, expected ascending indices"],
  ])('is refused if it is malformed: %j', async (text, message) => {
    const path = sandbox.save('broken', text);
    await expect(readProblem(path)).rejects.toThrow(`${path}:${message}`);
  });
});

describe("LIBLINEAR's model format", () => {
  const header = 'solver_type L2R_L2LOSS_SVC_DUAL\nnr_class 3\nlabel 4 5 6\nnr_feature 2\nbias 1\nw\n';

  test('has the weights of one feature per line, and the weights of the bias in the last line', async () => {
    const path = sandbox.save('model', `${header}1 2 3 \n4 5 6 \n-0.5 0 1e3 \n`);
    const { model, labels } = await readLiblinearModel(path);
    expect(labels).toEqual([4, 5, 6]);
    expect([...model.weights]).toEqual([1, 2, 3, 4, 5, 6, -0.5, 0, 1000]);
    expect({ ...model, weights: [] }).toEqual({ classes: 3, size: 2, bias: 1, weights: [] });
  });

  test('has one weight per feature for two classes, except for Crammer and Singer', async () => {
    const two = 'nr_class 2\nlabel 1 -1\nnr_feature 2\nbias -1\nw\n';
    const one = sandbox.save('model', `solver_type L2R_LR\n${two}1 \n-2 \n`);
    expect([...(await readLiblinearModel(one)).model.weights]).toEqual([1, -1, -2, 2]);
    const both = sandbox.save('model', `solver_type MCSVM_CS\n${two}1 3 \n-2 4 \n`);
    expect([...(await readLiblinearModel(both)).model.weights]).toEqual([1, 3, -2, 4]);
  });

  test('names the L2 loss unless another is given, and has no pairwise models', async () => {
    const path = sandbox.path('written');
    const model = { classes: 2, size: 1, bias: undefined, weights: Float32Array.of(1, -1) };
    const write = (multiclass: 'one-vs-rest') =>
      writeLiblinearModel(path, { model, labels: [1, 2] }, { multiclass });
    await write('one-vs-rest');
    expect(readFileSync(path, 'utf8')).toMatch(/^solver_type L2R_L2LOSS_SVC_DUAL\n/);
    await expect(write('pairwise' as 'one-vs-rest')).rejects.toThrow(UsageError);
  });

  test.each([
    ['', '1: ends before the last weights'],
    ['w\n', '1: no solver_type, expected a model of LIBLINEAR'],
    ['solver_type L2R_L2LOSS_SVR\nw\n', "2: solver_type 'L2R_L2LOSS_SVR', expected one for classification"],
    [header.replace('nr_class 3', 'nr_class x'), "6: nr_class 'x', expected a whole number above 0"],
    [header.replace('nr_feature 2', 'nr_feature 2000000000'), '6: 2000000001 rows of 3 weights are too many'],
    [`${header}1 2\n`, "7: '1 2', expected a line of 3 weights for every feature, and no more"],
    [`${header}1 2 x\n`, "7: '1 2 x', expected a line of 3 weights for every feature, and no more"],
    [`${header}1 2 3\n4 5 6\n`, '8: ends before the last weights'],
    [
      `${header}1 2 3\n4 5 6\n7 8 9\n1 2 3\n`,
      "10: '1 2 3', expected a line of 3 weights for every feature, and no more",
    ],
    [`${header.replace('4 5 6', '4 5')}1 2 3\n4 5 6\n7 8 9\n`, "9: label '4 5', expected 3 whole numbers"],
  ])('is refused if it is malformed: %j', async (text, message) => {
    const path = sandbox.save('broken', text);
    await expect(readLiblinearModel(path)).rejects.toThrow(`${path}:${message}`);
  });
});
