import type { SentenceParser } from '../../parsers/run/batch-parser.ts';
import { ColumnCheck, type MissingColumnOptions } from '../../parsers/run/column-check.ts';
import { UsageError } from '../../src/errors.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import type { Treebank } from '../../src/treebank/sentence.ts';
import type { WeightingName } from '../names.ts';
import { checkMemberCount, type GoldBallot, goldBallot } from './ballots.ts';
import { Ensemble } from './ensemble.ts';
import { Vote, type VoteOptions } from './vote.ts';
import { calibrateVote, defaultWeightingName, learnWeighting } from './weights/learn-weighting.ts';
import { equalWeighting } from './weights/member-weighting.ts';

export interface EnsembleOptions extends VoteOptions, MissingColumnOptions {
  /** Gold trees, or their file, that no member was trained on: to learn weights from. */
  readonly dev?: Treebank | string | undefined;
  /** Weighting of the votes; default: the best for the size of `dev`, or `equal` without `dev`. */
  readonly weighting?: WeightingName | undefined;
}

/**
 * Makes an ensemble: each member parses the sentence, then they vote, weighed by their accuracy on `dev`.
 *
 * @throws UsageError for no members or too many, and for learned weights without `dev`
 * @throws OptionError if the sentences lack columns that a member reads, unless that is allowed
 * @throws InputError for sentences that cannot be read
 */
export async function makeEnsemble(
  members: readonly SentenceParser[],
  { dev, weighting, allowMissing, onWarning, ...vote }: EnsembleOptions = {},
): Promise<Ensemble> {
  checkMemberCount(members.length);
  if (dev === undefined) {
    if ((weighting ?? 'equal') !== 'equal') {
      throw new UsageError(`weighting ${weighting} is learned: it needs dev`);
    }
    return new Ensemble(members, new Vote(equalWeighting(members.length), vote));
  }
  const gold = typeof dev === 'string' ? await openTreebank(dev) : dev;
  const ballots = await parsedBallots(members, gold, { allowMissing, onWarning });
  const name = weighting ?? defaultWeightingName(ballots);
  const calibration = calibrateVote(name, ballots, vote);
  return new Ensemble(members, new Vote(learnWeighting(name, ballots), { ...vote, calibration }));
}

async function parsedBallots(
  members: readonly SentenceParser[],
  gold: Treebank,
  missing: MissingColumnOptions,
): Promise<GoldBallot[]> {
  const ballots: GoldBallot[] = [];
  const checks = members.map((member) => new ColumnCheck(member));
  for await (const sentence of gold) {
    for (const check of checks) check.look(sentence);
    const trees = members.map((member) => member.parse(sentence));
    ballots.push(goldBallot(sentence, trees));
  }
  for (const check of checks) check.settle(gold.name, missing);
  return ballots;
}
