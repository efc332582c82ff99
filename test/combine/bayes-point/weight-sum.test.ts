import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WeightSum } from '../../../combine/bayes-point.ts';
import { ModelReader } from '../../../src/model/model-reader.ts';
import { ModelWriter } from '../../../src/model/model-writer.ts';
import { modelBuffer } from '../../support/model-buffer.ts';

const vector = fc.array(fc.float({ noNaN: true, min: -100, max: 100 }), { minLength: 3, maxLength: 3 });

function saved(sum: WeightSum): ModelReader {
  const writer = new ModelWriter('checkpoint');
  sum.save(writer);
  return ModelReader.fromBuffer(modelBuffer(writer), 'model.checkpoint');
}

describe('the sum of the members’ weights', () => {
  test('gives their mean, also after being saved and restored in between', () => {
    fc.assert(
      fc.property(fc.array(vector, { minLength: 1, maxLength: 6 }), fc.nat(5), (members, stop) => {
        let sum = new WeightSum('a');
        for (const [k, member] of members.entries()) {
          sum.add([Float32Array.from(member), Float32Array.of(k)]);
          if (k !== stop) continue;
          const again = new WeightSum('a');
          again.restore(saved(sum));
          sum = again;
        }
        const [mean, numbers] = sum.mean();
        for (const [i, value] of mean.entries()) {
          const exact = members.reduce((total, member) => total + member[i], 0) / members.length;
          expect(value).toBeCloseTo(exact, 3);
        }
        expect(numbers[0]).toBeCloseTo((members.length - 1) / 2, 5);
      }),
    );
  });

  test('is refused if it was saved by another training', () => {
    const sum = new WeightSum('a');
    sum.add([Float32Array.of(1)]);
    const refusal =
      'model.checkpoint is of a training with other options, data or seed: train without resume';
    expect(() => new WeightSum('b').restore(saved(sum))).toThrow(refusal);
    const other = ModelReader.fromBuffer(modelBuffer(new ModelWriter('checkpoint')), 'model.checkpoint');
    expect(() => new WeightSum('a').restore(other)).toThrow(refusal);
  });
});
