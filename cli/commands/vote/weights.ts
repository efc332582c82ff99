import type { WeightsFor } from '../../../combine/vote/analysis/explain.ts';
import type { Ballot } from '../../../combine/vote/ballots.ts';
import { parseBallots, parseGoldBallots } from '../../../combine/vote/files/parsed-ballots.ts';
import { type GoldFile, readAnswers, readGoldBallots } from '../../../combine/vote/files/vote-files.ts';
import type { WeightingName } from '../../../combine/vote/names.ts';
import { AgreementWeighting } from '../../../combine/vote/weights/agreement/agreement-weighting.ts';
import { learnAgreement } from '../../../combine/vote/weights/agreement/learn-agreement.ts';
import { calibrateVote } from '../../../combine/vote/weights/calibrate-vote.ts';
import { defaultWeightingName, learnWeighting } from '../../../combine/vote/weights/learn-weighting.ts';
import { equalWeighting, givenWeighting } from '../../../combine/vote/weights/member-weighting.ts';
import type { Weighting } from '../../../combine/vote/weights/weighting.ts';
import { UsageError } from '../../../src/errors.ts';
import type { CalibrationData } from '../../../src/learn/calibration.ts';
import { readModelFile } from '../../../src/model/model-file.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import { note, plural, warn } from '../../terminal/output.ts';
import { withProgress } from '../../terminal/progress.ts';
import { fileOptions, type VoteFlags, voteOptions } from './options.ts';

export function readModels({ model = [] }: VoteFlags): ModelReader[] {
  return model.map((file) => readModelFile(file));
}

/** Weights, and the gold trees that they were learnt from, if they were. */
export interface ChosenWeights {
  readonly weightsFor: WeightsFor;
  readonly learntFrom?: GoldFile | undefined;
  /** What makes probabilities of shares of votes, where they are asked for and gold trees are known. */
  readonly calibration?: CalibrationData | undefined;
}

/** The weights asked for: given, by how good the parsers are on the dev sentences, or all the same. */
export async function chosenWeights(files: readonly string[], flags: VoteFlags): Promise<ChosenWeights> {
  const { weighting, weights, devGold } = flags;
  if (weighting !== 'agreement' || (weights ?? devGold) !== undefined)
    return weightsByDev(files.length, flags);
  const answers = await readAnswers(files, fileOptions(flags));
  return { weightsFor: (members) => new AgreementWeighting(learnAgreement(answers, members)) };
}

/** Weights that do not go by the sentences voted on. */
export async function weightsByDev(
  count: number,
  flags: VoteFlags,
  models: readonly ModelReader[] = [],
): Promise<ChosenWeights> {
  const { weights, weighting, devGold, dev: devFiles } = flags;
  if (weights !== undefined) {
    if (devGold ?? devFiles ?? weighting)
      throw new UsageError('--weights says what votes weigh: expected no --dev-gold, --dev or --weighting');
    checkOneEach(weights.length, 'weight', count);
    return { weightsFor: (members) => givenWeighting(weights, members) };
  }
  const dev = await readDev(count, flags, models);
  if (dev !== undefined) {
    const name = weighting ?? defaultWeightingName(dev.ballots);
    const learntFrom = needsTrees(name) ? dev : undefined;
    const calibration = flags.confidence ? calibrateVote(name, dev.ballots, voteOptions(flags)) : undefined;
    return { weightsFor: (members) => learnWeighting(name, dev.ballots, members), learntFrom, calibration };
  }
  if (weighting !== undefined && weighting !== 'equal') {
    throw new UsageError(`--weighting ${weighting} goes by how good the parsers are: it needs --dev-gold`);
  }
  return { weightsFor: (members) => equalWeighting(count, members) };
}

function needsTrees(name: WeightingName): boolean {
  return name !== 'equal' && name !== 'agreement';
}

/** Says that nothing tells good parsers from bad ones, where that was not asked for. */
export function noteEqualWeights({ name }: Pick<Weighting, 'name'>, { weighting, quiet }: VoteFlags): void {
  if (name !== 'equal' || weighting === 'equal' || quiet) return;
  note('all votes weigh the same; --dev-gold (or --weights) makes better trees');
}

/** The sentences to weigh the parsers by, if there are any. */
export async function readDev(
  count: number,
  flags: VoteFlags,
  models: readonly ModelReader[] = [],
): Promise<GoldFile | undefined> {
  const { devGold, dev } = flags;
  if (devGold === undefined) {
    if (dev === undefined) return undefined;
    throw new UsageError('--dev is what the parsers give for the sentences of --dev-gold: which are they?');
  }
  if (models.length > 0) {
    if (dev !== undefined) throw new UsageError('--model parses --dev-gold itself: expected no --dev');
    return parseKnown(models, flags);
  }
  if (dev === undefined) throw new UsageError('--dev-gold needs --dev: what the parsers give there');
  checkDevCount(dev, count);
  return readGoldBallots(devGold, dev, fileOptions(flags));
}

/** What the models give for the sentences of `--dev-gold`, or of another file with the same tokens. */
export function parseKnown(
  models: readonly ModelReader[],
  flags: VoteFlags,
  input?: string,
): Promise<GoldFile> {
  const { jobs, quiet, allowMissing } = flags;
  const options = { ...fileOptions(flags), jobs, input, allowMissing, onWarning: warn };
  return withProgress({ title: 'weighing', unit: 'parses', quiet }, (onProgress) =>
    parseGoldBallots(flags.devGold!, models, { ...options, onProgress }),
  );
}

/** What the models give for sentences whose trees are not known. */
export function parseUnknown(
  models: readonly ModelReader[],
  flags: VoteFlags,
  input: string,
): Promise<Ballot[]> {
  const { jobs, quiet, allowMissing } = flags;
  const options = { ...fileOptions(flags), jobs, allowMissing, onWarning: warn };
  return withProgress({ title: 'parsing', unit: 'parses', quiet }, (onProgress) =>
    parseBallots(input, models, { ...options, onProgress }),
  );
}

/** Throws `UsageError` where `--dev` does not name one file a parser. */
export function checkDevCount(dev: readonly string[], count: number): void {
  if (dev.length > count) {
    const taken = `--dev took all ${plural(dev.length, 'name')} after it, for ${plural(count, 'parser')}`;
    throw new UsageError(`${taken}: put the files to vote on first`);
  }
  checkOneEach(dev.length, '--dev file', count);
}

/** Throws `UsageError` where there are not as many as parsers. */
export function checkOneEach(found: number, what: string, count: number): void {
  if (found === count) return;
  throw new UsageError(`${plural(found, what)} for ${plural(count, 'parser')}, expected one each`);
}
