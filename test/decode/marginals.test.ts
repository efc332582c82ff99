import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matrixTreeMarginals } from '../../src/decode/arc-confidences.ts';
import {
  logSemiring,
  maxSemiring,
  ProjectiveMarginals,
  type Semiring,
} from '../../src/decode/projective-marginals.ts';
import { expectClose } from '../support/close.ts';
import {
  type ScoreMatrix,
  scoreMatrices,
  seededScores,
  treeScore,
  treesOf,
} from '../support/random-trees.ts';

const SCALE = 0.25;
const matrices = scoreMatrices(1, 6, fc.integer({ min: -16, max: 16 }));
const roots = [{ singleRoot: false }, { singleRoot: true }];

interface Enumeration {
  readonly singleRoot: boolean;
  readonly projective: boolean;
}

/** The sum over all trees, and the sums over the trees with each arc in the order of `arcsOf`, by enumeration. */
function enumerate(matrix: ScoreMatrix, semiring: Semiring, { singleRoot, projective }: Enumeration) {
  const { n } = matrix;
  const trees = treesOf(n, singleRoot, projective);
  const sum = (some: readonly Int32Array[]) => {
    const terms = Float64Array.from(some, (heads) => SCALE * treeScore(matrix, heads));
    return semiring.sum(terms, terms.length);
  };
  const arcs = arcsOf(n).map(([h, d]) => sum(trees.filter((heads) => heads[d] === h)));
  return { sumOverTrees: sum(trees), arcs };
}

function arcsOf(n: number): [number, number][] {
  const tokens = Array.from({ length: n + 1 }, (_, i) => i);
  return tokens.flatMap((h) => tokens.slice(1).flatMap((d): [number, number][] => (h === d ? [] : [[h, d]])));
}

describe.each(roots)('marginals of projective trees, with singleRoot $singleRoot', ({ singleRoot }) => {
  it.each([
    { name: 'max', semiring: maxSemiring },
    { name: 'log', semiring: logSemiring },
  ])('agree with enumeration in the $name semiring, for up to 6 tokens', ({ semiring }) => {
    const marginals = new ProjectiveMarginals(semiring, { singleRoot });
    fc.assert(
      fc.property(matrices, (matrix) => {
        const { n, scores } = matrix;
        const found = new Float64Array((n + 1) ** 2);
        marginals.fill(scores, n, SCALE, found);
        const expected = enumerate(matrix, semiring, { singleRoot, projective: true });
        expect(marginals.sumOverTrees).toBeCloseTo(expected.sumOverTrees, 8);
        expectClose(
          arcsOf(n).map(([h, d]) => found[h * (n + 1) + d]!),
          expected.arcs,
          8,
        );
      }),
      { numRuns: 60 },
    );
  });

  it('make the probabilities of a token’s heads add up to 1, for up to 60 tokens', () => {
    const marginals = new ProjectiveMarginals(logSemiring, { singleRoot });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer(), (n, seed) => {
        const { scores } = seededScores(n, seed);
        const found = new Float64Array((n + 1) ** 2);
        marginals.fill(scores, n, 0.001, found);
        for (let d = 1; d <= n; d++) {
          let sum = 0;
          for (let h = 0; h <= n; h++)
            if (h !== d) sum += Math.exp(found[h * (n + 1) + d]! - marginals.sumOverTrees);
          expect(sum).toBeCloseTo(1, 6);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe.each(roots)('marginals of all trees, with singleRoot $singleRoot', (options) => {
  it.each([16, 160, 1200])('agree with enumeration for up to 6 tokens, with scores up to ±%i', (most) => {
    const farthest = scoreMatrices(1, 6, fc.integer({ min: -most, max: most }));
    fc.assert(
      fc.property(farthest, (matrix) => {
        const { n, scores } = matrix;
        const found = new Float64Array((n + 1) ** 2);
        matrixTreeMarginals(scores, n, options, SCALE, found);
        const { sumOverTrees, arcs } = enumerate(matrix, logSemiring, { ...options, projective: false });
        expectClose(
          arcsOf(n).map(([h, d]) => found[h * (n + 1) + d]!),
          arcs.map((arc) => Math.exp(arc - sumOverTrees)),
          8,
        );
      }),
      { numRuns: 30 },
    );
  });

  it('are still probabilities if two tokens are each other’s best heads by far', () => {
    const scores = Float32Array.from([
      Number.NaN,
      -9e6,
      -9e6,
      Number.NaN,
      Number.NaN,
      9e6,
      Number.NaN,
      9e6,
      Number.NaN,
    ]);
    const found = new Float64Array(9);
    matrixTreeMarginals(scores, 2, options, 1, found);
    for (const [h, d] of arcsOf(2)) expect(found[3 * h + d]).toBeGreaterThanOrEqual(0);
    expect(found[1]! + found[7]!).toBeCloseTo(1);
    expect(found[2]! + found[5]!).toBeCloseTo(1);
  });
});
