import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mirroredExample } from '../../../parsers/transition/mirror.ts';
import { valueAt } from '../../../src/encoding/columns.ts';
import { encoded, smallSentences } from '../../support/encoded.ts';

test('a mirrored sentence has the same tokens, heads and labels in reverse order, also in guides’ trees', () => {
  fc.assert(
    fc.property(smallSentences(1, 8), (one) => {
      const { sentence } = encoded(one, ['form', 'upos']);
      const { length, columns } = sentence;
      const labels = Int32Array.from({ length: length + 1 }, (_, d) => 10 + d);
      const guides = [{ heads: one.heads, labels }];
      const example = { length, columns, heads: one.heads, labels, guides };
      const mirrored = mirroredExample(example);
      const opposite = (i: number) => (i === 0 ? 0 : length + 1 - i);
      for (let d = 1; d <= length; d++) {
        expect(mirrored.heads[opposite(d)]).toBe(opposite(one.heads[d]!));
        expect(mirrored.labels[opposite(d)]).toBe(labels[d]);
        expect(mirrored.guides![0].heads[opposite(d)]).toBe(opposite(one.heads[d]!));
        expect(mirrored.guides![0].labels[opposite(d)]).toBe(labels[d]);
        for (const c of [0, 1]) {
          expect(valueAt(mirrored, c, opposite(d))).toBe(valueAt(sentence, c, d));
        }
      }
      expect(mirroredExample(mirrored)).toEqual(example);
    }),
  );
});
