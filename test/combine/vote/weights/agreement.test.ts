import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Ballot } from '../../../../combine/vote/ballots.ts';
import { Vote } from '../../../../combine/vote/vote.ts';
import { AgreementWeighting } from '../../../../combine/vote/weights/agreement-weighting.ts';
import { learnAgreement, MemberAnswers } from '../../../../combine/vote/weights/learn-agreement.ts';
import { Random } from '../../../../src/learn/random.ts';
import { ballot, randomBallots } from '../../../support/ballots.ts';
import { literalAgreement } from '../../../support/literal-agreement.ts';

describe('accuracies estimated from agreement', () => {
  test('equal those of a literal implementation of expectation and maximisation', () => {
    const shape = { tokens: 5, members: 4, trees: false };
    fc.assert(
      fc.property(fc.array(randomBallots(shape), { minLength: 1, maxLength: 4 }), (drawn) => {
        const ballots = drawn.map((each) => withMembers(each, drawn[0].trees.length));
        const found = learnAgreement(MemberAnswers.of(ballots));
        const wanted = literalAgreement(ballots);
        found.accuracies.forEach((accuracy, m) => {
          expect(accuracy).toBeCloseTo(wanted.accuracies[m], 4);
        });
        for (const tag of Object.keys(wanted.byTag)) {
          found.byTag[tag].forEach((accuracy, m) => {
            expect(accuracy).toBeCloseTo(wanted.byTag[tag][m], 4);
          });
        }
      }),
      { numRuns: 60 },
    );
  });

  test('are close to the true ones if members err independently of each other', () => {
    const accuracies = [0.95, 0.6, 0.85, 0.75, 0.9];
    const found = learnAgreement(MemberAnswers.of(erring(7, 400, accuracies)));
    found.accuracies.forEach((accuracy, m) => {
      expect(Math.abs(accuracy - accuracies[m])).toBeLessThan(0.03);
    });
  });

  test('show by tag that one member is better at nouns and another at verbs', () => {
    const random = new Random(5);
    const ballots = Array.from({ length: 200 }, () => {
      const wrongAt = (rate: (d: number) => number) =>
        Array.from({ length: 8 }, (_, i) =>
          random.below(100) < rate(i) ? `0/x${random.below(9)}` : `${i}/a`,
        );
      const members = [(i: number) => (i % 2 ? 40 : 2), (i: number) => (i % 2 ? 2 : 40), () => 15, () => 15];
      return ballot(...members.map((rate) => wrongAt(rate).join(' ')));
    });
    const { byTag } = learnAgreement(MemberAnswers.of(ballots));
    expect(byTag.N[0]).toBeGreaterThan(byTag.N[1] + 0.2);
    expect(byTag.V[1]).toBeGreaterThan(byTag.V[0] + 0.2);
  });

  test('of members without labels are estimated from their heads', () => {
    const labelled = erring(3, 100, [0.9, 0.9, 0.9]);
    const mixed = labelled.map(({ trees, ...rest }) => {
      const [{ heads, labels }, ...others] = trees;
      return {
        ...rest,
        trees: [{ heads, labels: labels.map((label, d) => (d === 0 ? label : '_')) }, ...others],
      };
    });
    const [first] = learnAgreement(MemberAnswers.of(mixed)).accuracies;
    expect(first).toBeGreaterThan(learnAgreement(MemberAnswers.of(labelled)).accuracies[0] - 0.02);
  });
});

describe('a vote weighted by agreement', () => {
  test('follows two good members against three bad ones with independent errors', () => {
    const known = erring(11, 300, [0.97, 0.97, 0.5, 0.5, 0.5]);
    const vote = new Vote(new AgreementWeighting(learnAgreement(MemberAnswers.of(known))));
    const answers = ballot('0/r 1/a', '0/r 1/a', '0/r 0/b', '0/r 0/b', '0/r 0/b');
    expect([...vote.decide(answers).tree.heads]).toEqual([-1, 0, 1]);
  });

  test('prefers members that agree with others in the same sentence if accuracies are equal', () => {
    const known = erring(2, 200, [0.9, 0.9, 0.9, 0.9]);
    const equal = { ...learnAgreement(MemberAnswers.of(known)), accuracies: [0.9, 0.9, 0.9, 0.9], byTag: {} };
    const answers = ballot(
      '0/r 1/a 2/a 3/a 4/a',
      '0/r 1/a 2/a 3/a 4/a',
      '0/r 1/b 1/b 3/a 1/a',
      '0/r 1/a 2/c 1/c 1/a',
    );
    expect(new Vote(new AgreementWeighting(equal)).decide(answers).tree.heads[5]).toBe(4);
  });
});

/** Exactly this number of members: they are repeated in turn, or the last ones are left out. */
function withMembers(each: Ballot, count: number): Ballot {
  return { ...each, trees: Array.from({ length: count }, (_, m) => each.trees[m % each.trees.length]) };
}

/** Sentences of 8 tokens; the right head of each is the token before it. Members rarely make the same error. */
function erring(seed: number, sentences: number, accuracies: readonly number[]): Ballot[] {
  const random = new Random(seed);
  return Array.from({ length: sentences }, () =>
    ballot(
      ...accuracies.map((accuracy) =>
        Array.from({ length: 8 }, (_, i) =>
          random.below(1000) < 1000 * accuracy ? `${i}/a` : `${i}/x${random.below(9)}`,
        ).join(' '),
      ),
    ),
  );
}
