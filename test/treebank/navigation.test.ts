import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { treeOf } from '../../src/treebank/navigation.ts';
import { sentenceOf } from '../../src/treebank/sentence.ts';
import { isProjective } from '../../src/treebank/tree.ts';
import { randomHeads } from '../support/random-trees.ts';

/** A hearing is scheduled on the issue today: “on the issue” hangs on “hearing”, across the verb. */
const heads = [2, 4, 4, 0, 2, 7, 5, 4];
const labels = ['det', 'nsubj', 'aux', 'root', 'nmod', 'det', 'obj', 'advmod'];
const words = 'A hearing is scheduled on the issue today'.split(' ');
const sentence = sentenceOf(words.map((form, i) => ({ form, head: heads[i]!, label: labels[i]! })));
const tree = treeOf(sentence);

describe('a tree', () => {
  test('has parents, labels and children', () => {
    expect([tree.parent(2), tree.parent(4), tree.label(2)]).toEqual([4, 0, 'nsubj']);
    expect([tree.children(0), tree.children(4), tree.children(4, 'aux')]).toEqual([[4], [2, 3, 8], [3]]);
  });

  test('has paths through the lowest common ancestor of both ends', () => {
    expect(tree.ancestors(6)).toEqual([7, 5, 2, 4]);
    expect(tree.path(6, 8)).toEqual([6, 7, 5, 2, 4, 8]);
    expect(tree.path(2, 6)).toEqual([2, 5, 7, 6]);
    expect(tree.path(3, 3)).toEqual([3]);
  });

  test('has subtrees, their spans, and their projective yields', () => {
    expect(tree.subtree(2)).toEqual([1, 2, 5, 6, 7]);
    expect(tree.span(2)).toEqual({ first: 1, last: 7 });
    expect(tree.projectiveYield(2)).toEqual([1, 2]);
    expect([tree.isProjective(2), tree.isProjective(5), tree.dominates(2, 6), tree.dominates(6, 2)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  test('may come from a parser, and may have cycles', () => {
    const other = treeOf(sentence, {
      heads: Int32Array.from([-1, 2, 1, 4, 0, 4, 4, 4, 4]),
      labels: ['', ...labels],
    });
    expect([other.subtree(4), other.subtree(1), other.path(1, 4)]).toEqual([[3, 4, 5, 6, 7, 8], [1], []]);
    expect(() => tree.children(9)).toThrow('token 9 of a sentence of 8');
    expect(() => treeOf(sentence, { heads: new Int32Array(3), labels: [] })).toThrow(
      'a tree of 2 tokens for a sentence of 8',
    );
  });

  test('has consistent subtrees, ancestors and projectivity for any heads', () => {
    fc.assert(
      fc.property(randomHeads(1, 9), (random) => {
        const n = random.length - 1;
        const any = treeOf(sentenceOf('w '.repeat(n)), { heads: random, labels: new Array(n + 1).fill('x') });
        const tokens = Array.from({ length: n }, (_, i) => i + 1);
        expect(any.subtree(0)).toEqual(tokens);
        for (const h of tokens) {
          expect(any.subtree(h)).toEqual(tokens.filter((d) => d === h || any.ancestors(d).includes(h)));
          expect(tokens.filter((d) => any.dominates(h, d))).toEqual(any.subtree(h).filter((d) => d !== h));
        }
        expect(tokens.every((h) => any.isProjective(h))).toBe(isProjective(random));
      }),
    );
  });
});
