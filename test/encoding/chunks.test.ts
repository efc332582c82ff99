import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findHeadsInChunks } from '../../src/encoding/chunks.ts';
import { isProjective, isTree, roots } from '../../src/treebank/tree.ts';
import { encoded, smallSentences } from '../support/encoded.ts';
import { sentence } from '../support/sentences.ts';

test('a sentence parsed in chunks has one projective tree with one root, and chunks keep their tokens', () => {
  fc.assert(
    fc.property(smallSentences(8, 30), fc.integer({ min: 1, max: 7 }), fc.boolean(), (one, most, flat) => {
      const { sentence } = encoded(one, ['form', 'upos']);
      const heads = new Int32Array(one.length + 1);
      let seen: number[] = [];
      findHeadsInChunks(sentence, most, heads, (chunk, found) => {
        expect(chunk.length).toBeLessThanOrEqual(most);
        seen = [...seen, ...chunk.columns.subarray(2, 2 + chunk.length)];
        // All tokens of the chunk are roots, or they are a chain from the last back to the first.
        for (let d = 1; d <= chunk.length; d++) found[d] = flat || d === chunk.length ? 0 : d + 1;
      });
      expect(seen).toEqual([...sentence.columns.subarray(2, 2 + one.length)]);
      expect(isTree(heads)).toBe(true);
      expect(isProjective(heads)).toBe(true);
      // A sentence that is no longer than a chunk keeps the heads that were found, even with several roots.
      expect(roots(heads)).toHaveLength(flat && one.length <= most ? one.length : 1);
    }),
  );
});

test('a sentence that is no longer than a chunk is parsed as a whole', () => {
  fc.assert(
    fc.property(smallSentences(1, 7), (one) => {
      const { sentence } = encoded(one, ['form', 'upos']);
      const heads = new Int32Array(one.length + 1);
      findHeadsInChunks(sentence, 7, heads, (chunk, found, before) => {
        expect([chunk, before]).toEqual([sentence, 0]);
        found.fill(0, 1);
      });
      expect(heads).toEqual(Int32Array.from(heads, (_, d) => (d === 0 ? -1 : 0)));
    }),
  );
});

test('a chunk has its part of the guides’ trees, with the root in place of heads outside the chunk', () => {
  const { sentence: whole } = encoded(sentence('a b c d e', '2 0 4 2 3'), ['form']);
  const guides = [
    { heads: Int32Array.of(-1, 2, 0, 4, 2, 3), labels: Int32Array.of(-1, 11, 12, 13, 14, 15) },
    { heads: Int32Array.of(-1, 0, 1, 2, 3, 4), labels: Int32Array.of(-1, 21, 22, 23, 24, 25) },
  ];
  const seen: unknown[] = [];
  findHeadsInChunks({ ...whole, guides }, 3, new Int32Array(6), (chunk, found) => {
    seen.push(
      chunk.guides!.map(({ heads, labels }) => [heads.slice(1).join(' '), labels.slice(1).join(' ')]),
    );
    found.fill(0);
  });
  expect(seen).toEqual([
    [
      ['2 0 0', '11 12 13'],
      ['0 1 2', '21 22 23'],
    ],
    [
      ['0 0', '14 15'],
      ['0 1', '24 25'],
    ],
  ]);
});
