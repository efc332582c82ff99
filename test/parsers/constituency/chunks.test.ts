import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chunkEnds } from '../../../src/encoding/chunks.ts';

it('a sentence is cut after the last punctuation mark in the second half of each chunk, else when it is full', () => {
  const forms = Array<string>(100).fill('word');
  expect(chunkEnds(forms, 40)).toEqual([40, 80, 100]);
  for (const mark of [10, 25, 30]) forms[mark] = ',';
  expect(chunkEnds(forms, 40)).toEqual([31, 71, 100]);
});

it('chunks contain all words, and none is longer than allowed', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', ',', '.', 'b'), { minLength: 1, maxLength: 300 }), (forms) => {
      const ends = chunkEnds(forms, 40);
      expect(ends.at(-1)).toBe(forms.length);
      ends.forEach((end, i) => {
        const length = end - (ends[i - 1] ?? 0);
        expect(length).toBeGreaterThan(0);
        expect(length).toBeLessThanOrEqual(40);
      });
    }),
  );
});
