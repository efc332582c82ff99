import { describe, expect, test } from 'vitest';
import { crossValidate, EnsembleScorer, withFewerMembers } from '../../../../combine/vote/analysis/search.ts';
import { scoresOf } from '../../../../combine/vote/scores.ts';
import { simulatedBallots } from '../../../support/simulated-ballots.ts';

describe('an ensemble with fewer members', () => {
  // Members 2 to 4 are all wrong in the same way.
  const scorer = new EnsembleScorer(simulatedBallots(6, 100, 5), { folds: 4 });
  const all = { members: [0, 1, 2, 3, 4], weighting: 'equal', method: 'reparse-cle' } as const;

  test('leaves out, step by step, the member whose loss costs least', async () => {
    const steps = await withFewerMembers(scorer, await scorer.score(all));
    expect(steps.map(({ members }) => members.length)).toEqual([5, 4, 3, 2, 1]);
    expect(steps[0].p).toEqual({ uas: 1, las: 1 });
    for (const [i, { members, scores }] of steps.slice(1).entries()) {
      const before = steps[i].members;
      expect(before).toEqual(expect.arrayContaining([...members]));
      const rivals = before.map((member) => before.filter((other) => other !== member));
      const las = rivals.map((rival) => {
        const trees = crossValidate(scorer.ballots, { ...all, members: rival }, scorer.options);
        return scoresOf(scorer.ballots, trees).las;
      });
      expect(scores.las).toBe(Math.max(...las));
    }
    expect(steps[2].members).toEqual(expect.arrayContaining([0, 1]));
  });

  test('leaves out a slow member early if its loss costs no more than that of a quick one', async () => {
    const found = await scorer.score(all);
    for (const slow of [2, 3, 4]) {
      const speeds = [1000, 1000, 1000, 1000, 1000].with(slow, 1);
      const steps = await withFewerMembers(scorer, found, speeds);
      expect(steps[0].speed).toBeCloseTo(1 / 1.004, 6);
      const end = steps.findIndex(({ members }) => !members.includes(slow));
      expect(end).toBeLessThanOrEqual(2);
      expect(steps.at(-1)!.speed).toBeCloseTo(1000, 6);
    }
  });
});
