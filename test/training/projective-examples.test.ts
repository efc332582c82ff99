import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LiftingScheme, Lowering, liftingSchemes } from '../../src/encoding/lifted-labels.ts';
import { OptionError } from '../../src/errors.ts';
import type { Example } from '../../src/training/examples.ts';
import { buildableExamples, projectiveExamples } from '../../src/training/projective-examples.ts';
import { isProjective, isTree, nonProjectiveArcs } from '../../src/treebank/tree.ts';
import { randomHeads } from '../support/random-trees.ts';
import { realSentences } from '../support/real-treebanks.ts';
import { needsShared } from '../support/shared.ts';

/** A tree by the heads and labels of its words: `2 det, 0 root`. */
function example(text: string): { readonly labels: string[]; readonly examples: Example[] } {
  const words = text.split(', ').map((word) => word.split(' '));
  const labels = [...new Set(words.map(([, label]) => label))];
  const heads = Int32Array.of(-1, ...words.map(([head]) => Number(head)));
  const numbers = Int32Array.of(0, ...words.map(([, label]) => labels.indexOf(label)));
  return { labels, examples: [{ length: words.length, columns: new Int32Array(0), heads, labels: numbers }] };
}

/** The lifted tree that a parser would be trained on, and the tree that lowering makes of it. */
function liftedAndLowered(data: ReturnType<typeof example>, scheme: LiftingScheme) {
  const { examples, labels, lifting } = projectiveExamples(data, scheme, undefined);
  const lifted = examples[0];
  const lowered = { heads: lifted.heads.slice(), labels: lifted.labels.slice() };
  if (lifting) new Lowering(lifting, labels.length).lower(lowered, lifted.length);
  const names = [...lifted.labels].slice(1).map((label) => labels[label]);
  return { lifted, names, lowered };
}

/** The arc from 2 to 5 crosses those from 1 to 3 and 4: lifting makes 1 the head of 5. */
const crossing = '0 root, 1 obj, 1 obl, 1 punct, 2 acl';

describe('labels of lifted arcs (Nivre & Nilsson 2005)', () => {
  test.each([
    ['head', ['root', 'obj', 'obl', 'punct', 'acl↑obj']],
    ['path', ['root', 'obj↓', 'obl', 'punct', 'acl↑']],
    ['head+path', ['root', 'obj↓', 'obl', 'punct', 'acl↑obj']],
  ] as const)('encode with the scheme %s where an arc was', (scheme, expected) => {
    const { lifted, names, lowered } = liftedAndLowered(example(crossing), scheme);
    expect([...lifted.heads]).toEqual([-1, 0, 1, 1, 1, 1]);
    expect(names).toEqual(expected);
    expect([...lowered.heads]).toEqual([-1, 0, 1, 1, 1, 2]);
    expect([...lowered.labels]).toEqual([...example(crossing).examples[0].labels]);
  });

  test.each(liftingSchemes)(
    'are lowered to trees with the original relations, with the scheme %s',
    (scheme) => {
      fc.assert(
        fc.property(randomHeads(3, 12), fc.infiniteStream(fc.nat(2)), (heads, some) => {
          const words = [...heads].slice(1).map((head) => `${head} r${some.next().value}`);
          const data = example(words.join(', '));
          const { lifted, lowered } = liftedAndLowered(data, scheme);
          expect(isProjective(lifted.heads)).toBe(true);
          expect(isTree(lowered.heads)).toBe(true);
          expect([...lowered.labels].slice(1)).toEqual([...data.examples[0].labels].slice(1));
          if (isProjective(heads)) expect(lowered.heads).toEqual(heads);
        }),
        { numRuns: 300 },
      );
    },
  );

  test('restore the original tree if one arc was lifted and every word has a relation of its own', () => {
    fc.assert(
      fc.property(randomHeads(3, 10), (heads) => {
        fc.pre(nonProjectiveArcs(heads).length === 1);
        const words = [...heads].slice(1).map((head, i) => `${head} r${i}`);
        expect(liftedAndLowered(example(words.join(', ')), 'head').lowered.heads).toEqual(heads);
      }),
      { numRuns: 300 },
    );
  });

  test('are refused for parsers that can build crossing arcs', () => {
    const asked = () => buildableExamples(example(crossing), false, { pseudoProjective: 'head' }, {});
    expect(asked).toThrow(OptionError);
    const { heads } = buildableExamples(example(crossing), false, { pseudoProjective: 'none' }, {})
      .examples[0];
    expect([...heads]).toEqual([-1, 0, 1, 1, 1, 2]);
  });

  needsShared.test('restore nearly all crossing arcs of UD Hungarian', async () => {
    const sentences = await realSentences('Hungarian');
    const numbers = new Map<string, number>();
    const number = (label: string) => numbers.get(label) ?? numbers.set(label, numbers.size).size - 1;
    const examples = sentences.map(({ length, heads, labels }) => ({
      length,
      heads,
      columns: new Int32Array(0),
      labels: Int32Array.from(labels, number),
    }));
    const wrong = (scheme: LiftingScheme) => {
      const told = projectiveExamples({ examples, labels: [...numbers.keys()] }, scheme, undefined);
      const lowering = new Lowering(told.lifting!, told.labels.length);
      let differing = 0;
      let lifted = 0;
      told.examples.forEach((tree, i) => {
        const { heads } = examples[i];
        lifted += tree.heads.filter((head, word) => head !== heads[word]).length;
        lowering.lower(tree, tree.length);
        differing += tree.heads.filter((head, word) => head !== heads[word]).length;
      });
      return differing / lifted;
    };
    expect(wrong('head')).toBeLessThan(0.2);
    expect(wrong('path')).toBeLessThan(0.02);
    expect(wrong('head+path')).toBeLessThan(0.01);
  });
});
