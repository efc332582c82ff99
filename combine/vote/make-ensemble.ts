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
  /** Sentences, or a file of them, whose trees are known and that no member was trained on: to weigh them by. */
  readonly dev?: Treebank | string | undefined;
  /** What a member's vote weighs; default: what does best with as many sentences as `dev` has, or else `equal`. */
  readonly weighting?: WeightingName | undefined;
}

/**
 * Makes one parser of several: each parses the sentence, then they vote, each as heavy as it does well on `dev`.
 *
 * @throws UsageError for no members or too many, and for weights to be learnt without `dev`
 * @throws OptionError where the sentences lack what a member was trained to read, unless that is allowed
 * @throws InputError for sentences that cannot be read
 */
export async function makeEnsemble(
  members: readonly SentenceParser[],
  { dev, weighting, allowMissing, onWarning, ...vote }: EnsembleOptions = {},
): Promise<Ensemble> {
  checkMemberCount(members.length);
  if (dev === undefined) {
    if ((weighting ?? 'equal') !== 'equal') {
      throw new UsageError(`weighting ${weighting} goes by how good the parsers are: it needs dev`);
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
