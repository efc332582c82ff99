import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ArcConfidences } from '../../src/decode/arc-confidences.ts';
import { scoreMatrices, treeScore, treesOf } from '../support/random-trees.ts';

const SCALE = 0.25;

test.each([
  { isProjective: true, singleRoot: true },
  { isProjective: true, singleRoot: false },
  { isProjective: false, singleRoot: true },
  { isProjective: false, singleRoot: false },
])('the confidence of an arc is the share of all trees that have it, for up to 5 tokens: %o', (options) => {
  const confidences = new ArcConfidences(options);
  fc.assert(
    fc.property(scoreMatrices(1, 5, fc.integer({ min: -12, max: 12 })), fc.nat(), (matrix, choice) => {
      const { n, scores } = matrix;
      const trees = treesOf(n, options.singleRoot, options.isProjective);
      const heads = trees[choice % trees.length];
      const found = new Float64Array(n + 1);
      confidences.fill(scores, n, SCALE, heads, found);
      const weight = (some: readonly Int32Array[]) =>
        some.reduce((sum, tree) => sum + Math.exp(SCALE * treeScore(matrix, tree)), 0);
      for (let d = 1; d <= n; d++) {
        const share = weight(trees.filter((tree) => tree[d] === heads[d])) / weight(trees);
        expect(found[d]).toBeCloseTo(share, 7);
      }
    }),
    { numRuns: 60 },
  );
});
