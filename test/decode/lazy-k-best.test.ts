import { expect, test } from 'vitest';
import { type Hyperedge, LazyKBest } from '../../src/decode/lazy-k-best.ts';

/** A chain of nodes, each of which is derived from the one before in two ways that differ by 1. */
function chain(node: number): Hyperedge[] {
  return node === 0
    ? [{ score: 0, children: [] }]
    : [0, 1].map((loss) => ({ score: -loss, children: [node - 1] }));
}

test('derivations are found in the order of their losses', () => {
  const scores = Array.from({ length: 20 }, (_, rank) => new LazyKBest(20, chain).at(4, rank)?.score);
  const losses = [0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4];
  expect(scores.map((score) => (score === undefined ? undefined : Math.abs(score)))).toEqual([
    ...losses,
    ...new Array(4).fill(undefined),
  ]);
});

test('derivations may be 50,000 nodes deep', () => {
  expect(new LazyKBest(2, chain).at(50_000, 1)?.score).toBe(-1);
});
