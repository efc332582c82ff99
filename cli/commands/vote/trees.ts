import type { WeightsFor } from '../../../combine/vote/analysis/explain.ts';
import { IndependenceCheck } from '../../../combine/vote/analysis/independence.ts';
import type { GoldFile } from '../../../combine/vote/ballots.ts';
import { ensembleOf } from '../../../combine/vote/ensemble.ts';
import { paradigmOf, parseBallots, parseGoldBallots } from '../../../combine/vote/files/parsed-ballots.ts';
import {
  readAnswers,
  readGoldBallots,
  type VotedFileOptions,
  type VoteFigures,
  voteCrossValidated,
  voteFiles,
  voteOnBallots,
} from '../../../combine/vote/files/vote-files.ts';
import { Vote } from '../../../combine/vote/vote.ts';
import { AgreementWeighting } from '../../../combine/vote/weights/agreement-weighting.ts';
import { learnAgreement, MemberAnswers } from '../../../combine/vote/weights/learn-agreement.ts';
import { calibrateVote, learningOf } from '../../../combine/vote/weights/learn-weighting.ts';
import type { Paradigms } from '../../../combine/vote/weights/weighting.ts';
import {
  equalWeighting,
  givenWeighting,
  paradigmWeighting,
} from '../../../combine/vote/weights/weighting.ts';
import { parseSource } from '../../../parsers/run/parse-file.ts';
import { InputError } from '../../../src/errors.ts';
import { percent } from '../../../src/evaluate/percent.ts';
import type { CalibrationData } from '../../../src/learn/calibration.ts';
import { readModelFile } from '../../../src/model/model-file.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import { openTreebank } from '../../../src/treebank/reading/treebank-file.ts';
import { count, duration, note, plural, printJson, warn } from '../../terminal/output.ts';
import { hidesProgress, withProgress } from '../../terminal/progress.ts';
import { follow } from '../parse/report.ts';
import type { ModeOf, VoteFlags, WeightSource } from './modes.ts';
import { fileOptions, outputOf, voteOptions } from './modes.ts';
import { bracketedFiles, voteOverPhrases } from './phrases.ts';

export async function voteOverFiles(mode: ModeOf<'files'>, flags: VoteFlags): Promise<void> {
  const { files, weights } = mode;
  const bracketed = await bracketedFiles(files, flags);
  if (bracketed !== undefined) return voteOverPhrases(bracketed, weights, flags);
  const started = performance.now();
  if (weights.kind === 'cross-validation') {
    const known = await readGoldBallots(weights.devGold, files, fileOptions(flags));
    return voteOverKnown(known, weights.folds, files, started, flags);
  }
  const { weightsFor, learntFrom, calibration } = await weightsOfFiles(mode, flags);
  const weighting = weightsFor([...files.keys()]);
  const options = { ...votingOptions(flags), weighting, calibration, learntFrom };
  const figures = await withVoteProgress(flags, files[0], (callbacks) =>
    voteFiles(files, outputOf(flags), { ...options, ...callbacks }),
  );
  printSummary(figures, files.length, weighting, started, flags);
}

export async function voteOverModels(mode: ModeOf<'models'>, flags: VoteFlags): Promise<void> {
  const { models: paths, input, weights } = mode;
  const { quiet, jobs, skipInvalid, allowMissing, confidence } = flags;
  const started = performance.now();
  const models = paths.map((path) => readModelFile(path));
  if (weights.kind === 'cross-validation') {
    const known = await parseGold(models, weights.devGold, flags, input);
    return voteOverKnown(known, weights.folds, [input], started, flags, models.map(paradigmOf));
  }
  if (weights.kind === 'agreement') return voteOverParsed(models, input, started, flags);
  const treebank = await openTreebank(input, { ...fileOptions(flags), expect: 'tokens', digest: false });
  if (treebank.format === 'brackets') {
    const problem = 'models vote on arcs: for brackets, parse with each model, and vote on the files';
    throw new InputError(problem, { file: input });
  }
  const { weightsFor, learntFrom, calibration } = await weightsOfModels(models, weights, flags);
  const weighting = weightsFor([...models.keys()]);
  const ensemble = ensembleOf(models, weighting, { ...voteOptions(flags), calibration });
  const check = new IndependenceCheck(learntFrom, input);
  const { encoding } = flags;
  const options = { encoding, jobs, skipInvalid, confidence, check, allowMissing };
  const {
    seconds: _,
    loadingSeconds: __,
    ...figures
  } = await follow('parsing and voting', { quiet, output: outputOf(flags) }, (callbacks) =>
    parseSource(ensemble, treebank, outputOf(flags), { ...options, ...callbacks }),
  );
  printSummary(figures, models.length, weighting, started, flags);
}

async function voteOverKnown(
  known: GoldFile,
  folds: number,
  files: readonly string[],
  started: number,
  flags: VoteFlags,
  paradigms?: Paradigms,
): Promise<void> {
  const options = { ...votingOptions(flags), weighting: flags.weighting, paradigms, folds };
  const { weightings, ...figures } = await withVoteProgress(flags, files[0], (callbacks) =>
    voteCrossValidated(known, outputOf(flags), { ...options, ...callbacks }),
  );
  printSummary(figures, known.ballots[0].trees.length, { name: weightings.join(', ') }, started, flags);
}

/** Votes with weights learnt from the agreement between the models; keeps all their trees in memory. */
async function voteOverParsed(
  models: readonly ModelReader[],
  input: string,
  started: number,
  flags: VoteFlags,
): Promise<void> {
  const { jobs, quiet, allowMissing } = flags;
  const parsing = { ...fileOptions(flags), jobs, allowMissing, onWarning: warn };
  const ballots = await withProgress('parsing', 'parses', quiet, (onProgress) =>
    parseBallots(input, models, { ...parsing, onProgress }),
  );
  const weighting = new AgreementWeighting(learnAgreement(MemberAnswers.of(ballots)));
  const vote = new Vote(weighting, voteOptions(flags));
  const figures = await withVoteProgress(flags, input, (callbacks) =>
    voteOnBallots(ballots, outputOf(flags), vote, { ...votingOptions(flags), ...callbacks }),
  );
  printSummary(figures, models.length, weighting, started, flags);
}

function votingOptions(flags: VoteFlags) {
  return { ...voteOptions(flags), ...fileOptions(flags), confidence: flags.confidence };
}

/** Votes with progress on stderr; warns if the output, in the format of `file`, has no labels. */
async function withVoteProgress<Figures extends VoteFigures>(
  flags: VoteFlags,
  file: string,
  vote: (callbacks: Pick<VotedFileOptions, 'onProgress' | 'onNotice'>) => Promise<Figures>,
): Promise<Figures> {
  const isHidden = hidesProgress(flags.quiet, outputOf(flags));
  const onNotice = flags.quiet ? undefined : note;
  const figures = await withProgress('voting', 'sentences', isHidden, (onProgress) =>
    vote({ onProgress, onNotice }),
  );
  if (figures.labelsLost)
    warn(`${file} has no column for labels, so none are written: put a CoNLL-U or CoNLL-X file first`);
  return figures;
}

function printSummary(
  figures: { readonly sentences: number; readonly tokens: number; readonly ties?: number | undefined },
  parsers: number,
  weighting: { readonly name: string },
  started: number,
  flags: VoteFlags,
): void {
  const { name } = weighting;
  noteEqualWeights(weighting, flags);
  const { method } = voteOptions(flags);
  const seconds = (performance.now() - started) / 1000;
  if (flags.to === 'json') {
    printJson({ ...figures, parsers, method, weighting: name, seconds }, outputOf(flags));
  } else if (!flags.quiet) {
    const what = `${plural(parsers, 'parser')} voted on ${plural(figures.sentences, 'sentence')}`;
    note(`${what} in ${duration(seconds)} (${method}, weights: ${name})`);
    const { ties = 0, tokens } = figures;
    if (ties === 0) return;
    const arcs = `${percent(ties, tokens).toFixed(2)}% of the arcs (${count(ties)} of ${count(tokens)})`;
    note(`${arcs} were ties, broken by a fixed rule: see docs/voting.md`);
  }
}

interface ChosenWeights {
  readonly weightsFor: WeightsFor;
  readonly learntFrom?: GoldFile | undefined;
  /** Maps shares of votes to probabilities, for `--confidence`; undefined without gold trees. */
  readonly calibration?: CalibrationData | undefined;
}

export async function weightsOfFiles(
  { files, weights }: ModeOf<'files' | 'explain'>,
  flags: VoteFlags,
): Promise<ChosenWeights> {
  if (weights.kind === 'agreement') {
    const answers = await readAnswers(files, fileOptions(flags));
    return {
      weightsFor: (members: readonly number[]) => new AgreementWeighting(learnAgreement(answers, members)),
    };
  }
  if (weights.kind !== 'dev') return knownWeights(weights, files.length);
  return learntWeights(await readGoldBallots(weights.devGold, weights.dev, fileOptions(flags)), flags);
}

async function weightsOfModels(
  models: readonly ModelReader[],
  weights: WeightSource,
  flags: VoteFlags,
): Promise<ChosenWeights> {
  const paradigms = models.map(paradigmOf);
  if (weights.kind === 'dev')
    return learntWeights(await parseGold(models, weights.devGold, flags), flags, paradigms);
  const isOpen = weights.kind === 'equal' && flags.weighting === undefined;
  if (isOpen) return { weightsFor: (members) => paradigmWeighting(paradigms, members) };
  return knownWeights(weights, models.length);
}

function knownWeights(source: WeightSource, count: number): ChosenWeights {
  if (source.kind === 'given') return { weightsFor: (members) => givenWeighting(source.weights, members) };
  return { weightsFor: (members) => equalWeighting(count, members) };
}

function learntWeights(dev: GoldFile, flags: VoteFlags, paradigms?: Paradigms): ChosenWeights {
  const { weighting: name } = flags;
  const learn = learningOf(name, dev.ballots, paradigms);
  const usesGold = (name !== 'equal' && name !== 'agreement') || flags.confidence;
  return {
    weightsFor: (members) => learn(dev.ballots, members),
    learntFrom: usesGold ? dev : undefined,
    calibration: flags.confidence ? calibrateVote(learn, dev.ballots, voteOptions(flags)) : undefined,
  };
}

/** Parses the sentences of a gold file with models; `input` is another file with the same tokens. */
function parseGold(models: readonly ModelReader[], gold: string, flags: VoteFlags, input?: string) {
  const { jobs, quiet, allowMissing } = flags;
  const options = { ...fileOptions(flags), jobs, input, allowMissing, onWarning: warn };
  return withProgress('weighing', 'parses', quiet, (onProgress) =>
    parseGoldBallots(gold, models, { ...options, onProgress }),
  );
}

export function noteEqualWeights({ name }: { readonly name: string }, { weighting, quiet }: VoteFlags): void {
  if (name !== 'equal' || weighting === 'equal' || quiet) return;
  note('all votes weigh the same; --dev-gold (or --weights) usually gives better trees');
}
