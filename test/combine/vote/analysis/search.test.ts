import { beforeAll, describe, expect, test } from 'vitest';
import {
  crossValidate,
  crossValidateSearch,
  type EnsembleChoice,
  EnsembleScorer,
  type SearchStep,
  searchEnsemble,
} from '../../../../combine/vote/analysis/search.ts';
import { scoresOf } from '../../../../combine/vote/scores.ts';
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

  test('climbs, by scores from cross-validation, to a choice that no single change makes better', () => {
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

  test('never weighs a sentence by itself: changing gold of one part changes no tree of that part', () => {
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

  test('scores its members with all weights and methods, the best first', async () => {
    const scorer = new EnsembleScorer(simulatedBallots(9, 40, 3), { folds: 4 });
    const steps = await scorer.alternatives([0, 1]);
    expect(new Set(steps.map(({ weighting, method }) => `${weighting} ${method}`)).size).toBe(15);
    const las = steps.map(({ scores }) => scores.las);
    expect(las).toEqual(las.toSorted((a, b) => b - a));
    const [{ scores, ...choice }] = steps;
    expect(scores).toEqual(scoresOf(scorer.ballots, crossValidate(scorer.ballots, choice, { folds: 4 })));
  });

  test('refuses to search on too few sentences', () => {
    expect(() => new EnsembleScorer(ballots.slice(0, 24))).toThrow(
      '24 sentences to search on, expected at least 25',
    );
    expect(() => new EnsembleScorer(ballots.slice(0, 99), { folds: 10 })).toThrow('expected at least 100');
  });
});
