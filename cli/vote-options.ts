import { InvalidArgumentError, Option } from 'commander';
import { parseGoldBallots } from '../combine/vote/ensemble.ts';
import type { WeightsFor } from '../combine/vote/explain.ts';
import { equalWeights, fitWeights, givenWeights, standardWeighting } from '../combine/vote/fit-weights.ts';
import { type MethodName, methodNames } from '../combine/vote/method.ts';
import type { VoteOptions } from '../combine/vote/vote.ts';
import { type FileOptions, type GoldFile, readGoldBallots } from '../combine/vote/vote-files.ts';
import { type LearntName, weightingNames } from '../combine/vote/weighting.ts';
import { UsageError } from '../src/errors.ts';
import { readModelFile } from '../src/model/model-file.ts';
import type { ModelReader } from '../src/model/model-reader.ts';
import type { TreebankFormat } from '../src/treebank/format.ts';
import { note, plural } from './output.ts';

/** How trees are made where nothing is asked for. */
const DEFAULT_METHOD: MethodName = 'reparse-cle';

export interface VoteFlags {
  readonly output?: string;
  readonly model?: readonly string[];
  readonly weights?: readonly number[];
  readonly devGold?: string;
  readonly dev?: readonly string[];
  readonly weighting?: LearntName;
  readonly method?: MethodName;
  readonly singleRoot?: boolean;
  readonly explain?: boolean;
  readonly search?: boolean;
  readonly gold?: string;
  readonly from?: TreebankFormat;
  readonly encoding: string;
  readonly skipInvalid?: boolean;
  readonly jobs: number;
  readonly format: 'text' | 'markdown' | 'json';
  readonly quiet?: boolean;
}

export const weightsOption = () =>
  new Option('--weights <a,b,…>', 'what a vote of each parser weighs').argParser((text) =>
    text.split(',').map((weight) => {
      if (/^ *(\d+\.?\d*|\.\d+) *$/.test(weight)) return Number(weight);
      throw new InvalidArgumentError(`Expected numbers from 0 with commas between them, not “${weight}”.`);
    }),
  );

export const modelOption = () => {
  const add = (file: string, files: readonly string[] = []) => [...files, file];
  const meaning = 'a model that votes; given several times, in place of files of trees: parses, then votes';
  return new Option('--model <file>', meaning).argParser(add);
};

export const weightingOption = () =>
  new Option('--weighting <name>', 'with --dev-gold: what a vote weighs by')
    .choices(weightingNames)
    .default(undefined, 'learnt, from 500 sentences on, else las');

export const methodOption = () =>
  new Option('--method <name>', 'how a tree is made of votes')
    .choices(methodNames)
    .default(undefined, DEFAULT_METHOD);

export function fileOptions({ from, encoding }: VoteFlags): FileOptions {
  return { format: from, encoding };
}

export function voteOptions({ method = DEFAULT_METHOD, singleRoot }: VoteFlags): VoteOptions {
  return { method, singleRoot };
}

export function readModels({ model = [] }: VoteFlags): ModelReader[] {
  return model.map((file) => readModelFile(file));
}

/** Weights, and the digest of the gold trees that they were learnt from, if they were. */
export interface ChosenWeights {
  readonly weightsFor: WeightsFor;
  readonly learntFrom?: string | undefined;
}

/** The weights asked for: given, by how good the parsers are on the dev sentences, or all the same. */
export async function chosenWeights(
  count: number,
  flags: VoteFlags,
  models: readonly ModelReader[] = [],
): Promise<ChosenWeights> {
  const { weights, weighting, devGold, dev: devFiles, quiet } = flags;
  if (weights !== undefined) {
    if (devGold ?? devFiles ?? weighting)
      throw new UsageError('--weights says what votes weigh: expected no --dev-gold, --dev or --weighting');
    checkOneEach(weights.length, 'weight', count);
    return { weightsFor: (members) => givenWeights(weights, members) };
  }
  const dev = await readDev(count, flags, models);
  if (dev !== undefined) {
    const name = weighting ?? standardWeighting(dev.ballots);
    return { weightsFor: (members) => fitWeights(name, dev.ballots, members), learntFrom: dev.digest };
  }
  if (weighting !== undefined && weighting !== 'equal') {
    throw new UsageError(`--weighting ${weighting} goes by how good the parsers are: it needs --dev-gold`);
  }
  if (!quiet) note('all votes weigh the same; --dev-gold (or --weights) makes better trees');
  return { weightsFor: (members) => equalWeights(count, members) };
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
    return parseGoldBallots(devGold, models, fileOptions(flags));
  }
  if (dev === undefined) throw new UsageError('--dev-gold needs --dev: what the parsers give there');
  checkOneEach(dev.length, '--dev file', count);
  return readGoldBallots(devGold, dev, fileOptions(flags));
}

/** Throws `UsageError` where there are not as many as parsers. */
export function checkOneEach(found: number, what: string, count: number): void {
  if (found === count) return;
  throw new UsageError(`${plural(found, what)} for ${plural(count, 'parser')}, expected one each`);
}
