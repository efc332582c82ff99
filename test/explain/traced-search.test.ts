import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EisnerChart } from '../../src/decode/eisner.ts';
import { createDecoder } from '../../src/decode/registry.ts';
import { spansOfTree, traceChuLiuEdmonds } from '../../src/explain/traced-search.ts';
import { roots } from '../../src/treebank/tree.ts';
import { type ScoreMatrix, scoreMatrices, seededScores } from '../support/random-trees.ts';

function traced({ n, scores }: ScoreMatrix, singleRoot: boolean) {
  const heads = new Int32Array(n + 1);
  createDecoder('chu-liu-edmonds', { singleRoot }).decode(scores, n, heads);
  return { heads, trace: traceChuLiuEdmonds(scores, n, heads) };
}

describe.each([false, true])('with singleRoot %s', (singleRoot) => {
  test('the traced search finds the decoder’s own tree, or a better one with several roots', () => {
    fc.assert(
      fc.property(scoreMatrices(1, 9), (matrix) => {
        const { heads, trace } = traced(matrix, singleRoot);
        const scoreOf = (all: Int32Array) =>
          all.reduce((sum, h, d) => (d === 0 ? sum : sum + matrix.scores[h * (matrix.n + 1) + d]), 0);
        if (!singleRoot || roots(trace.heads).length === 1) expect([...trace.heads]).toEqual([...heads]);
        else expect(scoreOf(trace.heads)).toBeGreaterThanOrEqual(scoreOf(heads) - 1e-4);
      }),
      { numRuns: 300 },
    );
  });

  test('the gains of the rounds add up to the score of the tree, and opening a cycle never gains', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer(), (n, seed) => {
        const matrix = seededScores(n, seed);
        const { trace } = traced(matrix, singleRoot);
        const treeScore = trace.heads.reduce(
          (sum, h, d) => (d === 0 ? sum : sum + matrix.scores[h * (n + 1) + d]),
          0,
        );
        // Choices within a cycle stay; all others are made again in the next round.
        const kept = trace.rounds.flatMap(({ choices, cycles }) =>
          choices.filter(({ tokens }) => cycles.length === 0 || cycles.flat().includes(tokens[0])),
        );
        const told = kept.reduce((sum, { gain }) => sum + gain, 0);
        expect(told).toBeCloseTo(treeScore, 3);
        for (const { cost } of trace.openings) expect(cost).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

test('a cycle of two tokens is contracted, and opened where that costs least', () => {
  // Tokens 1 and 2 are each other’s best heads; the root is nearly as good a head of token 2.
  const scores = Float32Array.from([0, 5, 8, 0, 0, 9, 0, 10, 0]);
  const { trace } = traced({ n: 2, scores }, false);
  expect(trace.rounds.map(({ cycles }) => cycles)).toEqual([[[1, 2]], []]);
  expect(trace.openings).toEqual([
    { cycle: [1, 2], enters: { head: 0, dependent: 2 }, drops: { head: 1, dependent: 2 }, cost: 1 },
  ]);
  expect([...trace.heads]).toEqual([-1, 2, 0]);
});

describe.each([false, true])('with singleRoot %s', (singleRoot) => {
  test('the spans of the best tree have the same scores as in Eisner’s chart', () => {
    fc.assert(
      fc.property(scoreMatrices(1, 9), ({ n, scores }) => {
        const heads = new Int32Array(n + 1);
        createDecoder('eisner', { singleRoot }).decode(scores, n, heads);
        const spans = spansOfTree(scores, n, { singleRoot }, heads);
        const chart = new EisnerChart();
        chart.fill(scores, n, singleRoot ? 1 : 0);
        const leftward = spans.filter(({ head, end, isComplete }) => isComplete && end < head);
        for (const { head, end, score } of leftward) {
          expect(score).toBeCloseTo(chart.leftward[head * (n + 1) + end], 3);
        }
        expect(spans.filter(({ isComplete }) => !isComplete)).toHaveLength(singleRoot ? n - 1 : n);
        if (!singleRoot) expect(spans.at(-1)).toMatchObject({ head: 0, end: n, score: chart.rightwardTo[0] });
      }),
      { numRuns: 200 },
    );
  });
});

test('the spans of a tree are listed after the shorter ones that they are made of', () => {
  const scores = new Float32Array(16).fill(1);
  const spans = spansOfTree(scores, 3, { singleRoot: false }, Int32Array.of(-1, 2, 0, 2));
  expect(spans.map(({ head, end, isComplete, score }) => [head, end, isComplete, score])).toEqual([
    [2, 1, false, 1],
    [2, 3, false, 1],
    [2, 1, true, 1],
    [2, 3, true, 1],
    [0, 2, false, 2],
    [0, 3, true, 3],
  ]);
});
