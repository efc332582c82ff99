import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AveragedWeights } from '../../src/learn/weights.ts';

const SIZE = 8;
const step = fc.record({
  index: fc.integer({ min: 0, max: SIZE - 1 }),
  step: fc.integer({ min: -3, max: 3 }),
});

test('the average is the mean of the weights before each example', () => {
  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: 4 }), { minLength: 1, maxLength: 30 }), (examples) => {
      const weights = new AveragedWeights(SIZE);
      const sums = new Float64Array(SIZE);
      for (const changes of examples) {
        weights.values.forEach((value, i) => {
          sums[i] += value;
        });
        for (const change of changes) weights.add(change.index, change.step);
        weights.examples++;
      }
      weights.values.forEach((value, i) => {
        sums[i] += value;
      });
      const average = weights.average(new Float32Array(SIZE));
      average.forEach((value, i) => {
        expect(value).toBeCloseTo(sums[i] / (examples.length + 1), 5);
      });
    }),
  );
});
