import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kBestOf, treeProbability } from '../../src/decode/k-best.ts';
import { createDecoder, decoderNames } from '../../src/decode/registry.ts';
import { allTrees, scoreMatrices, treeScore, treesOf } from '../support/random-trees.ts';

const cases = decoderNames.flatMap((name) => [true, false].map((singleRoot) => ({ name, singleRoot })));

test.each(cases)(
  '$name with singleRoot $singleRoot finds the k best of all trees, all different',
  ({ name, singleRoot }) => {
    const decoder = createDecoder(name, { singleRoot });
    const kBest = kBestOf(decoder, { singleRoot });
    fc.assert(
      fc.property(scoreMatrices(1, 5), fc.integer({ min: 1, max: 12 }), (matrix, k) => {
        const { n, scores } = matrix;
        const all = treesOf(n, singleRoot, decoder.isProjective)
          .map((heads) => treeScore(matrix, heads))
          .sort((a, b) => b - a);
        const found = kBest(scores, n, k);
        expect(found.map(({ heads }) => treeScore(matrix, heads))).toEqual(all.slice(0, k));
        expect(found.map(({ score }) => score)).toEqual(all.slice(0, k));
        expect(new Set(found.map(({ heads }) => heads.join(' '))).size).toBe(found.length);
      }),
      { numRuns: 40 },
    );
  },
);

test('more trees than the chart of eisner has ranks for are found as well', () => {
  const { scores } = fc.sample(scoreMatrices(6, 6), { numRuns: 1, seed: 1 })[0]!;
  const options = { singleRoot: false };
  const kBest = kBestOf(createDecoder('eisner', options), options);
  const [some, all] = [255, 256].map((k) => kBest(scores, 6, k).map(({ score }) => score));
  expect(all).toHaveLength(256);
  expect(all!.slice(0, 255)).toEqual(some);
});

test('the probabilities of all trees of a sentence sum to at most 1', () => {
  fc.assert(
    fc.property(scoreMatrices(1, 4), ({ n, scores }) => {
      const share = (heads: Int32Array) => treeProbability(heads, scores, n, 0.1);
      const sum = allTrees(n).reduce((total, heads) => total + share(heads), 0);
      expect(sum).toBeLessThan(1.000001);
    }),
    { numRuns: 40 },
  );
});
