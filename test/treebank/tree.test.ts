import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findCycle, isProjective, isTree, nonProjectiveArcs, roots } from '../../src/treebank/tree.ts';
import { randomHeads } from '../support/random-trees.ts';

/** Heads in mini-notation: `tree('2 0 2')`. */
const tree = (heads: string) => Int32Array.from([-1, ...heads.split(' ').map(Number)]);

/** Any heads at all, trees or not, −1 included. */
const anyHeads = fc
  .integer({ min: 1, max: 9 })
  .chain((n) => fc.array(fc.integer({ min: -1, max: n }), { minLength: n, maxLength: n }))
  .map((heads) => Int32Array.from([-1, ...heads]));

/** The tokens above d, d first, up to the root or until one comes a second time. */
function above(heads: Int32Array, d: number): number[] {
  const path: number[] = [];
  for (let i = d; i >= 0 && !path.includes(i); i = heads[i]!) path.push(i);
  return path;
}

const tokensOf = (heads: Int32Array) => Array.from(heads.keys()).slice(1);

describe('roots', () => {
  test('are the tokens whose head is 0', () => {
    expect(roots(tree('0 1 0 3'))).toEqual([1, 3]);
    expect(roots(tree('2 1'))).toEqual([]);
  });
});

describe('a cycle', () => {
  test('is listed token by token, each followed by its head, from the smallest on', () => {
    expect(findCycle(tree('0 4 2 3'))).toEqual([2, 4, 3]);
    expect(findCycle(tree('1 0'))).toEqual([1]);
    expect(findCycle(tree('0 1 1'))).toEqual([]);
  });

  test('is found if a walk up from some token never ends, and is a real cycle', () => {
    fc.assert(
      fc.property(anyHeads, (heads) => {
        const endless = tokensOf(heads).some((d) => heads[above(heads, d).at(-1)!]! >= 0);
        const cycle = findCycle(heads);
        expect(cycle.length > 0).toBe(endless);
        cycle.forEach((token, i) => {
          expect(heads[token]).toBe(cycle[(i + 1) % cycle.length]);
        });
        expect(new Set(cycle).size).toBe(cycle.length);
        if (endless) expect(cycle[0]).toBe(Math.min(...cycle));
      }),
    );
  });

  test('may hold 100,000 tokens', () => {
    const heads = Int32Array.from({ length: 100_001 }, (_, d) => d - 1);
    heads[1] = 100_000;
    expect(findCycle(heads)).toHaveLength(100_000);
  });
});

test('an empty array of heads is projective', () => expect(isProjective(new Int32Array())).toBe(true));

describe('a tree', () => {
  test('has a path from every token to the artificial root', () => {
    fc.assert(
      fc.property(anyHeads, (heads) => {
        expect(isTree(heads)).toBe(tokensOf(heads).every((d) => above(heads, d).at(-1) === 0));
      }),
    );
  });

  test.each(['-2 1', '3 1', '2 0 4'])(
    'cannot have the heads %s, which point outside the sentence',
    (heads) => {
      expect(isTree(tree(heads))).toBe(false);
    },
  );
});

describe('a non-projective arc', () => {
  test('has between its ends a token that its head does not dominate', () => {
    fc.assert(
      fc.property(randomHeads(1, 10), (heads) => {
        const expected = tokensOf(heads).filter((d) => {
          const h = heads[d]!;
          const between = tokensOf(heads).filter((i) => i > Math.min(h, d) && i < Math.max(h, d));
          return between.some((i) => !above(heads, i).includes(h));
        });
        expect(nonProjectiveArcs(heads)).toEqual(expected);
        expect(isProjective(heads)).toBe(expected.length === 0);
      }),
    );
  });

  test('does not start at the artificial root, but may cross an arc that does', () => {
    expect(nonProjectiveArcs(tree('3 0 2'))).toEqual([1]);
    expect(nonProjectiveArcs(tree('2 0 2'))).toEqual([]);
  });

  test('can be searched for in any heads, a tree or not, and in chains of 50,000 tokens', () => {
    fc.assert(fc.property(anyHeads, (heads) => nonProjectiveArcs(heads).length <= heads.length));
    expect(isProjective(Int32Array.from({ length: 50_001 }, (_, d) => d - 1))).toBe(true);
  });
});

test('isProjective ends even if the heads are strings, as in a column', () => {
  expect(isProjective(['-1', '2', '0'] as unknown as Int32Array)).toBe(true);
  expect(isProjective(['-1', '3', '4', '0', '3'] as unknown as Int32Array)).toBe(false);
});
