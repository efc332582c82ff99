import { beforeAll, expect, test } from 'vitest';
import { methodNames } from '../../../combine/names.ts';
import { crossValidate } from '../../../combine/vote/analysis/search.ts';
import type { GoldBallot } from '../../../combine/vote/ballots.ts';
import { readGoldBallots } from '../../../combine/vote/files/vote-files.ts';
import { scoresOf, treesOf, voteOn } from '../../../combine/vote/scores.ts';
import { Vote } from '../../../combine/vote/vote.ts';
import { AgreementWeighting } from '../../../combine/vote/weights/agreement-weighting.ts';
import { learnAgreement, MemberAnswers } from '../../../combine/vote/weights/learn-agreement.ts';
import { givenWeighting } from '../../../combine/vote/weights/weighting.ts';
import { agreement } from '../../../src/evaluate/agreement.ts';
import { isTree, rootCount } from '../../support/random-trees.ts';
import { needsShared, sharedFiles, sharedPath } from '../../support/shared.ts';

const gold = sharedPath('treebanks/ud-english-ewt/en_ewt-ud-dev.conllu');

needsShared.describe('eight real parsers on UD English EWT', () => {
  let ballots: readonly GoldBallot[];
  let uas: number[];
  beforeAll(async () => {
    const names = sharedFiles('oracles/dependencies').filter((name) => name.endsWith('.conllu'));
    const files = names.map((name) => sharedPath('oracles/dependencies', name));
    expect(files).toHaveLength(8);
    ({ ballots } = await readGoldBallots(gold, files));
    uas = files.map((_, m) => scoresOf(ballots, treesOf(ballots, m)).uas);
  });

  test.each(methodNames)(
    'with %s and weights by UAS give trees with one root, UAS of at least 90.2 and LAS of at least 88.2',
    (method) => {
      const trees = voteOn(ballots, new Vote(givenWeighting(uas), { method }));
      for (const { heads } of trees) {
        expect(isTree(heads, heads.length - 1)).toBe(true);
        expect(rootCount(heads, heads.length - 1)).toBe(1);
      }
      const scores = scoresOf(ballots, trees);
      expect(scores.uas).toBeGreaterThanOrEqual(90.2);
      expect(scores.las).toBeGreaterThanOrEqual(88.2);
    },
  );

  test('with cross-validated learnt weights are better than a word-by-word vote (UAS 90.44, LAS 88.49)', () => {
    const choice = { members: [...uas.keys()], weighting: 'learnt', method: 'reparse-cle' } as const;
    const scores = scoresOf(ballots, crossValidate(ballots, choice));
    expect(scores.uas).toBeGreaterThan(90.44);
    expect(scores.las).toBeGreaterThan(88.6);
  });

  test('weighted by agreement, without gold trees, have UAS of at least 90.4 and LAS of at least 88.5', () => {
    const scores = scoresByAgreement([...uas.keys()]);
    expect(scores.uas).toBeGreaterThanOrEqual(90.4);
    expect(scores.las).toBeGreaterThanOrEqual(88.5);
  });

  // Of all 70 choices of four parsers, the two that lose most, each followed by the other four parsers.
  test.each([
    [0, 1, 3, 7],
    [2, 4, 5, 6],
    [0, 1, 2, 7],
    [3, 4, 5, 6],
  ])(
    'four of them (%i %i %i %i), weighted by agreement, lose at most 0.3 to the best of the four',
    (...members) => {
      const own = members.map((m) => scoresOf(ballots, treesOf(ballots, m)));
      const { uas: found, las } = scoresByAgreement(members);
      expect(found).toBeGreaterThan(Math.max(...own.map((score) => score.uas)) - 0.3);
      expect(las).toBeGreaterThan(Math.max(...own.map((score) => score.las)) - 0.3);
    },
  );

  function scoresByAgreement(members: readonly number[]) {
    const weighting = new AgreementWeighting(learnAgreement(MemberAnswers.of(ballots), members));
    return scoresOf(ballots, voteOn(ballots, new Vote(weighting)));
  }

  test('have an oracle UAS of 97.2', () => {
    expect(agreement(ballots, uas.length).oracle.uas).toBeCloseTo(97.2, 1);
  });
});
