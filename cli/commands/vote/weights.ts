import type { WeightsFor } from '../../../combine/vote/analysis/explain.ts';
import type { GoldFile } from '../../../combine/vote/ballots.ts';
import { parseGoldBallots } from '../../../combine/vote/files/parsed-ballots.ts';
import { readAnswers, readGoldBallots } from '../../../combine/vote/files/vote-files.ts';
import { AgreementWeighting } from '../../../combine/vote/weights/agreement-weighting.ts';
import { learnAgreement } from '../../../combine/vote/weights/learn-agreement.ts';
import {
  calibrateVote,
  defaultWeightingName,
  learnWeighting,
} from '../../../combine/vote/weights/learn-weighting.ts';
import { equalWeighting, givenWeighting, type Weighting } from '../../../combine/vote/weights/weighting.ts';
import type { CalibrationData } from '../../../src/learn/calibration.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import { note, warn } from '../../terminal/output.ts';
import { withProgress } from '../../terminal/progress.ts';
import {
  type ExplainedVote,
  type FileVote,
  fileOptions,
  type VoteFlags,
  voteOptions,
  type WeightSource,
} from './modes.ts';

interface ChosenWeights {
  readonly weightsFor: WeightsFor;
  readonly learntFrom?: GoldFile | undefined;
  /** Maps shares of votes to probabilities; for `--confidence` where gold trees are known. */
  readonly calibration?: CalibrationData | undefined;
}

export async function weightsOfFiles(
  { files, weights }: FileVote | ExplainedVote,
  flags: VoteFlags,
): Promise<ChosenWeights> {
  if (weights.kind === 'agreement') {
    const answers = await readAnswers(files, fileOptions(flags));
    return { weightsFor: (members) => new AgreementWeighting(learnAgreement(answers, members)) };
  }
  if (weights.kind !== 'dev') return knownWeights(weights, files.length);
  return learntWeights(await readGoldBallots(weights.devGold, weights.dev, fileOptions(flags)), flags);
}

export async function weightsOfModels(
  models: readonly ModelReader[],
  weights: WeightSource,
  flags: VoteFlags,
): Promise<ChosenWeights> {
  if (weights.kind !== 'dev') return knownWeights(weights, models.length);
  return learntWeights(await parseGold(models, weights.devGold, flags), flags);
}

function knownWeights(source: WeightSource, count: number): ChosenWeights {
  if (source.kind === 'given') return { weightsFor: (members) => givenWeighting(source.weights, members) };
  return { weightsFor: (members) => equalWeighting(count, members) };
}

function learntWeights(dev: GoldFile, flags: VoteFlags): ChosenWeights {
  const name = flags.weighting ?? defaultWeightingName(dev.ballots);
  const usesGold = name !== 'equal' && name !== 'agreement';
  return {
    weightsFor: (members) => learnWeighting(name, dev.ballots, members),
    learntFrom: usesGold ? dev : undefined,
    calibration: flags.confidence ? calibrateVote(name, dev.ballots, voteOptions(flags)) : undefined,
  };
}

/** Parses the sentences of a gold file with models; `input` is another file with the same tokens. */
export function parseGold(
  models: readonly ModelReader[],
  gold: string,
  flags: VoteFlags,
  input?: string,
): Promise<GoldFile> {
  const { jobs, quiet, allowMissing } = flags;
  const options = { ...fileOptions(flags), jobs, input, allowMissing, onWarning: warn };
  return withProgress('weighing', 'parses', quiet, (onProgress) =>
    parseGoldBallots(gold, models, { ...options, onProgress }),
  );
}

export function noteEqualWeights({ name }: Pick<Weighting, 'name'>, { weighting, quiet }: VoteFlags): void {
  if (name !== 'equal' || weighting === 'equal' || quiet) return;
  note('all votes weigh the same; --dev-gold (or --weights) makes better trees');
}
