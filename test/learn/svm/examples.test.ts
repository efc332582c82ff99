import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Examples, SparseExamples } from '../../../src/learn/svm/examples.ts';

const valued = fc.array(fc.tuple(fc.integer(), fc.integer({ min: -9, max: 9 })), { maxLength: 300 });
const drafts = fc.array(
  fc.record({ features: valued, target: fc.integer({ min: 0, max: 9 }), binary: fc.boolean() }),
  { maxLength: 100, size: 'max' },
);

/** The examples as plain lists. */
function listed({ count, offsets, features, values, targets }: Examples) {
  return Array.from({ length: count }, (_, i) => ({
    target: targets[i],
    features: [...features.subarray(offsets[i], offsets[i + 1])],
    values: Array.from({ length: offsets[i + 1] - offsets[i] }, (_, k) => values?.[offsets[i] + k] ?? 1),
  }));
}

describe('a store of examples', () => {
  test('gives back the added examples, also after it has grown, with values of 1 if none were given', () => {
    fc.assert(
      fc.property(drafts, (list) => {
        const examples = new SparseExamples();
        for (const { features, target, binary } of list) {
          const indices = Int32Array.from(features, ([feature]) => feature);
          const values = Float32Array.from(features, ([, value]) => value);
          if (binary) examples.add(indices, features.length, target);
          else examples.addWithValues(indices, values, features.length, target);
        }
        expect(examples.values !== undefined).toBe(list.some(({ binary }) => !binary));
        expect(listed(examples)).toEqual(
          list.map(({ features, target, binary }) => ({
            target,
            features: features.map(([feature]) => feature),
            values: features.map(([, value]) => (binary ? 1 : value)),
          })),
        );
      }),
    );
  });

  test('is sent to a worker as plain examples over the same memory', () => {
    const examples = new SparseExamples();
    examples.add(Int32Array.of(3, 1), 2, 4);
    const sent: Examples = structuredClone(examples);
    expect(listed(sent)).toEqual(listed(examples));
    examples.features[0] = 8;
    expect(sent.features[0]).toBe(8);
  });
});
