import { foldsOf } from '../analysis/search.ts';
import type { WeightingName } from '../names.ts';
import { Vote, type VoteOptions } from '../vote.ts';
import { calibrateVote } from '../weights/calibrate-vote.ts';
import { learnWeighting } from '../weights/learn-weighting.ts';
import type { GoldFile } from './vote-files.ts';
import { VotedFile, type VotedFileOptions, type VoteFigures } from './voted-file.ts';

export interface CrossValidatedVoteOptions extends VotedFileOptions, VoteOptions {
  readonly weighting: WeightingName;
  /** Parts of the sentences, each voted on with weights learnt from the others. */
  readonly folds: number;
}

/**
 * Puts sentences whose trees are known to the vote, none of them by weights that were learnt from it: the outcome
 * may be measured by these trees. Writes the sentences that the members parsed, as `voteFiles` does.
 *
 * @throws InputError for fewer sentences than parts
 */
export async function voteCrossValidated(
  { ballots }: GoldFile,
  output: string,
  { weighting, folds, ...options }: CrossValidatedVoteOptions,
): Promise<VoteFigures> {
  const parts = foldsOf(ballots, { folds });
  const file = await VotedFile.create(output, options);
  try {
    for (const { learnt, tested } of parts) {
      const calibration = options.confidence ? calibrateVote(weighting, learnt, options) : undefined;
      const vote = new Vote(learnWeighting(weighting, learnt), { ...options, calibration });
      for (const ballot of tested) await file.add(ballot, vote);
    }
    await file.commit();
    return file.figures;
  } finally {
    await file.discard();
  }
}
