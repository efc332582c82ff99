import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { methodNames } from '../../../combine/names.ts';
import { Vote } from '../../../combine/vote/vote.ts';
import { equalWeighting, givenWeighting } from '../../../combine/vote/weights/weighting.ts';
import { UsageError } from '../../../src/errors.ts';
import { ballot, randomBallots, randomWeights } from '../../support/ballots.ts';
import { literalSuperparser } from '../../support/literal-superparser.ts';
import { allTrees, isProjective, isTree, randomHeads, rootCount } from '../../support/random-trees.ts';

const small = { tokens: 7, members: 6 };
const weighted = (shape: Parameters<typeof randomBallots>[0]) =>
  randomBallots(shape).chain((votes) => fc.tuple(fc.constant(votes), randomWeights(votes)));

describe.each(methodNames)('the method %s', (method) => {
  test.each([
    ['trees', true],
    ['any heads, cycles too', false],
  ])('makes a tree with one artificial root of %s, of any number of members', (_, trees) => {
    fc.assert(
      fc.property(
        weighted({ tokens: 30, members: 12, trees }),
        fc.boolean(),
        ([votes, weights], singleRoot) => {
          const n = votes.sentence.length;
          const { heads, labels } = new Vote(givenWeighting(weights), { method, singleRoot }).decide(
            votes,
          ).tree;
          expect(isTree(heads, n)).toBe(true);
          if (singleRoot) expect(rootCount(heads, n)).toBe(1);
          if (method === 'reparse-eisner') expect(isProjective(heads, n)).toBe(true);
          expect(labels).toHaveLength(n + 1);
        },
      ),
    );
  });

  test('gives the tree of a single member back, and that of members who all say the same', () => {
    fc.assert(
      fc.property(randomHeads(1, 30), fc.integer({ min: 1, max: 100 }), fc.boolean(), (heads, count, set) => {
        const n = heads.length - 1;
        fc.pre(method !== 'reparse-eisner' || isProjective(heads, n));
        const words = Array.from(heads.subarray(1), (head, i) => `${head}/l${i % 3}`).join(' ');
        const votes = ballot(...Array<string>(count).fill(words));
        const singleRoot = rootCount(heads, n) === 1 && set ? true : undefined;
        const tree = new Vote(equalWeighting(count), { method, singleRoot }).decide(votes).tree;
        expect(tree).toEqual({ heads, labels: votes.trees[0].labels });
      }),
    );
  });

  test('counts no vote of a member where it has no head, and makes a tree where none has one', () => {
    const vote = new Vote(equalWeighting(2), { method });
    const { tree, winners } = vote.decide(ballot('-1 0 2', '2 0 -1'));
    expect([...tree.heads]).toEqual([-1, 2, 0, 2]);
    expect([...winners]).toEqual([-1, 2, 0, 2]);
    expect(isTree(vote.decide(ballot('-1 -1 -1', '-1 -1 -1')).tree.heads, 3)).toBe(true);
  });

  test('takes 100 members', () => {
    const votes = ballot(...Array<string>(60).fill('2 0 2'), ...Array<string>(40).fill('0 1 2'));
    const { heads } = new Vote(equalWeighting(100), { method }).decide(votes).tree;
    expect([...heads]).toEqual([-1, 2, 0, 2]);
  });

  test('takes 100 members who all say something else, of sentences of 1 to 60 tokens, one after the other', () => {
    const vote = new Vote(equalWeighting(100), { method });
    for (const n of [60, 1, 7, 31]) {
      // Member m hangs every token but one on the next one or on the one m steps behind it.
      const members = Array.from({ length: 100 }, (_, m) =>
        Array.from({ length: n }, (_, i) => (i === m % n ? 0 : ((i + 1 + m) % n) + 1)).join(' '),
      );
      const { heads } = vote.decide(ballot(...members)).tree;
      expect(isTree(heads, n)).toBe(true);
    }
  });

  test('gives 1,000 tokens a tree', () => {
    const chain = Array.from({ length: 1000 }, (_, i) => i).join(' ');
    const ring = Array.from({ length: 1000 }, (_, i) => (i === 999 ? 1 : i + 2)).join(' ');
    const { heads } = new Vote(givenWeighting([1, 2]), { method }).decide(ballot(chain, ring)).tree;
    expect(isTree(heads, 1000)).toBe(true);
  });
});

describe('a sentence of 200,000 tokens', () => {
  const chain = (step: number) =>
    Array.from({ length: 200_000 }, (_, i) => (i === 0 ? 0 : Math.max(1, i + 1 - step))).join(' ');
  const votes = ballot(chain(1), chain(2), chain(1));

  test.each(['superparser', 'reparse-cle'] as const)('is voted on by %s', (method) => {
    const { heads } = new Vote(equalWeighting(3), { method }).decide(votes).tree;
    expect(heads).toEqual(votes.trees[0].heads);
  });

  test('is refused by reparse-eisner, which takes 4,000, before any work', () => {
    const vote = new Vote(equalWeighting(3), { method: 'reparse-eisner' });
    expect(() => vote.decide(votes).tree).toThrow(
      '200000 tokens: reparse-eisner takes at most 4000, as its time is cubic; reparse-cle has no limit',
    );
  });
});

describe('the superparser', () => {
  test.each([true, false])('is what Zeman (2009) says, literally (answers are trees: %s)', (trees) => {
    fc.assert(
      fc.property(weighted({ ...small, trees }), fc.boolean(), ([votes, weights], singleRoot) => {
        const vote = new Vote(givenWeighting(weights), { method: 'superparser', singleRoot });
        expect([...vote.decide(votes).tree.heads]).toEqual([
          ...literalSuperparser(votes, weights, singleRoot),
        ]);
      }),
      { numRuns: 2000 },
    );
  });

  test('adds up weights: two that agree outvote the best', () => {
    const votes = ballot('2 0 2', '2 0 1', '2 0 1');
    expect([...superparser([0.9, 0.8, 0.7], votes)]).toEqual([-1, 2, 0, 1]);
    expect([...superparser([1.6, 0.8, 0.7], votes)]).toEqual([-1, 2, 0, 2]);
  });

  test('of equal votes takes those of the better member', () => {
    const votes = ballot('2 0 2', '2 0 1', '2 0 1');
    expect([...superparser([1, 2, 2], votes)]).toEqual([-1, 2, 0, 1]);
    expect([...superparser([0.3, 0.2, 0.1], votes)]).toEqual([-1, 2, 0, 2]);
  });

  test('breaks a cycle where the votes are fewest', () => {
    // Tokens 1 and 2 are each other's winners, by 5 of 9 and 6 of 9 votes.
    expect([...superparser([2, 4, 3], ballot('2 1 0', '3 1 0', '2 3 0'))]).toEqual([-1, 3, 1, 0]);
  });

  test('adds a deep chain of nodes that lost their candidates, however long', () => {
    // Pairs, each a cycle by the stronger member; by the other each hangs on the pair before it.
    const pairs = 1000;
    const cycles = Array.from({ length: pairs }, (_, i) => `${2 * i + 2} ${2 * i + 1}`);
    const chain = Array.from({ length: pairs }, (_, i) => `${i === 0 ? 0 : 2 * i - 1} ${2 * i + 1}`);
    const heads = superparser([2, 1], ballot(cycles.join(' '), chain.join(' ')));
    expect([...heads]).toEqual([...ballot(chain.join(' ')).trees[0].heads]);
  });

  const superparser = (weights: readonly number[], votes: ReturnType<typeof ballot>) =>
    new Vote(givenWeighting(weights), { method: 'superparser' }).decide(votes).tree.heads;
});

describe('re-parsing', () => {
  test.each([
    ['reparse-cle', () => true],
    ['reparse-eisner', isProjective],
  ] as const)(
    'with %s finds, of all its trees, one with most votes for heads and arcs',
    (method, isAllowed) => {
      fc.assert(
        fc.property(
          weighted({ tokens: 5, members: 5, trees: true }),
          fc.boolean(),
          ([votes, weights], singleRoot) => {
            const n = votes.sentence.length;
            const score = (heads: Int32Array) => {
              let sum = 0;
              for (let d = 1; d <= n; d++) sum += arcScore(votes, weights, d, heads[d]);
              return sum;
            };
            const trees = allTrees(n).filter(
              (heads) => isAllowed(heads, n) && (!singleRoot || rootCount(heads, n) === 1),
            );
            const best = Math.max(...trees.map(score));
            const { heads } = new Vote(givenWeighting(weights), { method, singleRoot }).decide(votes).tree;
            expect(score(heads)).toBe(best);
          },
        ),
      );
    },
  );

  /** Votes for the head and for its best label, or any; an arc without a voter costs what all members may give. */
  function arcScore(
    { trees }: ReturnType<typeof ballot>,
    weights: readonly number[],
    d: number,
    head: number,
  ): number {
    const voters = [...trees.keys()].filter((m) => trees[m].heads[d] === head);
    if (voters.length === 0) return -2 * weights.reduce((a, b) => a + b);
    const byLabel = new Map<string, number>();
    let any = 0;
    for (const m of voters) {
      const [, ...labels] = trees[m].labels;
      const label = labels[d - 1];
      if (labels.every((each) => each === '_')) any += weights[m];
      else byLabel.set(label, (byLabel.get(label) ?? 0) + weights[m]);
    }
    return voters.reduce((sum, m) => sum + weights[m], 0) + any + Math.max(0, ...byLabel.values());
  }
});

describe('labels', () => {
  const labelsOf = (weights: readonly number[], ...members: readonly string[]) =>
    new Vote(givenWeighting(weights), { method: 'superparser' })
      .decide(ballot(...members))
      .tree.labels.slice(1);

  test('are voted for by the members that give the head', () => {
    expect(labelsOf([3, 2, 2, 4], '0/root 1/a', '0/root 1/b', '0/root 1/b', '2/x 0/c')).toEqual([
      'root',
      'b',
    ]);
  });

  test('are voted for by all where no member gives the head', () => {
    // Both tokens hang on each other, so the single root is nobody's answer.
    expect(labelsOf([3, 2, 2], '2/a 1/x', '2/b 1/x', '2/b 1/y')).toEqual(['b', 'x']);
  });

  test('come from those who give one, however heavy the others are', () => {
    expect(labelsOf([1, 9, 9], '0/root 1/a', '0/_ 1/_', '0/_ 1/_')).toEqual(['root', 'a']);
    expect(labelsOf([0, 9, 9], '0/root 1/a', '0/_ 1/_', '0/_ 1/_')).toEqual(['root', 'a']);
  });

  test('come from those with another head where only members without labels give the chosen one', () => {
    expect(labelsOf([2, 1, 9], '2/a 0/a', '2/b 0/b', '0/_ 1/_')).toEqual(['a', 'a']);
    expect(labelsOf([1, 1], '0/_ 1/_', '0/_ 1/_')).toEqual(['_', '_']);
  });

  test.each(methodNames)('are `_` where that is a label of the treebank, beside others (%s)', (method) => {
    const votes = ballot('0/_ 1/a 2/_', '0/_ 1/_ 2/b', '0/root 1/a 2/_');
    const { labels } = new Vote(equalWeighting(3), { method }).decide(votes).tree;
    expect(labels).toEqual(['', '_', 'a', '_']);
  });

  test.each(methodNames)('that are missing do not weaken the vote for the head (%s)', (method) => {
    const votes = ballot('0/root 1/a 1/b', '0/_ 1/_ 2/_', '0/_ 1/_ 2/_');
    const { heads, labels } = new Vote(equalWeighting(3), { method }).decide(votes).tree;
    expect([...heads]).toEqual([-1, 0, 1, 2]);
    expect(labels).toEqual(['', 'root', 'a', 'b']);
  });
});

describe.each(['reparse-cle', 'reparse-eisner'] as const)('votes for heads and arcs, by %s,', (method) => {
  const headOfThird = (weights: readonly number[], ...members: readonly string[]) =>
    new Vote(givenWeighting(weights), { method }).decide(ballot(...members)).tree.heads[3];

  test('count those of members without labels twice, as if they agreed to the label', () => {
    const members = ['0/r 1/a 1/x', '0/_ 1/_ 1/_', '0/r 1/a 2/z'];
    // 1 + 1 for the head, 1 + 1 for its label, against twice as much as the third member has.
    expect(headOfThird([1, 1, 1.8], ...members)).toBe(1);
    expect(headOfThird([1, 1, 2.2], ...members)).toBe(2);
  });

  test('count those for another label once', () => {
    const members = ['0/r 1/a 1/x', '0/r 1/a 1/y', '0/r 1/a 2/z'];
    expect(headOfThird([1, 1, 1.4], ...members)).toBe(1);
    expect(headOfThird([1, 1, 1.6], ...members)).toBe(2);
  });

  test('count those of a member without labels no more than twice where it is alone', () => {
    expect(headOfThird([2, 2.5], '0/_ 1/_ 1/_', '0/r 1/a 2/z')).toBe(2);
    expect(headOfThird([2.5, 2], '0/_ 1/_ 1/_', '0/r 1/a 2/z')).toBe(1);
  });
});

describe('without a say in it, the number of roots', () => {
  test('is what most members have in the sentence', () => {
    const roots = (...members: readonly string[]) =>
      rootCount(
        new Vote(equalWeighting(members.length), { method: 'reparse-cle' }).decide(ballot(...members)).tree
          .heads,
        2,
      );
    expect(roots('0 0', '0 0', '0 1')).toBe(2);
    expect(roots('0 0', '2 0', '0 1')).toBe(1);
  });

  test('does not depend on members that have no weight', () => {
    const vote = new Vote(givenWeighting([1, 0, 0]), { method: 'reparse-cle' });
    expect([...vote.decide(ballot('0 0 2', '0 1 2', '0 1 2')).tree.heads.slice(1)]).toEqual([0, 0, 2]);
  });
});

describe('what a vote returns beside the tree', () => {
  const decide = (...members: readonly string[]) =>
    new Vote(equalWeighting(members.length)).decide(ballot(...members));

  test('a member without labels is no rival of the best label: only labels are tied', () => {
    expect(decide('0/a 1/x', '0/a 1/y')).toMatchObject({ ties: 1, tied: Uint8Array.of(0, 0, 1) });
    expect(decide('0/a 1/x', '0 1')).toMatchObject({ ties: 0, tied: Uint8Array.of(0, 0, 0) });
    expect(decide('0/a 1/x', '0/a 1/y', '0 1', '0 1')).toMatchObject({ ties: 1 });
    expect(decide('0/a 1/x', '0/a 1/x', '0/a 1/y', '0 1', '0 1')).toMatchObject({ ties: 0 });
  });

  test('shares of votes, the heads with most votes, and tied heads', () => {
    const { tree, confidences, winners, ties } = decide('2 0 2', '3 0 2', '2 3 0', '2 3 0');
    expect([...tree.heads]).toEqual([...winners]);
    expect([...confidences]).toEqual([0, 0.75, 0.5, 0.5]);
    expect(ties).toBe(2);
  });

  test('another decision leaves it as it is', () => {
    const vote = new Vote(equalWeighting(2));
    const first = vote.decide(ballot('2 0', '2 0'));
    const copy = structuredClone(first);
    vote.decide(ballot('0 1 1', '0 1 2'));
    expect(first).toEqual(copy);
  });
});

test('refuses an unknown method, a tree too few or too many, and one of another sentence', () => {
  const unknown = () => new Vote(equalWeighting(2), { method: 'foo' as 'superparser' });
  expect(unknown).toThrow(UsageError);
  expect(unknown).toThrow('method foo: expected one of superparser, reparse-cle, reparse-eisner');
  const vote = new Vote(equalWeighting(2));
  const { sentence, trees } = ballot('2 0', '0 1');
  for (const wrong of [trees.slice(1), [...trees, trees[0]]])
    expect(() => vote.decide({ sentence, trees: wrong })).toThrow(
      new UsageError(`the number of weights is 2, of members ${wrong.length}`),
    );
  const [short] = ballot('0').trees;
  expect(() => vote.decide({ sentence, trees: [trees[0], short] })).toThrow(
    new UsageError('a tree with 2 heads and 2 labels for a sentence of 2 tokens, expected 3 of each'),
  );
  for (const far of [3, -2]) {
    const { trees: beyond } = ballot('0 1', `0 ${far}`);
    expect(() => vote.decide({ sentence, trees: beyond })).toThrow(
      new UsageError(`head ${far} of token 2, expected 0 to 2, or -1 for none`),
    );
  }
});

test('a tree has one root by default if exactly half of the members have one', () => {
  const headsOf = (...members: readonly string[]) => [
    ...new Vote(equalWeighting(members.length)).decide(ballot(...members)).tree.heads,
  ];
  expect(headsOf('0 0', '0 1')).toEqual([-1, 0, 1]);
  expect(headsOf('0 0', '0 0', '0 1')).toEqual([-1, 0, 0]);
});
