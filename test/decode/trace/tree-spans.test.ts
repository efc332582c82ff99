import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EisnerChart } from '../../../src/decode/eisner-chart.ts';
import { createDecoder } from '../../../src/decode/registry.ts';
import { spansOfTree } from '../../../src/decode/trace/tree-spans.ts';
import { scoreMatrices } from '../../support/random-trees.ts';

describe.each([false, true])('with singleRoot %s', (singleRoot) => {
  test('the spans of the best tree score what Eisner’s chart has for them', () => {
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

test('spans are put together from shorter ones', () => {
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
