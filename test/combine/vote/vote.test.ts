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
    ['any heads, cycles included', false],
  ])('makes a tree from %s, for any number of members, with a single root if required', (_, trees) => {
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

  test('returns the members’ tree if there is only one member or if all give the same tree', () => {
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

  test('ignores members without a head for a token, and makes a tree even if no member has heads', () => {
    const vote = new Vote(equalWeighting(2), { method });
    const { tree, winners } = vote.decide(ballot('-1 0 2', '2 0 -1'));
    expect([...tree.heads]).toEqual([-1, 2, 0, 2]);
    expect([...winners]).toEqual([-1, 2, 0, 2]);
    expect(isTree(vote.decide(ballot('-1 -1 -1', '-1 -1 -1')).tree.heads, 3)).toBe(true);
  });

  test('handles 100 members', () => {
    const votes = ballot(...Array<string>(60).fill('2 0 2'), ...Array<string>(40).fill('0 1 2'));
    const { heads } = new Vote(equalWeighting(100), { method }).decide(votes).tree;
    expect([...heads]).toEqual([-1, 2, 0, 2]);
  });

  test('handles 100 members who all disagree, on several sentences of 1 to 60 tokens', () => {
    const vote = new Vote(equalWeighting(100), { method });
    for (const n of [60, 1, 7, 31]) {
      // Member m attaches every token but one to the token m + 1 places after it, counted in a circle.
      const members = Array.from({ length: 100 }, (_, m) =>
        Array.from({ length: n }, (_, i) => (i === m % n ? 0 : ((i + 1 + m) % n) + 1)).join(' '),
      );
      const { heads } = vote.decide(ballot(...members)).tree;
      expect(isTree(heads, n)).toBe(true);
    }
  });

  test('makes a tree of 1,000 tokens', () => {
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

  test.each(['superparser', 'reparse-cle'] as const)('can be voted on with %s', (method) => {
    const { heads } = new Vote(equalWeighting(3), { method }).decide(votes).tree;
    expect(heads).toEqual(votes.trees[0].heads);
  });

  test('is refused by reparse-eisner, whose limit is 4,000 tokens', () => {
    const vote = new Vote(equalWeighting(3), { method: 'reparse-eisner' });
    expect(() => vote.decide(votes).tree).toThrow(
      '200000 tokens: reparse-eisner takes at most 4000, as its time is cubic; reparse-cle has no limit',
    );
  });
});

describe('the superparser', () => {
  test.each([true, false])(
    'gives the heads of a literal implementation of Zeman (2009) (answers are trees: %s)',
    (trees) => {
      fc.assert(
        fc.property(weighted({ ...small, trees }), fc.boolean(), ([votes, weights], singleRoot) => {
          const vote = new Vote(givenWeighting(weights), { method: 'superparser', singleRoot });
          expect([...vote.decide(votes).tree.heads]).toEqual([
            ...literalSuperparser(votes, weights, singleRoot),
          ]);
        }),
        { numRuns: 2000 },
      );
    },
  );

  test('adds up weights: two members that agree outvote the best one', () => {
    const votes = ballot('2 0 2', '2 0 1', '2 0 1');
    expect([...superparser([0.9, 0.8, 0.7], votes)]).toEqual([-1, 2, 0, 1]);
    expect([...superparser([1.6, 0.8, 0.7], votes)]).toEqual([-1, 2, 0, 2]);
  });

  test('prefers the answer of the heavier member if votes are equal', () => {
    const votes = ballot('2 0 2', '2 0 1', '2 0 1');
    expect([...superparser([1, 2, 2], votes)]).toEqual([-1, 2, 0, 1]);
    expect([...superparser([0.3, 0.2, 0.1], votes)]).toEqual([-1, 2, 0, 2]);
  });

  test('breaks a cycle at the arc with the fewest votes', () => {
    // The votes make tokens 1 and 2 each other's heads, by 5 of 9 and 6 of 9 votes.
    expect([...superparser([2, 4, 3], ballot('2 1 0', '3 1 0', '2 3 0'))]).toEqual([-1, 3, 1, 0]);
  });

  test('breaks a chain of 1,000 cycles, each of which depends on the one before', () => {
    // The stronger member makes a cycle of each pair of tokens; the other attaches each pair to the one before.
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
    'with %s finds a tree with the most votes for heads and arcs among all trees it can build',
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

  /**
   * The votes for the head and for its best label, where members without labels vote for any; an arc without
   * votes costs twice the weights of all members.
   */
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

  test('are chosen by the members that voted for the head', () => {
    expect(labelsOf([3, 2, 2, 4], '0/root 1/a', '0/root 1/b', '0/root 1/b', '2/x 0/c')).toEqual([
      'root',
      'b',
    ]);
  });

  test('are chosen by all members if none voted for the head', () => {
    // All members make the two tokens a cycle, so that none votes for the root.
    expect(labelsOf([3, 2, 2], '2/a 1/x', '2/b 1/x', '2/b 1/y')).toEqual(['b', 'x']);
  });

  test('come from members that give labels, whatever the weight of those that give none', () => {
    expect(labelsOf([1, 9, 9], '0/root 1/a', '0/_ 1/_', '0/_ 1/_')).toEqual(['root', 'a']);
    expect(labelsOf([0, 9, 9], '0/root 1/a', '0/_ 1/_', '0/_ 1/_')).toEqual(['root', 'a']);
  });

  test('come from members with another head if those with the chosen head give no labels', () => {
    expect(labelsOf([2, 1, 9], '2/a 0/a', '2/b 0/b', '0/_ 1/_')).toEqual(['a', 'a']);
    expect(labelsOf([1, 1], '0/_ 1/_', '0/_ 1/_')).toEqual(['_', '_']);
  });

  test.each(methodNames)('may be `_` if members use it as one label among others (%s)', (method) => {
    const votes = ballot('0/_ 1/a 2/_', '0/_ 1/_ 2/b', '0/root 1/a 2/_');
    const { labels } = new Vote(equalWeighting(3), { method }).decide(votes).tree;
    expect(labels).toEqual(['', '_', 'a', '_']);
  });

  test.each(methodNames)('do not weaken the vote for the head if they are missing (%s)', (method) => {
    const votes = ballot('0/root 1/a 1/b', '0/_ 1/_ 2/_', '0/_ 1/_ 2/_');
    const { heads, labels } = new Vote(equalWeighting(3), { method }).decide(votes).tree;
    expect([...heads]).toEqual([-1, 0, 1, 2]);
    expect(labels).toEqual(['', 'root', 'a', 'b']);
  });
});

describe.each(['reparse-cle', 'reparse-eisner'] as const)('votes for heads and arcs with %s', (method) => {
  const headOfThird = (weights: readonly number[], ...members: readonly string[]) =>
    new Vote(givenWeighting(weights), { method }).decide(ballot(...members)).tree.heads[3];

  test('count twice for members without labels, as if they agreed with the label', () => {
    const members = ['0/r 1/a 1/x', '0/_ 1/_ 1/_', '0/r 1/a 2/z'];
    // 1 + 1 for the head and 1 + 1 for its label, against twice the weight of the third member.
    expect(headOfThird([1, 1, 1.8], ...members)).toBe(1);
    expect(headOfThird([1, 1, 2.2], ...members)).toBe(2);
  });

  test('count once for members that give another label', () => {
    const members = ['0/r 1/a 1/x', '0/r 1/a 1/y', '0/r 1/a 2/z'];
    expect(headOfThird([1, 1, 1.4], ...members)).toBe(1);
    expect(headOfThird([1, 1, 1.6], ...members)).toBe(2);
  });

  test('count no more than twice for a member without labels that is alone with its head', () => {
    expect(headOfThird([2, 2.5], '0/_ 1/_ 1/_', '0/r 1/a 2/z')).toBe(2);
    expect(headOfThird([2.5, 2], '0/_ 1/_ 1/_', '0/r 1/a 2/z')).toBe(1);
  });
});

describe('the number of roots, if it is not set', () => {
  test('follows the majority of the members', () => {
    const roots = (...members: readonly string[]) =>
      rootCount(
        new Vote(equalWeighting(members.length), { method: 'reparse-cle' }).decide(ballot(...members)).tree
          .heads,
        2,
      );
    expect(roots('0 0', '0 0', '0 1')).toBe(2);
    expect(roots('0 0', '2 0', '0 1')).toBe(1);
  });

  test('does not depend on members with weight 0', () => {
    const vote = new Vote(givenWeighting([1, 0, 0]), { method: 'reparse-cle' });
    expect([...vote.decide(ballot('0 0 2', '0 1 2', '0 1 2')).tree.heads.slice(1)]).toEqual([0, 0, 2]);
  });
});

describe('the results of a vote beside the tree', () => {
  const decide = (...members: readonly string[]) =>
    new Vote(equalWeighting(members.length)).decide(ballot(...members));

  test('count ties between labels, but not between a label and members without labels', () => {
    expect(decide('0/a 1/x', '0/a 1/y')).toMatchObject({ ties: 1, tied: Uint8Array.of(0, 0, 1) });
    expect(decide('0/a 1/x', '0 1')).toMatchObject({ ties: 0, tied: Uint8Array.of(0, 0, 0) });
    expect(decide('0/a 1/x', '0/a 1/y', '0 1', '0 1')).toMatchObject({ ties: 1 });
    expect(decide('0/a 1/x', '0/a 1/x', '0/a 1/y', '0 1', '0 1')).toMatchObject({ ties: 0 });
  });

  test('are shares of votes, the heads with the most votes, and the number of ties', () => {
    const { tree, confidences, winners, ties } = decide('2 0 2', '3 0 2', '2 3 0', '2 3 0');
    expect([...tree.heads]).toEqual([...winners]);
    expect([...confidences]).toEqual([0, 0.75, 0.5, 0.5]);
    expect(ties).toBe(2);
  });

  test('stay unchanged when the vote decides on another sentence', () => {
    const vote = new Vote(equalWeighting(2));
    const first = vote.decide(ballot('2 0', '2 0'));
    const copy = structuredClone(first);
    vote.decide(ballot('0 1 1', '0 1 2'));
    expect(first).toEqual(copy);
  });
});

test('unknown methods, a wrong number of trees and trees that do not fit the sentence are refused', () => {
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
