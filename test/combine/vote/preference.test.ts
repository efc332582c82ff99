import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MethodName, methodNames, weightingNames } from '../../../combine/names.ts';
import type { Ballot, GoldBallot } from '../../../combine/vote/ballots.ts';
import { Vote } from '../../../combine/vote/vote.ts';
import { learnWeighting } from '../../../combine/vote/weights/learn-weighting.ts';
import { equalWeighting, givenWeighting, type Weighting } from '../../../combine/vote/weights/weighting.ts';
import { ballot, randomBallots } from '../../support/ballots.ts';
import { simulatedBallots } from '../../support/simulated-ballots.ts';

describe('a vote does not depend on the order of its members', () => {
  const shape = { tokens: 8, members: 6 };
  const decided = (votes: Ballot, weighting: Weighting, method: MethodName) =>
    new Vote(weighting, { method }).decide(votes).tree;

  describe.each(methodNames)('%s', (method) => {
    test.each([true, false])(
      'with equal weights or with given ones, some of them the same (trees: %s)',
      (trees) => {
        fc.assert(
          fc.property(permutedBallots({ ...shape, trees }), givenWeights, ([votes, order], weights) => {
            const permuted = inOrder(votes, order);
            const count = order.length;
            expect(decided(permuted, equalWeighting(count), method)).toEqual(
              decided(votes, equalWeighting(count), method),
            );
            const given = order.map((_, m) => weights[m % weights.length]);
            expect(decided(permuted, givenWeighting(order.map((m) => given[m])), method)).toEqual(
              decided(votes, givenWeighting(given), method),
            );
          }),
          { numRuns: 120 },
        );
      },
    );

    test.each(weightingNames)('with the weights %s', (name) => {
      fc.assert(
        fc.property(permutedBallots({ ...shape, trees: true }), fc.nat(50), ([votes, order], seed) => {
          const known = knownBallots(seed, order.length);
          const permuted = known.map((each) => inOrder(each, order));
          expect(decided(inOrder(votes, order), learnWeighting(name, permuted), method)).toEqual(
            decided(votes, learnWeighting(name, known), method),
          );
        }),
        { numRuns: 30 },
      );
    });
  });

  /** Answers to a few sentences, on which members 0 and 3 always agree, and so do members 1 and 4. */
  function knownBallots(seed: number, members: number): GoldBallot[] {
    return simulatedBallots(seed, 5, Math.min(3, members)).map((known) => ({
      ...known,
      trees: Array.from({ length: members }, (_, m) => known.trees[m % 3]),
    }));
  }
});

describe('a tie of votes', () => {
  const headsOf = (weights: readonly number[], ...members: readonly string[]) => [
    ...new Vote(givenWeighting(weights), { method: 'superparser' })
      .decide(ballot(...members))
      .tree.heads.slice(1),
  ];

  test('is decided by the heaviest member, then by the next heaviest', () => {
    expect(headsOf([3, 2, 1], '0 1 2', '0 1 1', '0 1 1')).toEqual([0, 1, 2]);
    expect(headsOf([1, 1, 2, 2, 3, 3], '0 1 1', '0 1 1', '0 1 2', '0 1 3', '0 1 1', '0 1 2')).toEqual([
      0, 1, 2,
    ]);
  });

  test('is decided by the members that agree with others more often in the same sentence', () => {
    // Two votes are against two for token 4; the second member is alone with its head of token 3.
    expect(headsOf([1, 1, 1, 1], '0 1 2 3', '0 1 1 3', '0 1 2 2', '0 1 2 2')).toEqual([0, 1, 2, 2]);
    expect(headsOf([1, 1, 1, 1], '0 1 2 3', '0 1 2 3', '0 1 2 2', '0 1 1 2')).toEqual([0, 1, 2, 3]);
  });

  test('else goes to the first head, and to the label that is first in the alphabet', () => {
    expect(headsOf([1, 1], '0 1 2', '0 1 1')).toEqual([0, 1, 1]);
    expect(new Vote(equalWeighting(2)).decide(ballot('0/b 1/x', '0/a 1/x')).tree.labels).toEqual([
      '',
      'a',
      'x',
    ]);
  });
});

const givenWeights = fc.array(fc.constantFrom(1, 2, 3, 0.1, 0.2, 0.3, 1 / 3, 87.123456789), {
  minLength: 1,
  maxLength: 6,
});

/** A ballot, and its members' numbers in another order. */
function permutedBallots(shape: Parameters<typeof randomBallots>[0]): fc.Arbitrary<[Ballot, number[]]> {
  return randomBallots(shape).chain((votes) => {
    const members = [...votes.trees.keys()];
    return fc.tuple(
      fc.constant(votes),
      fc.shuffledSubarray(members, { minLength: members.length, maxLength: members.length }),
    );
  });
}

function inOrder<T extends Ballot>(votes: T, order: readonly number[]): T {
  return { ...votes, trees: order.map((m) => votes.trees[m]) };
}
