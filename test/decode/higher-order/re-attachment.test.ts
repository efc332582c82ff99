import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HigherOrderChart } from '../../../src/decode/higher-order/higher-order-chart.ts';
import { ReAttachment } from '../../../src/decode/higher-order/re-attachment.ts';
import { Random } from '../../../src/learn/random.ts';
import { candidatesOf, literalScore, randomScores } from '../../support/random-parts.ts';
import { allTrees, isTree, projectiveTrees, rootCount } from '../../support/random-trees.ts';

const cases = fc.record({
  n: fc.integer({ min: 1, max: 6 }),
  share: fc.constantFrom(3, 6, 10),
  third: fc.boolean(),
  seed: fc.integer(),
});

/** A random problem, the best projective tree, and that tree after re-attachment. */
function solved(
  { n, share, third, seed }: { n: number; share: number; third: boolean; seed: number },
  singleRoot: boolean,
) {
  const random = new Random(seed);
  const trees = projectiveTrees(n).filter((heads) => !singleRoot || rootCount(heads, n) === 1);
  const arcs = candidatesOf(n, share, trees[random.below(trees.length)]!, random);
  const scores = randomScores(arcs, random, third);
  const projective = new Int32Array(n + 1);
  new HigherOrderChart({ singleRoot }).decode(arcs, scores, projective);
  const heads = projective.slice();
  new ReAttachment({ singleRoot }).improve(arcs, scores, heads);
  const scoreOf = (tree: Int32Array) => literalScore(arcs, scores, tree, n);
  return { arcs, scores, projective, heads, scoreOf };
}

describe.each([{ singleRoot: false }, { singleRoot: true }])(
  're-attachment with singleRoot $singleRoot',
  ({ singleRoot }) => {
    it('ends with a tree that no change of one head improves, never with a worse tree', () => {
      fc.assert(
        fc.property(cases, (one) => {
          const { n } = one;
          const { projective, heads, scoreOf } = solved(one, singleRoot);
          expect(isTree(heads, n)).toBe(true);
          if (singleRoot) expect(rootCount(heads, n)).toBe(1);
          const score = scoreOf(heads);
          expect(score).toBeGreaterThanOrEqual(scoreOf(projective));
          for (let d = 1; d <= n; d++) {
            for (let h = 0; h <= n; h++) {
              const other = heads.with(d, h);
              if (h === d || !isTree(other, n) || (singleRoot && rootCount(other, n) !== 1)) continue;
              expect(scoreOf(other)).toBeLessThanOrEqual(score);
            }
          }
        }),
        { numRuns: 150 },
      );
    });

    it('finds the best of all trees, projective or not, in most random cases', () => {
      const all = Array.from({ length: 60 }, (_, seed) => ({ n: 5, share: 6, third: true, seed }));
      const best = all.filter((one) => {
        const { heads, scoreOf } = solved(one, singleRoot);
        const trees = allTrees(5).filter((tree) => !singleRoot || rootCount(tree, 5) === 1);
        return scoreOf(heads) === Math.max(...trees.map(scoreOf));
      });
      expect(best.length).toBeGreaterThan(all.length / 2);
    });
  },
);

it('re-attachment keeps the confidence of a token without another possible head, as of the only root', () => {
  const { arcs, scores, heads } = solved({ n: 5, share: 6, third: true, seed: 1 }, true);
  const confidences = new Float64Array(6).fill(0.25);
  new ReAttachment({ singleRoot: true }).mix(arcs, scores, 1, heads, confidences);
  expect(confidences[heads.indexOf(0, 1)]).toBe(0.25);
  expect(confidences.subarray(1).some((confidence) => confidence !== 0.25)).toBe(true);
});
