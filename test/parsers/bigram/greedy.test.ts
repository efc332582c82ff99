import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GreedyDecoder } from '../../../parsers/bigram/bigram-parser.ts';
import { isProjective, isTree, roots } from '../../../src/treebank/tree.ts';
import { scoreMatrices, seededScores } from '../../support/random-trees.ts';

/** The definition itself: adds the best of all arcs after which a projective tree is still possible. */
function literalGreedy(scores: Float32Array, n: number, singleRoot: boolean): Int32Array {
  const heads = new Int32Array(n + 1).fill(-1);
  for (let added = 0; added < n; added++) {
    let best = { h: -1, d: -1, score: -Infinity };
    for (let d = 1; d <= n; d++) {
      for (let h = 0; h <= n; h++) {
        const score = scores[h * (n + 1) + d];
        if (heads[d] !== -1 || h === d || score <= best.score) continue;
        const more = heads.slice();
        more[d] = h;
        if (canBeCompleted(more, singleRoot)) best = { h, d, score };
      }
    }
    heads[best.d] = best.h;
  }
  return heads;
}

function canBeCompleted(heads: Int32Array, singleRoot: boolean): boolean {
  const d = heads.indexOf(-1, 1);
  if (d === -1) return isTree(heads) && isProjective(heads) && !(singleRoot && roots(heads).length !== 1);
  for (let h = 0; h < heads.length; h++) {
    const more = heads.slice();
    more[d] = h;
    if (h !== d && canBeCompleted(more, singleRoot)) return true;
  }
  return false;
}

describe.each([{ singleRoot: false }, { singleRoot: true }])(
  'the greedy search with singleRoot $singleRoot',
  (options) => {
    const decode = (scores: Float32Array, n: number) => {
      const heads = new Int32Array(n + 1).fill(99);
      new GreedyDecoder(options).decode(scores, n, heads);
      return heads;
    };

    test('repeatedly adds the best arc after which a projective tree is still possible', () => {
      fc.assert(
        fc.property(scoreMatrices(1, 4), ({ n, scores }) => {
          expect(decode(scores, n)).toEqual(literalGreedy(scores, n, options.singleRoot));
        }),
        { numRuns: 60 },
      );
    });

    test('gives a projective tree for any scores', () => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 60 }), fc.integer(), (n, seed) => {
          const heads = decode(seededScores(n, seed).scores, n);
          expect(isTree(heads)).toBe(true);
          expect(isProjective(heads)).toBe(true);
          if (options.singleRoot) expect(roots(heads)).toHaveLength(1);
        }),
      );
    });
  },
);

test('a token that should take one dependent takes a second only if no other arc is possible', () => {
  const n = 3;
  const scores = new Float32Array((n + 1) ** 2).fill(-10);
  const set = (h: number, d: number, score: number) => {
    scores[h * (n + 1) + d] = score;
  };
  set(0, 1, 5);
  set(1, 2, 4);
  set(1, 3, 3);
  set(2, 3, 2);
  const heads = new Int32Array(n + 1);
  new GreedyDecoder({ singleRoot: true }).decode(scores, n, heads);
  expect([...heads]).toEqual([-1, 0, 1, 1]);
  new GreedyDecoder({ singleRoot: true }, Uint8Array.of(0, 1, 0, 0)).decode(scores, n, heads);
  expect([...heads]).toEqual([-1, 0, 1, 2]);
  new GreedyDecoder({ singleRoot: true }, Uint8Array.of(0, 1, 1, 1)).decode(scores, n, heads);
  expect([...heads]).toEqual([-1, 0, 1, 2]);
  new GreedyDecoder({ singleRoot: false }, Uint8Array.of(1, 0, 0, 0)).decode(scores, n, heads);
  expect([...heads]).toEqual([-1, 0, 1, 1]);
});
