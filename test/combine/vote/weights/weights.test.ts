import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { methodNames, weightingNames } from '../../../../combine/names.ts';
import type { GoldBallot } from '../../../../combine/vote/ballots.ts';
import { Poll } from '../../../../combine/vote/poll.ts';
import { scoresOf, voteOn } from '../../../../combine/vote/scores.ts';
import { Vote } from '../../../../combine/vote/vote.ts';
import {
  defaultWeightingName,
  learningOf,
  learnWeighting,
} from '../../../../combine/vote/weights/learn-weighting.ts';
import { weightingOf } from '../../../../combine/vote/weights/saved-weighting.ts';
import {
  equalWeighting,
  givenWeighting,
  paradigmWeighting,
  type Weighting,
} from '../../../../combine/vote/weights/weighting.ts';
import type { DependencyTree } from '../../../../src/treebank/sentence.ts';
import { ballot, goldBallot, randomBallots } from '../../../support/ballots.ts';
import { simulatedBallots } from '../../../support/simulated-ballots.ts';

/** Tags are N, V, N, V, … */
const dev: readonly GoldBallot[] = [
  goldBallot('2/a 0/r 2/b 2/c', '2/a 0/r 2/b 1/c', '2/x 0/x 1/b 2/c'),
  goldBallot('0/r 1/a', '0/r 1/a', '2/r 0/a'),
];

/** What each member's vote on the tokens of a sentence is worth, as a share of the largest. */
function votesOf(weighting: Weighting, members: number): number[][] {
  const lone = ballot(...Array.from({ length: members }, (_, m) => `0/l${m} 0/l${m}`));
  const poll = new Poll();
  poll.collect(lone, weighting);
  weighting.weigh(lone, poll);
  const votes = [1, 2].map((d) =>
    Array.from({ length: members }, (_, m) => poll.arcVotes[poll.choices[m * 3 + d]]),
  );
  const most = Math.max(...votes.flat());
  return votes.map((row) => row.map((vote) => Number((vote / most).toFixed(6))));
}

describe('weights', () => {
  test('by UAS are the share of right heads', () => {
    expect(votesOf(learnWeighting('uas', dev), 2)[0]).toEqual([1, 0.6]);
    expect(learnWeighting('uas', dev).data).toMatchObject({ weights: { overall: [500 / 6, 50] } });
  });

  test('by LAS are the share of right heads with the right label', () => {
    expect(learnWeighting('las', dev).data).toMatchObject({ weights: { overall: [500 / 6, 100 / 6] } });
  });

  test('by tag are LAS on the dependents with that tag, smoothed by five tokens of overall LAS', () => {
    const whole = [500 / 6, 100 / 6];
    const smoothed = (right: number, tokens: number, m: number) =>
      (100 * right + 5 * whole[m]) / (tokens + 5);
    expect(learnWeighting('tag', dev).data).toMatchObject({
      weights: {
        byTag: {
          N: [smoothed(3, 3, 0), smoothed(0, 3, 1)],
          V: [smoothed(2, 3, 0), smoothed(1, 3, 1)],
        },
      },
    });
    const [noun, verb] = votesOf(learnWeighting('tag', dev), 2);
    expect(noun[0]).toBeGreaterThan(verb[0]);
    expect(noun[1]).toBeLessThan(verb[1]);
  });

  test('that are equal or given are used unchanged', () => {
    expect(votesOf(equalWeighting(3), 3)).toEqual([
      [1, 1, 1],
      [1, 1, 1],
    ]);
    expect(votesOf(givenWeighting([0.5, 2, 0]), 3)[0]).toEqual([0.25, 1, 0]);
  });

  test('with equal decimal sums give equal votes, despite rounding errors', () => {
    const [head, both] = [ballot('2 0 2', '2 0 1', '2 0 1'), ballot('2 0 1', '2 0 2', '2 0 2')];
    for (const weights of [
      [0.3, 0.2, 0.1],
      [3, 2, 1],
      [75.03, 50.02, 25.01],
    ]) {
      const vote = new Vote(givenWeighting(weights), { method: 'superparser' });
      expect(vote.decide(head).tree.heads[3]).toBe(2);
      expect(vote.decide(both).tree.heads[3]).toBe(1);
    }
  });

  test('by LAS and by tag count the right heads of a member that gives no labels', () => {
    const unlabelled = [goldBallot('2/a 0/r 2/b 2/c', '2/_ 0/_ 2/_ 1/_', '2/a 0/r 2/x 1/x')];
    expect(learnWeighting('las', unlabelled).data).toMatchObject({ weights: { overall: [75, 50] } });
    expect(learnWeighting('tag', unlabelled).data).toMatchObject({ weights: { overall: [75, 50] } });
  });

  test('by paradigm keep networks that agree from being overruled, and are equal without a network', () => {
    const paradigms = ['graph', 'network', 'bigram', 'network', 'transition', undefined];
    const decided = (one: string, other: string) => {
      const trees = ballot('0/r 1/a', one, '0/r 1/a', other, '0/r 1/a', '0/r 1/a');
      return new Vote(paradigmWeighting(paradigms)).decide(trees).tree.heads[1];
    };
    expect(decided('2/x 0/r', '2/x 0/r')).toBe(2);
    expect(decided('2/x 0/r', '0/r 1/a')).toBe(0);
    // Only one of the two networks votes: it has the weight of both together.
    const { order, standing } = paradigmWeighting(paradigms, [0, 1, 2]);
    expect([order, standing]).toEqual([
      [1, 0, 2],
      [1, 6, 1, 6, 1, 1],
    ]);
    for (const others of [
      ['graph', 'bigram'],
      [undefined, undefined],
    ])
      expect(paradigmWeighting(others).name).toBe('equal');
  });

  test('from few sentences are by paradigm if a network is best on them, else by accuracy', () => {
    const names = (known: readonly GoldBallot[], ...paradigms: string[]) =>
      learningOf(undefined, dev, paradigms)(known).name;
    expect(names(dev, 'network', 'graph')).toBe('paradigm');
    expect(names(dev, 'network', 'network')).toBe('paradigm');
    expect(names(dev, 'graph', 'network')).toBe('las');
    expect(names(dev, 'graph', 'graph')).toBe('las');
    expect(names(dev)).toBe('las');
    const equallyGood = [goldBallot('2/a 0/r', '2/a 0/x', '2/x 0/r')];
    expect(names(equallyGood, 'network', 'graph')).toBe('paradigm');
    expect(names(equallyGood, 'graph', 'network')).toBe('paradigm');
    const many = simulatedBallots(1, 500, 2);
    expect(learningOf(undefined, many, ['network', 'graph'])(many).name).toBe('learnt');
  });

  test('are refused if one is negative or all are 0', () => {
    expect(() => givenWeighting([1, -1])).toThrow('a weight is -1, expected a number from 0');
    expect(() => givenWeighting([0, 0])).toThrow('all weights are 0, expected one above');
    const noneRight = [goldBallot('0/r 1/a', '2/a 0/r', '2/a 0/r')];
    for (const name of ['uas', 'las', 'learnt'] as const)
      expect(() => learnWeighting(name, noneRight)).toThrow('all weights are 0, expected one above');
  });

  test('by LAS are refused if the gold trees have no labels', () => {
    const unlabelled = [goldBallot('0 1', '0/r 1/a', '0/r 1/a')];
    expect(() => learnWeighting('las', unlabelled)).toThrow('weights by LAS: the gold trees have no labels');
    expect(() => learnWeighting('uas', [])).toThrow('no sentences to learn weights from');
    expect(defaultWeightingName(unlabelled)).toBe('uas');
    expect(defaultWeightingName(dev)).toBe('las');
  });

  test.each(weightingNames)('%s ignore members that are left out', (name) => {
    fc.assert(
      fc.property(randomBallots({ tokens: 6, members: 6, trees: true }), ({ sentence, trees }) => {
        fc.pre(trees.length > 2);
        const some = [0, trees.length - 1];
        const known = simulatedBallots(1, 30, trees.length);
        const alone = known.map((known) => ({ ...known, trees: some.map((m) => known.trees[m]) }));
        const options = { method: 'reparse-cle', singleRoot: false } as const;
        const among = new Vote(learnWeighting(name, known, some), options).decide({ sentence, trees }).tree;
        const own = { sentence, trees: some.map((m) => trees[m]) };
        // Learnt weights depend on the numbers of the members, so that their trees may differ.
        if (name !== 'learnt')
          expect(among).toEqual(new Vote(learnWeighting(name, alone), options).decide(own).tree);
        for (let d = 1; d <= sentence.length; d++) {
          if (own.trees.every(({ heads }) => heads[d] === own.trees[0].heads[d])) {
            expect(own.trees.map(({ labels }) => labels[d])).toContain(among.labels[d]);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  test.each(weightingNames)('%s are the same when rebuilt from their data, as in another thread', (name) => {
    const known = simulatedBallots(2, 60, 4);
    const weighting = learnWeighting(name, known);
    const again = weightingOf(structuredClone(weighting.data));
    const options = { method: 'reparse-eisner' } as const;
    expect(voteOn(known, new Vote(again, options))).toEqual(voteOn(known, new Vote(weighting, options)));
  });
});

describe.each(weightingNames)('labelled and unlabelled members with the weights %s', (name) => {
  test.each(methodNames)('give every token a label of a labelled member (%s)', (method) => {
    const strip = ({ heads, labels }: DependencyTree) => ({ heads, labels: labels.map(() => '_') });
    const known = simulatedBallots(8, 60, 3).map(({ trees: [near, far, poor], ...rest }) => ({
      ...rest,
      trees: [strip(near), far, strip(near), poor, strip(near)],
    }));
    const options = { method } as const;
    for (const [i, { heads, labels }] of voteOn(
      known,
      new Vote(learnWeighting(name, known), options),
    ).entries()) {
      const given = [known[i].trees[1], known[i].trees[3]];
      for (let d = 1; d < heads.length; d++) {
        const sameHead = given.filter((tree) => tree.heads[d] === heads[d]);
        const expected = (sameHead.length > 0 ? sameHead : given).map((tree) => tree.labels[d]);
        expect(expected).toContain(labels[d]);
      }
    }
  });
});

describe('learnt weights', () => {
  test('find out on which arcs each member is right, which weights by member or tag cannot', () => {
    // Members are right about near heads or about far ones; two that are always wrong agree with each other.
    const known = simulatedBallots(3, 400, 5);
    const unseen = simulatedBallots(4, 400, 5);
    const las = (name: (typeof weightingNames)[number]) =>
      scoresOf(unseen, voteOn(unseen, new Vote(learnWeighting(name, known), { method: 'reparse-cle' }))).las;
    const others = weightingNames.filter((name) => name !== 'learnt').map(las);
    expect(las('learnt')).toBeGreaterThan(Math.max(...others) + 2);
  });
});
