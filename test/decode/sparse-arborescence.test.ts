import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createChuLiuEdmonds } from '../../src/decode/chu-liu-edmonds.ts';
import { SparseArborescence, type SparseArcs } from '../../src/decode/sparse-arborescence.ts';
import { Random } from '../../src/learn/random.ts';
import { isTree, rootCount, treesOf } from '../support/random-trees.ts';

const UNLISTED = -1000;

describe.each([false, true])('the best tree over listed arcs (single root: %s)', (singleRoot) => {
  const solver = new SparseArborescence();
  const solve = (arcs: SparseArcs) => {
    const heads = new Int32Array(arcs.n + 1);
    solver.solve(arcs, singleRoot, heads);
    return heads;
  };

  test('scores as much as the best of all trees, including those with unlisted arcs', () => {
    fc.assert(
      fc.property(randomArcs(5), (arcs) => {
        const heads = solve(arcs);
        expect(isTree(heads, arcs.n)).toBe(true);
        const trees = treesOf(arcs.n, singleRoot, false);
        if (singleRoot) expect(rootCount(heads, arcs.n)).toBe(1);
        expect(scoreOf(arcs, heads)).toBe(Math.max(...trees.map((tree) => scoreOf(arcs, tree))));
      }),
      { numRuns: 400 },
    );
  });

  test('scores as much as the best tree over the dense graph, for sentences of up to 60 tokens', () => {
    const dense = createChuLiuEdmonds({ singleRoot });
    fc.assert(
      fc.property(randomArcs(60), (arcs) => {
        const { n } = arcs;
        const scores = new Float32Array((n + 1) ** 2).fill(UNLISTED);
        eachArc(arcs, (d, head, score) => {
          scores[head * (n + 1) + d] = score;
        });
        const expected = new Int32Array(n + 1);
        dense.decode(scores, n, expected);
        expect(scoreOf(arcs, solve(arcs))).toBe(scoreOf(arcs, expected));
      }),
      { numRuns: 500 },
    );
  });

  test('is found for 50,000 tokens whose best heads form cycles, with memory for listed arcs only', () => {
    const random = new Random(3, 0);
    const n = 50_000;
    const answers = Array.from({ length: 3 }, () =>
      Int32Array.from({ length: n + 1 }, (_, d) => Math.max(0, Math.min(n, d - 4 + random.below(8)))),
    );
    const heads = solve(
      listed(n, (d) => answers.map((answer) => ({ head: answer[d], score: 1 + random.below(3) }))),
    );
    expect(isTree(heads, n)).toBe(true);
  });
});

/** Up to four arcs into each token, with few different scores. */
function randomArcs(most: number): fc.Arbitrary<SparseArcs> {
  return fc
    .integer({ min: 1, max: most })
    .chain((n) => {
      const arc = fc.record({ head: fc.nat(n), score: fc.integer({ min: 0, max: 4 }) });
      return fc.array(fc.array(arc, { maxLength: 4 }), { minLength: n, maxLength: n });
    })
    .map((tokens) => listed(tokens.length, (d) => tokens[d - 1]));
}

interface ListedArc {
  readonly head: number;
  readonly score: number;
}

/** The arcs of every token; of several arcs with the same head, only the first. */
function listed(n: number, arcsOf: (d: number) => readonly ListedArc[]): SparseArcs {
  const firstArc = new Int32Array(n + 2);
  const all: ListedArc[] = [];
  for (let d = 1; d <= n; d++) {
    firstArc[d] = all.length;
    const heads = new Set([d]);
    for (const arc of arcsOf(d)) {
      if (!heads.has(arc.head)) all.push(arc);
      heads.add(arc.head);
    }
  }
  firstArc[n + 1] = all.length;
  return {
    n,
    firstArc,
    heads: Int32Array.from(all, ({ head }) => head),
    scores: Float64Array.from(all, ({ score }) => score),
    unlisted: UNLISTED,
  };
}

function eachArc(
  { n, firstArc, heads, scores }: SparseArcs,
  use: (d: number, head: number, score: number) => void,
) {
  for (let d = 1; d <= n; d++) {
    for (let arc = firstArc[d]; arc < firstArc[d + 1]; arc++) use(d, heads[arc], scores[arc]);
  }
}

function scoreOf(arcs: SparseArcs, tree: Int32Array): number {
  const listedScores = new Map<string, number>();
  eachArc(arcs, (d, head, score) => listedScores.set(`${head} ${d}`, score));
  let sum = 0;
  for (let d = 1; d <= arcs.n; d++) sum += listedScores.get(`${tree[d]} ${d}`) ?? UNLISTED;
  return sum;
}
