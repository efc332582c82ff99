import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CandidateArcs, PartScores } from '../../../src/decode/higher-order/candidate-arcs.ts';
import { HigherOrderChart } from '../../../src/decode/higher-order/higher-order-chart.ts';
import { Random } from '../../../src/learn/random.ts';
import { candidatesOf, literalScore, randomScores } from '../../support/random-parts.ts';
import { isProjective, isTree, projectiveTrees, rootCount } from '../../support/random-trees.ts';

const roots = [{ singleRoot: false }, { singleRoot: true }];

const cases = fc.record({
  n: fc.integer({ min: 1, max: 7 }),
  share: fc.constantFrom(2, 5, 10),
  third: fc.boolean(),
  seed: fc.integer(),
});

describe.each(roots)('the higher-order chart with singleRoot $singleRoot', ({ singleRoot }) => {
  it('finds the best projective tree over the candidates, up to 7 tokens', () => {
    const chart = new HigherOrderChart({ singleRoot });
    fc.assert(
      fc.property(cases, ({ n, share, third, seed }) => {
        const random = new Random(seed);
        const trees = projectiveTrees(n).filter((heads) => !singleRoot || rootCount(heads, n) === 1);
        const arcs = candidatesOf(n, share, trees[random.below(trees.length)]!, random);
        const scores = randomScores(arcs, random, third);
        const heads = new Int32Array(n + 1);
        expect(chart.decode(arcs, scores, heads)).toBe(true);
        expect(isTree(heads, n)).toBe(true);
        expect(isProjective(heads, n)).toBe(true);
        const best = Math.max(...trees.map((tree) => literalScore(arcs, scores, tree, n)));
        expect(literalScore(arcs, scores, heads, n)).toBe(best);
      }),
      { numRuns: 60 },
    );
  });

  it('returns false if the candidates allow no projective tree', () => {
    const arcs = new CandidateArcs();
    arcs.start(4);
    // 1 ← 3 and 2 ← 4 cross.
    for (const [d, h] of [3, 4, 0, 3].entries()) arcs.add(h, d + 1);
    arcs.finish();
    const scores = new PartScores();
    scores.clear(arcs);
    expect(new HigherOrderChart({ singleRoot }).decode(arcs, scores, new Int32Array(5))).toBe(false);
  });
});

it('candidate arcs are the same after they were saved as numbers', () => {
  const random = new Random(1);
  const arcs = candidatesOf(9, 4, projectiveTrees(1)[0]!, random);
  const again = new CandidateArcs();
  again.restore(9, arcs.toArray());
  expect(again.toArray()).toEqual(arcs.toArray());
  expect(again.siblingPairs).toBe(arcs.siblingPairs);
  expect(again.grandSiblingCount).toBe(arcs.grandSiblingCount);
});
