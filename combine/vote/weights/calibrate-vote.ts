import { type CalibrationData, ConfidenceSample } from '../../../src/learn/calibration.ts';
import { foldsOf } from '../analysis/search.ts';
import type { GoldBallot } from '../ballots.ts';
import type { WeightingName } from '../names.ts';
import { Vote, type VoteOptions } from '../vote.ts';
import { learnWeighting } from './learn-weighting.ts';

/** Parts of the sentences, each voted on with weights from the others. */
const FOLDS = 5;

/**
 * What the shares of votes come to, by sentences whose trees are known: each is voted on with weights that were not
 * learnt from it. Undefined where the sentences are too few.
 */
export function calibrateVote(
  name: WeightingName,
  dev: readonly GoldBallot[],
  options: VoteOptions = {},
): CalibrationData | undefined {
  if (dev.length < FOLDS) return undefined;
  const sample = new ConfidenceSample();
  for (const { learnt, tested } of foldsOf(dev, { folds: FOLDS })) {
    const vote = new Vote(learnWeighting(name, learnt), options);
    for (const ballot of tested) addVoted(sample, ballot, vote);
  }
  return sample.fit()?.data;
}

function addVoted(sample: ConfidenceSample, ballot: GoldBallot, vote: Vote): void {
  const { heads } = vote.decide(ballot);
  const confidences = vote.confidences();
  for (let d = 1; d < heads.length; d++) sample.add(confidences[d], heads[d] === ballot.gold.heads[d]);
}
