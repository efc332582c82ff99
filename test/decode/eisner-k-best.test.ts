import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEisner } from '../../src/decode/eisner.ts';
import { EisnerKBest } from '../../src/decode/eisner-k-best.ts';
import {
  isProjective,
  isTree,
  rootCount,
  type ScoreMatrix,
  scoreMatrices,
  seededScores,
  treeScore,
  treesOf,
} from '../support/random-trees.ts';

function buffers(n: number, k: number): Int32Array[] {
  return Array.from({ length: k }, () => new Int32Array(n + 1).fill(99));
}

function kBest({ n, scores }: ScoreMatrix, singleRoot: boolean, k: number): Int32Array[] {
  const trees = buffers(n, k);
  return trees.slice(0, new EisnerKBest({ singleRoot }, k).decode(scores, n, trees));
}

/** The scores of all projective trees, highest first. */
function allScores(matrix: ScoreMatrix, singleRoot: boolean): number[] {
  return treesOf(matrix.n, singleRoot, true)
    .map((heads) => treeScore(matrix, heads))
    .sort((a, b) => b - a);
}

function expectDistinctTrees(trees: readonly Int32Array[], n: number, singleRoot: boolean): void {
  expect(new Set(trees.map((heads) => heads.join(' '))).size).toBe(trees.length);
  for (const heads of trees) {
    expect(isTree(heads, n)).toBe(true);
    expect(isProjective(heads, n)).toBe(true);
    if (singleRoot) expect(rootCount(heads, n)).toBe(1);
  }
}

describe.each([{ singleRoot: false }, { singleRoot: true }])(
  'EisnerKBest with singleRoot $singleRoot',
  ({ singleRoot }) => {
    it('finds the k best of all projective trees, all different, on random graphs of up to 7 nodes', () => {
      fc.assert(
        fc.property(scoreMatrices(1, 6), fc.integer({ min: 1, max: 10 }), (matrix, k) => {
          const trees = kBest(matrix, singleRoot, k);
          expectDistinctTrees(trees, matrix.n, singleRoot);
          const found = trees.map((heads) => treeScore(matrix, heads));
          expect(found).toEqual(allScores(matrix, singleRoot).slice(0, k));
        }),
        { numRuns: 300 },
      );
    });

    it('finds all projective trees if there are fewer than k', () => {
      fc.assert(
        fc.property(scoreMatrices(1, 5), (matrix) => {
          const all = allScores(matrix, singleRoot);
          fc.pre(all.length < 255);
          const trees = kBest(matrix, singleRoot, 255);
          expectDistinctTrees(trees, matrix.n, singleRoot);
          expect(trees.map((heads) => treeScore(matrix, heads))).toEqual(all);
        }),
      );
    });

    it('begins with a tree as good as eisner’s, with no better one after it, for up to 120 tokens', () => {
      fc.assert(
        fc.property(
          fc.integer({ min: 1, max: 120 }),
          fc.integer(),
          fc.integer({ min: 1, max: 10 }),
          (n, seed, k) => {
            const matrix = seededScores(n, seed);
            const best = new Int32Array(n + 1);
            createEisner({ singleRoot }).decode(matrix.scores, n, best);
            const trees = kBest(matrix, singleRoot, k);
            expectDistinctTrees(trees, n, singleRoot);
            const found = trees.map((heads) => treeScore(matrix, heads));
            expect(found[0]).toBe(treeScore(matrix, best));
            expect(found).toEqual(found.toSorted((a, b) => b - a));
          },
        ),
        { numRuns: 25 },
      );
    });

    it('gives the same trees whatever it decoded before, also with buffers longer than needed', () => {
      fc.assert(
        fc.property(fc.array(scoreMatrices(1, 12), { minLength: 2, maxLength: 6 }), (matrices) => {
          const decoder = new EisnerKBest({ singleRoot }, 4);
          for (const { n, scores } of matrices) {
            const buffer = new Float32Array(scores.length + 50).fill(1e6);
            buffer.set(scores);
            const trees = buffers(20, 4);
            const count = decoder.decode(buffer, n, trees);
            const found = trees.slice(0, count).map((heads) => heads.slice(0, n + 1));
            expect(found).toEqual(kBest({ n, scores }, singleRoot, 4));
          }
        }),
      );
    });
  },
);

it('EisnerKBest breaks ties in a fixed order', () => {
  const trees = kBest({ n: 2, scores: new Float32Array(9) }, false, 10);
  expect(trees.map((heads) => heads.join(' '))).toEqual(['-1 0 1', '-1 2 0', '-1 0 0']);
});

it('EisnerKBest finds the one tree of a sentence without tokens', () => {
  expect(kBest({ n: 0, scores: Float32Array.of(Number.NaN) }, true, 3)).toEqual([Int32Array.of(-1)]);
});
