import { expect, test } from 'vitest';
import { ballots, type GoldBallot, goldBallots } from '../../../../combine/vote/ballots.ts';
import { scoresOf, voteOn } from '../../../../combine/vote/scores.ts';
import { Vote } from '../../../../combine/vote/vote.ts';
import {
  calibrateVote,
  learningOf,
  learnWeighting,
} from '../../../../combine/vote/weights/learn-weighting.ts';
import { Random } from '../../../../src/learn/random.ts';
import { withConfidences } from '../../../../src/treebank/columns/confidence.ts';
import { goldBallot } from '../../../support/ballots.ts';
import { sentence, treebank } from '../../../support/sentences.ts';
import { simulatedBallots } from '../../../support/simulated-ballots.ts';

/** Two members that are right two times in three, by chance, and are sure when they are right. */
function sureBallots(seed: number, sentences: number): GoldBallot[] {
  const random = new Random(seed);
  return Array.from({ length: sentences }, () => {
    const right = [0, 1].map(() => Array.from({ length: 8 }, (_, i) => i < 2 || random.below(3) > 0));
    const back = Array.from({ length: 8 }, (_, i) => (i < 2 ? 0 : random.below(2)));
    const [gold, ...answers] = [[], ...right].map((own) =>
      back.map((far, i) => `${i - (own[i] === false ? 1 - far : far)}/a`).join(' '),
    );
    const known = goldBallot(gold, ...answers);
    const confidences = right.map((own) => Float64Array.from([0, ...own.map((is) => (is ? 0.95 : 0.4))]));
    return { ...known, trees: known.trees.map((tree, m) => ({ ...tree, confidences: confidences[m] })) };
  });
}

const withoutConfidencesOf = (each: GoldBallot): GoldBallot => ({
  ...each,
  trees: each.trees.map(({ heads, labels }) => ({ heads, labels })),
});

test('learnt weights follow the confident member if members give confidences', () => {
  const [learnt, tested] = [sureBallots(1, 100), sureBallots(2, 60)];
  const uasOf = (known: readonly GoldBallot[], voted: readonly GoldBallot[]) =>
    scoresOf(voted, voteOn(voted, new Vote(learnWeighting('learnt', known)))).uas;
  const bare = uasOf(learnt.map(withoutConfidencesOf), tested.map(withoutConfidencesOf));
  expect(uasOf(learnt, tested)).toBeGreaterThan(bare + 10);
});

test('confidences are read from files that have one for every word', async () => {
  const plain = sentence('a b', '2 0');
  const sure = { ...plain, misc: withConfidences(plain.misc, { arcs: Float64Array.from([0, 0.25, 0.75]) }) };
  const partly = { ...sure, misc: ['', '_', sure.misc[2]] };
  const members = [plain, sure, partly].map((each, m) => treebank(`member ${m}`, each));
  for await (const { trees } of ballots(members)) {
    expect(trees.map(({ confidences }) => confidences && [...confidences])).toEqual([
      undefined,
      [0, 0.25, 0.75],
      undefined,
    ]);
  }
  for await (const { trees } of goldBallots(treebank('gold', plain), members)) {
    expect(trees[1].confidences).toEqual(Float64Array.from([0, 0.25, 0.75]));
  }
});

test('the confidences of a calibrated vote match its share of right heads on unseen sentences', () => {
  const known = simulatedBallots(5, 200, 3);
  const calibration = calibrateVote(learningOf('las', known), known)!;
  const vote = new Vote(learnWeighting('las', known), { calibration });
  let sum = 0;
  let right = 0;
  for (const each of simulatedBallots(6, 200, 3)) {
    const { tree, confidences } = vote.decide(each);
    confidences.forEach((confidence, d) => {
      if (d === 0) return;
      sum += confidence;
      if (tree.heads[d] === each.gold.heads[d]) right += 1;
    });
  }
  expect(Math.abs(sum / right - 1)).toBeLessThan(0.03);
});
