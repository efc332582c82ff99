import { beforeAll, describe, expect, test } from 'vitest';
import { drawSubsets } from '../../../../combine/vote/analysis/ensemble-sizes.ts';
import {
  type Explanation,
  explainVote,
  OverrulingCounts,
} from '../../../../combine/vote/analysis/explain.ts';
import type { GoldBallot } from '../../../../combine/vote/ballots.ts';
import { scoresOf, voteOn } from '../../../../combine/vote/scores.ts';
import { Vote } from '../../../../combine/vote/vote.ts';
import { learnWeighting } from '../../../../combine/vote/weights/learn-weighting.ts';
import { equalWeighting, givenWeighting } from '../../../../combine/vote/weights/weighting.ts';
import { agreement } from '../../../../src/evaluate/agreement.ts';
import { goldBallot } from '../../../support/ballots.ts';
import { collectGarbage } from '../../../support/garbage.ts';
import { simulatedBallots } from '../../../support/simulated-ballots.ts';

describe('the explanation of a vote', () => {
  const ballots = simulatedBallots(5, 80, 4);
  const options = { method: 'superparser' } as const;
  const weightsFor = (members: readonly number[]) => learnWeighting('las', ballots, members);
  const scoreOf = (members: readonly number[]) =>
    scoresOf(ballots, voteOn(ballots, new Vote(weightsFor(members), options)));
  let explanation: Explanation;
  beforeAll(async () => {
    explanation = await explainVote(ballots, weightsFor, options);
  });

  test('has the scores of the vote, of each member, and of the vote without each member', () => {
    expect(explanation.vote).toMatchObject(scoreOf([0, 1, 2, 3]));
    expect(explanation.members[1]).toMatchObject(scoreOf([1]));
    expect(explanation.members.map(({ without }) => without)).toEqual(
      [
        [1, 2, 3],
        [0, 2, 3],
        [0, 1, 3],
        [0, 1, 2],
      ].map(scoreOf),
    );
  });

  test('compares the vote with the member that is best on these sentences', () => {
    const las = explanation.members.map((member) => member.las);
    expect(las[explanation.vote.best]).toBe(Math.max(...las));
    expect(explanation.vote.against.las.difference).toBeCloseTo(explanation.vote.las - Math.max(...las));
  });

  test('does not test the difference in LAS if gold has no labels', async () => {
    const unlabelled = [goldBallot('2 0', '2/a 0/r', '0/a 1/r'), goldBallot('0 1', '0/r 1/b', '0/r 1/c')];
    const { vote } = await explainVote(unlabelled, () => givenWeighting([1, 1]), options);
    expect([vote.las, vote.against.las.difference, vote.against.las.twoSided]).toEqual([NaN, NaN, NaN]);
    expect(vote.against.uas.twoSided).toBeGreaterThan(0);
  });

  test('has scores for each number of members: of the best ones, and the mean over all ensembles', () => {
    const { sizes } = explanation;
    expect(sizes.map(({ ensembles }) => ensembles)).toEqual([4, 6, 4, 1]);
    const las = [0, 1, 2, 3].map((m) => scoreOf([m]).las);
    expect(sizes[0].mean.las).toBeCloseTo(las.reduce((a, b) => a + b) / 4);
    expect(sizes[0].bestFirst.las).toBe(Math.max(...las));
    expect(sizes[3].bestFirst).toEqual(sizes[3].mean);
  });

  test('counts non-projective arcs and the sentences that have them', async () => {
    const crossing = [goldBallot('3 4 0 3', '3 4 0 3', '3 3 0 3'), goldBallot('0 1', '0 1', '0 1')];
    const { gold, members } = await explainVote(crossing, () => givenWeighting([1, 1]), options);
    expect(gold).toEqual({ arcs: 100 / 6, sentences: 50 });
    expect(members.map(({ nonProjective }) => nonProjective.arcs)).toEqual([100 / 6, 0]);
  });

  test('scores a single parser on its own trees, not on what the method would make of them', async () => {
    const crossing = [goldBallot('3 4 0 3', '3 4 0 3', '3 3 0 3')];
    const equal = (members: readonly number[]) => equalWeighting(2, members);
    const { members, sizes } = await explainVote(crossing, equal, { method: 'reparse-eisner' });
    expect(members.map(({ uas, without }) => [uas, without?.uas])).toEqual([
      [100, 75],
      [75, 100],
    ]);
    expect(sizes[0].mean.uas).toBe(87.5);
  });

  test('counts only the tokens that are scored, though all tokens are voted on', async () => {
    const scored = (n: number) =>
      Uint8Array.from({ length: n + 1 }, (_, d) => (d > 0 && d % 3 !== 0 ? 1 : 0));
    const masked = ballots.map((ballot) => ({ ...ballot, scored: scored(ballot.gold.length) }));
    const counted = await explainVote(masked, weightsFor, { ...options, rounds: 99, seed: 7 });
    const tokens = masked.flatMap((ballot) =>
      [...ballot.scored.keys()].filter((d) => ballot.scored[d] === 1).map((d) => ({ ...ballot, d })),
    );
    const uas = tokens.filter(({ gold, trees, d }) => trees[2].heads[d] === gold.heads[d]);
    expect(counted.tokens).toBe(tokens.length);
    expect(counted.members[2].uas).toBeCloseTo((100 * uas.length) / tokens.length);
    expect(counted.agreement).toEqual(agreement(masked, 4));
    expect(counted.vote.against.las.difference).toBeCloseTo(
      counted.vote.las - Math.max(...counted.members.map(({ las }) => las)),
    );
    expect(counted.sizes.at(-1)!.bestFirst).toEqual({ uas: counted.vote.uas, las: counted.vote.las });
    const { twoSided } = counted.vote.against.las;
    expect(100 * twoSided, 'with 99 rounds, p is a multiple of 0.01').toBeCloseTo(
      Math.round(100 * twoSided),
      8,
    );
  });

  test('reads the ballots anew in each pass and keeps none of them in memory', async () => {
    const weights = () => givenWeighting([4, 3, 2, 1]);
    let passes = 0;
    let alive: WeakRef<GoldBallot>[] = [];
    const read: AsyncIterable<GoldBallot> = {
      async *[Symbol.asyncIterator]() {
        passes++;
        alive = [];
        for (const ballot of ballots) {
          const made = { ...ballot };
          alive.push(new WeakRef(made));
          yield made;
        }
      },
    };
    expect(await explainVote(read, weights, options)).toEqual(await explainVote(ballots, weights, options));
    expect(passes).toBe(2);
    await collectGarbage();
    expect(alive).toHaveLength(80);
    expect(alive.filter((ballot) => ballot.deref() !== undefined).length).toBeLessThan(5);
  });

  test('is plain data: JSON keeps all of it', () => {
    expect(JSON.parse(JSON.stringify(explanation))).toEqual(explanation);
  });
});

describe('members of equal weight', () => {
  test('are ordered by their scores, whatever the order in which they are given', async () => {
    const ballots = simulatedBallots(11, 60, 9);
    const equal = (members: readonly number[]) => equalWeighting(9, members);
    const { sizes, members } = await explainVote(ballots, equal, { rounds: 10 });
    expect(sizes[0].bestFirst.las).toBe(Math.max(...members.map(({ las }) => las)));
    const turned = ballots.map((ballot) => ({ ...ballot, trees: ballot.trees.toReversed() }));
    expect((await explainVote(turned, equal, { rounds: 10 })).sizes).toEqual(sizes);
  });
});

describe('heads with the most votes that are overruled', () => {
  test('are counted by whether the change is for better or worse', () => {
    // The votes make tokens 1 and 2 each other's heads: 1 rightly loses its head 2; 2 keeps its head 1.
    const cycle = goldBallot('3 1 0', '2 1 0', '3 1 0', '2 3 0');
    const vote = new Vote(givenWeighting([2, 4, 3]), { method: 'superparser' });
    const overruling = (ballot: GoldBallot) => {
      const counts = new OverrulingCounts();
      counts.add(ballot, vote.decide(ballot));
      return { ...counts };
    };
    expect(overruling(cycle)).toEqual({
      tokens: 1,
      harmed: 0,
      mended: 1,
      neutral: 0,
      sentences: 1,
      cycles: 1,
      notOneRoot: 0,
      ties: 0,
    });
    const masked = { ...cycle, scored: Uint8Array.of(0, 0, 1, 1) };
    expect(overruling(masked)).toMatchObject({ tokens: 0, mended: 0, sentences: 0, cycles: 1 });
  });
});

describe('drawn ensembles', () => {
  test('are all ensembles of a size or some different ones, the same in every run', () => {
    for (const count of [1, 2, 7, 12, 100]) {
      const subsets = drawSubsets(count);
      expect(subsets).toEqual(drawSubsets(count));
      expect(subsets.map(({ size }) => size)).toEqual(Array.from({ length: count }, (_, i) => i + 1));
      for (const { size, drawn } of subsets) {
        expect(new Set(drawn.map(String)).size).toBe(drawn.length);
        for (const members of drawn) {
          expect(members).toHaveLength(size);
          expect([...new Set(members)].sort((a, b) => a - b)).toEqual(members);
        }
      }
    }
    expect(drawSubsets(4)[1].drawn).toEqual([
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 2],
      [1, 3],
      [2, 3],
    ]);
  });
});
