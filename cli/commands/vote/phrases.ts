import {
  learnPhraseWeighting,
  type PhraseWeighting,
  STANDARD_THRESHOLD,
} from '../../../combine/vote/constituents/constituent-vote.ts';
import {
  openBracketed,
  type PhraseVoteFigures,
  readGoldPhrases,
  votePhraseFiles,
  votePhrasesCrossValidated,
} from '../../../combine/vote/constituents/vote-phrase-files.ts';
import { UsageError } from '../../../src/errors.ts';
import { TextFile } from '../../../src/files/text-file.ts';
import type { TreebankFile } from '../../../src/treebank/reading/treebank-file.ts';
import { duration, note, plural, printJson } from '../../terminal/output.ts';
import { hidesProgress, withProgress } from '../../terminal/progress.ts';
import { fileOptions, outputOf, type VoteFlags, type WeightSource } from './modes.ts';

/** Opens the files to vote on phrases; undefined to vote on arcs: not all have brackets, or an option is for arcs. */
export async function bracketedFiles(files: readonly string[], flags: VoteFlags) {
  if (flags.method !== undefined) return undefined;
  // A pipe can be read only once, so that its format cannot be recognised in advance.
  const areRepeatable = files.every((file) => new TextFile(file).isRepeatable);
  if (!areRepeatable && flags.format !== 'brackets') return undefined;
  return openBracketed(files, fileOptions(flags));
}

export async function voteOverPhrases(
  files: readonly TreebankFile[],
  source: WeightSource,
  flags: VoteFlags,
): Promise<void> {
  const started = performance.now();
  checkWeighting(flags);
  const weights: WeightSource = flags.weighting === 'equal' ? { kind: 'equal' } : source;
  const { encoding } = flags;
  const output = outputOf(flags);
  if (weights.kind === 'cross-validation') {
    const names = files.map(({ name }) => name);
    const known = await readGoldPhrases(weights.devGold, names, fileOptions(flags));
    const figures = await votePhrasesCrossValidated(known, output, { folds: weights.folds, encoding });
    printSummary(figures, files.length, undefined, started, flags);
    return;
  }
  const { weighting, learntFrom } = await phraseWeights(weights, files.length, flags);
  const isHidden = hidesProgress(flags.quiet, output);
  const figures = await withProgress('voting', 'sentences', isHidden, (onProgress) =>
    votePhraseFiles(files, output, { weighting, learntFrom, encoding, onProgress }),
  );
  printSummary(figures, files.length, weighting, started, flags);
}

function printSummary(
  figures: PhraseVoteFigures,
  parsers: number,
  weighting: PhraseWeighting | undefined,
  started: number,
  flags: VoteFlags,
): void {
  const seconds = (performance.now() - started) / 1000;
  if (flags.to === 'json') {
    const record = { ...figures, parsers, method: 'constituents', ...weighting, seconds };
    printJson(record, outputOf(flags));
  } else if (!flags.quiet) {
    const votes = `${plural(parsers, 'parser')} voted on the phrases of ${plural(figures.sentences, 'sentence')}`;
    note(`${votes} in ${duration(seconds)} (${weightsText(weighting)})`);
  }
}

function weightsText(weighting: PhraseWeighting | undefined): string {
  if (weighting === undefined) return 'weights: cross-validated';
  const weights = weighting.weights.map((weight) => weight.toFixed(2)).join(', ');
  return `weights: ${weights}; more than ${Math.round(100 * weighting.threshold)}% of the votes`;
}

async function phraseWeights(source: WeightSource, count: number, flags: VoteFlags) {
  if (source.kind === 'dev') {
    const learntFrom = await readGoldPhrases(source.devGold, source.dev, fileOptions(flags));
    return { weighting: await learnPhraseWeighting(learntFrom.ballots), learntFrom };
  }
  const weights = source.kind === 'given' ? source.weights : Array.from({ length: count }, () => 1);
  if (weights.every((weight) => weight === 0)) throw new UsageError('all weights are 0: nobody votes');
  return { weighting: { weights, threshold: STANDARD_THRESHOLD } };
}

function checkWeighting({ weighting, confidence, singleRoot }: VoteFlags): void {
  if (singleRoot !== undefined)
    throw new UsageError(
      '--single-root is for arcs: add --method to vote on the dependencies of the phrases',
    );
  if (confidence) throw new UsageError('--confidence is for arcs: phrases have no place for it');
  if (weighting === undefined || weighting === 'equal') return;
  throw new UsageError(`--weighting ${weighting} is for arcs: phrases are weighed by F1 with --dev-gold`);
}
