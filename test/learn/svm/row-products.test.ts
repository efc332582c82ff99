import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addRows, rowScores } from '../../../src/learn/svm/row-products.ts';

const ROWS = 6;
const CLASSES = 9;
/** Whole numbers, so that sums are exact in any order. */
const whole = fc.integer({ min: -50, max: 50 });
const example = fc.array(fc.tuple(fc.integer({ min: 0, max: ROWS - 1 }), whole), { maxLength: 12 });
const classes = fc.subarray(Array.from({ length: CLASSES }, (_, c) => c));
const weights = fc.array(whole, { minLength: ROWS * CLASSES, maxLength: ROWS * CLASSES });

test('the scores of any classes are the sums of weights times values', () => {
  fc.assert(
    fc.property(weights, example, classes, (matrix, cells, list) => {
      const scores = new Float64Array(CLASSES);
      const starts = Int32Array.from(cells, ([row]) => row * CLASSES);
      const values = Float32Array.from(cells, ([, value]) => value);
      const indices = Int32Array.from(list);
      rowScores(Float32Array.from(matrix), starts, values, cells.length, indices, list.length, scores);
      list.forEach((c, j) => {
        const sum = cells.reduce((total, [row, value]) => total + matrix[row * CLASSES + c] * value, 0);
        expect(scores[j]).toBe(sum);
      });
    }),
  );
});

test('adding an example changes the weights of its rows and the listed classes, and no others', () => {
  fc.assert(
    fc.property(
      weights,
      example,
      classes,
      fc.array(whole, { minLength: 9 }),
      (matrix, cells, list, steps) => {
        const changed = Float32Array.from(matrix);
        const starts = Int32Array.from(cells, ([row]) => row * CLASSES);
        const values = Float32Array.from(cells, ([, value]) => value);
        const indices = Int32Array.from(list);
        addRows(changed, starts, values, cells.length, indices, list.length, Float64Array.from(steps));
        const expected = [...matrix];
        list.forEach((c, j) => {
          for (const [row, value] of cells) expected[row * CLASSES + c] += steps[j] * value;
        });
        expect([...changed]).toEqual(expected.map((weight) => weight || 0));
      },
    ),
  );
});
