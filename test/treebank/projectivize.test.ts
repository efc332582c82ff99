import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isProjective, isTree, projectivize, roots } from '../../src/treebank/tree.ts';
import { randomHeads } from '../support/random-trees.ts';
import { realSentences } from '../support/real-treebanks.ts';
import { needsShared } from '../support/shared.ts';

const heads = (text: string) => Int32Array.of(-1, ...text.split(' ').map(Number));

describe('making a tree projective', () => {
  test('leaves a projective tree as it is', () => {
    fc.assert(
      fc.property(randomHeads(1, 10), (tree) => {
        fc.pre(isProjective(tree));
        const lifted = tree.slice();
        expect(projectivize(lifted)).toBe(0);
        expect(lifted).toEqual(tree);
      }),
    );
  });

  test('gives a projective tree with the same roots, in which every head was an ancestor before', () => {
    fc.assert(
      fc.property(randomHeads(1, 12), (tree) => {
        const lifted = tree.slice();
        const count = projectivize(lifted);
        expect(isTree(lifted) && isProjective(lifted)).toBe(true);
        expect(roots(lifted)).toEqual(expect.arrayContaining(roots(tree)));
        for (let d = 1; d < tree.length; d++) expect(ancestors(tree, d)).toContain(lifted[d]);
        expect(lifted.filter((h, d) => h !== tree[d])).toHaveLength(count);
      }),
    );
  });

  test('lifts the shortest (and first) non-projective arc until all are projective (Nivre & Nilsson 2005)', () => {
    fc.assert(
      fc.property(randomHeads(3, 10), (tree) => {
        const lifted = tree.slice();
        projectivize(lifted);
        expect(lifted).toEqual(literally(tree));
      }),
      { numRuns: 300 },
    );
  });

  test('lifts an arc only as far as necessary', () => {
    // The arc 2 → 5 crosses 1 → 3, and after one step, as 1 → 5, no arc.
    expect(projectivized('0 1 1 1 2')).toEqual([1, heads('0 1 1 1 1')]);
    // The arc 1 → 5 crosses 0 → 3: one step, from 1 past 2 to 3.
    expect(projectivized('2 3 0 3 1')).toEqual([1, heads('2 3 0 3 3')]);
  });

  needsShared.test('makes every tree of UD Hungarian projective', async () => {
    let nonProjective = 0;
    for (const sentence of await realSentences('Hungarian')) {
      const lifted = sentence.heads.slice();
      const count = projectivize(lifted);
      expect(isProjective(lifted)).toBe(true);
      expect(count > 0).toBe(!isProjective(sentence.heads));
      if (count > 0) nonProjective++;
    }
    expect(nonProjective).toBe(121);
  });
});

function projectivized(text: string): [lifted: number, tree: Int32Array] {
  const tree = heads(text);
  return [projectivize(tree), tree];
}

/** A literal implementation of the definition, arc by arc. */
function literally(tree: Int32Array): Int32Array {
  const lifted = tree.slice();
  const tokens = [...lifted.keys()].slice(1);
  const length = (d: number) => Math.abs(lifted[d]! - d);
  const isCrossed = (d: number) =>
    tokens.some((i) => i > Math.min(d, lifted[d]!) && i < Math.max(d, lifted[d]!) && !isBelow(lifted, i, d));
  for (;;) {
    const crossed = tokens.filter(isCrossed).sort((a, b) => length(a) - length(b) || a - b);
    if (crossed.length === 0) return lifted;
    lifted[crossed[0]!] = lifted[lifted[crossed[0]!]!]!;
  }
}

/** Whether the head of token d is above token i. */
function isBelow(tree: Int32Array, i: number, d: number): boolean {
  return ancestors(tree, i).includes(tree[d]!);
}

/** The head of a token, its head, and so on to the root. */
function ancestors(tree: Int32Array, d: number): number[] {
  const found: number[] = [];
  for (let i = tree[d]!; i !== -1; i = tree[i]!) found.push(i);
  return found;
}
