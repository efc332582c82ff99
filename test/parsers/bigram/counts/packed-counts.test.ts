import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PackedCounts } from '../../../../parsers/bigram/counts/packed-counts.ts';

const step = fc.record({
  row: fc.integer({ min: 0, max: 3 }),
  pairs: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 40_000 })),
  arcs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20_000 })),
});

test('packed counts are what was counted, small or large, and what is left when some is taken back', () => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const packed = new PackedCounts();
      const rows = new Int32Array(4);
      const expected = Array.from({ length: 4 }, () => ({ pairs: 0, arcs: 0 }));
      const count = (by: 1 | -1) => {
        for (const { row, pairs, arcs } of steps) {
          rows[row] = packed.plus(rows[row], by * pairs, by * arcs);
          expected[row].pairs += by * pairs;
          expected[row].arcs += by * arcs;
          expect({ pairs: packed.pairs(rows[row]), arcs: packed.arcs(rows[row]) }).toEqual(expected[row]);
        }
      };
      count(1);
      count(-1);
    }),
  );
});
