import { beforeAll, describe, expect, test } from 'vitest';
import {
  crossValidate,
  crossValidateSearch,
  type EnsembleChoice,
  EnsembleScorer,
  type SearchStep,
  searchAndReport,
  searchEnsemble,
  withFewerMembers,
} from '../../../../combine/vote/analysis/search.ts';
import { scoresOf } from '../../../../combine/vote/scores.ts';
import { goldBallot } from '../../../support/ballots.ts';
import { isTree } from '../../../support/random-trees.ts';
import { simulatedBallots } from '../../../support/simulated-ballots.ts';

describe('the search for the best ensemble', () => {
  // Members 2 to 5 are all wrong in the same way, so that a vote of all goes wrong.
  const ballots = simulatedBallots(6, 150, 6);
  const seen: EnsembleChoice[] = [];
  let path: SearchStep[];
  beforeAll(async () => {
    path = await searchEnsemble(ballots, { onTried: (step) => seen.push(step) });
  });

  test('improves cross-validated scores step by step until no single change helps', () => {
    const las = path.map(({ scores }) => scores.las);
    expect(las).toEqual(las.toSorted((a, b) => a - b));
    expect(las.at(-1)).toBeGreaterThan(las[0] + 5);
    for (const { scores, ...choice } of path) {
      expect(scoresOf(ballots, crossValidate(ballots, choice))).toEqual(scores);
    }
    const best = path.at(-1)!;
    expect(seen.every((step) => scoresOf(ballots, crossValidate(ballots, step)).las <= best.scores.las)).toBe(
      true,
    );
  });

  test('learns no weights from the sentences voted on: changing a fold’s gold trees leaves its votes the same', () => {
    const choice = { members: [0, 1, 2], weighting: 'learnt', method: 'reparse-cle' } as const;
    const before = crossValidate(ballots, choice);
    const spoilt = ballots.map((ballot, i) =>
      i < 30 ? { ...ballot, gold: { ...ballot.gold, heads: ballot.trees[2].heads } } : ballot,
    );
    expect(crossValidate(spoilt, choice).slice(0, 30)).toEqual(before.slice(0, 30));
    expect(crossValidate(spoilt, choice)).not.toEqual(before);
  });

  test('can be cross-validated as a whole', async () => {
    const trees = await crossValidateSearch(simulatedBallots(7, 40, 2));
    expect(trees.every(({ heads }) => isTree(heads, heads.length - 1))).toBe(true);
    expect(trees).toHaveLength(40);
  });

  test('scores given members with all weights and methods, the best first', async () => {
    const scorer = new EnsembleScorer(simulatedBallots(9, 40, 3), { folds: 4 });
    const steps = await scorer.alternatives([0, 1]);
    expect(new Set(steps.map(({ weighting, method }) => `${weighting} ${method}`)).size).toBe(15);
    const las = steps.map(({ scores }) => scores.las);
    expect(las).toEqual(las.toSorted((a, b) => b - a));
    const [{ scores, ...choice }] = steps;
    expect(scores).toEqual(scoresOf(scorer.ballots, crossValidate(scorer.ballots, choice, { folds: 4 })));
  });

  test('scores a single parser on its own trees, not on what the method would make of them', async () => {
    // Not projective: the arc to the second token crosses those from the first.
    const gold = '0/root 4/x 1/x 1/x';
    const wrong = '0/root 1/x 1/x 1/y';
    const crossing = Array.from({ length: 30 }, () => goldBallot(gold, gold, wrong, wrong));
    const scorer = new EnsembleScorer(crossing);
    const own = { weighting: 'equal', method: 'reparse-cle', scores: { uas: 100, las: 100 } };
    const alone = await scorer.score({ members: [0], weighting: 'las', method: 'reparse-eisner' });
    expect(alone).toEqual({ members: [0], ...own });
    expect(await scorer.alternatives([0])).toEqual([alone]);
    const voted = await scorer.score({ members: [0, 1, 2], weighting: 'las', method: 'reparse-eisner' });
    expect((await withFewerMembers(scorer, voted)).at(-1)).toMatchObject(alone);
    const single = { name: 'gold', digest: '', ballots: [goldBallot(gold, gold)] };
    const dev = { ...single, ballots: Array.from({ length: 30 }, () => single.ballots[0]!) };
    const { path, report } = await searchAndReport(dev, single, {});
    expect([path.at(-1), report.vote]).toEqual([alone, alone.scores]);
  });

  test('refuses to search on too few sentences', async () => {
    expect(() => new EnsembleScorer(ballots.slice(0, 24))).toThrow(
      '24 sentences to search on, expected at least 25',
    );
    expect(() => new EnsembleScorer(ballots.slice(0, 99), { folds: 10 })).toThrow('expected at least 100');
    await expect(crossValidateSearch(ballots.slice(0, 31))).rejects.toThrow('expected at least 32');
  });
});
