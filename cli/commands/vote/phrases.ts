import {
  type PhraseWeighting,
  STANDARD_THRESHOLD,
} from '../../../combine/vote/constituents/constituent-vote.ts';
import { learnPhraseWeighting } from '../../../combine/vote/constituents/learn-phrase-weighting.ts';
import {
  type KnownPhrases,
  openBracketed,
  type PhraseVoteFigures,
  readKnownPhrases,
  votePhraseFiles,
  votePhrasesCrossValidated,
} from '../../../combine/vote/constituents/vote-phrase-files.ts';
import { UsageError } from '../../../src/errors.ts';
import { TextFile } from '../../../src/files/text-file.ts';
import type { TreebankFile } from '../../../src/treebank/reading/treebank-file.ts';
import { duration, note, plural, printJson } from '../../terminal/output.ts';
import { progress } from '../../terminal/progress.ts';
import { fileOptions, type VoteFlags } from './options.ts';
import { checkDevCount } from './weights.ts';

/**
 * The files where all of them are bracketed, so that phrases are voted on; undefined where arcs are, as is asked for
 * by naming a method, or what is of arcs alone.
 */
export async function bracketedFiles(
  files: readonly string[],
  flags: VoteFlags,
): Promise<TreebankFile[] | undefined> {
  if (flags.method !== undefined || flags.singleRoot !== undefined) return undefined;
  // What can be read only once is for whoever votes on it.
  const areRepeatable = files.every((file) => new TextFile(file).isRepeatable);
  if (!areRepeatable && flags.from !== 'brackets') return undefined;
  return openBracketed(files, fileOptions(flags));
}

/** Votes on phrases. */
export async function voteOverPhrases(files: readonly TreebankFile[], flags: VoteFlags): Promise<void> {
  const started = performance.now();
  checkWeighting(flags);
  const { output = '-', encoding, crossValidate: folds } = flags;
  if (folds !== undefined) {
    const names = files.map(({ name }) => name);
    const known = await readKnownPhrases(flags.devGold!, names, fileOptions(flags));
    const figures = await votePhrasesCrossValidated(known, output, { folds, encoding });
    tell(figures, files.length, undefined, started, flags);
    return;
  }
  const { weighting, learntFrom } = await phraseWeighting(files.length, flags);
  const bar = progress('sentences', flags.quiet);
  const onProgress = (sentences: number) => bar.update('voting', sentences);
  const options = { weighting, learntFrom, encoding, onProgress };
  const figures = await votePhraseFiles(files, output, options).finally(() => bar.clear());
  tell(figures, files.length, weighting, started, flags);
}

function tell(
  figures: PhraseVoteFigures,
  parsers: number,
  weighting: PhraseWeighting | undefined,
  started: number,
  { output = '-', format, quiet }: VoteFlags,
): void {
  const seconds = (performance.now() - started) / 1000;
  if (format === 'json') {
    const record = { ...figures, parsers, method: 'constituents', ...weighting, seconds };
    printJson(record, output === '-' ? process.stderr : process.stdout);
  } else if (!quiet) {
    const votes = `${plural(parsers, 'parser')} voted on the phrases of ${plural(figures.sentences, 'sentence')}`;
    note(`${votes} in ${duration(seconds)} (${weightsText(weighting)})`);
  }
}

function weightsText(weighting: PhraseWeighting | undefined): string {
  if (weighting === undefined) return 'weights: cross-validated';
  const weights = weighting.weights.map((weight) => weight.toFixed(2)).join(', ');
  return `weights: ${weights}; at least ${Math.round(100 * weighting.threshold)}% of the votes`;
}

/** What weights of phrases are learnt from, where they are. */
interface ChosenPhraseWeights {
  readonly weighting: PhraseWeighting;
  readonly learntFrom?: KnownPhrases;
}

async function phraseWeighting(count: number, flags: VoteFlags): Promise<ChosenPhraseWeights> {
  const { weights, devGold, dev } = flags;
  if (weights !== undefined) return { weighting: givenWeights(weights, count, flags) };
  if (devGold === undefined) {
    if (dev !== undefined) {
      throw new UsageError('--dev is what the parsers give for the sentences of --dev-gold: which are they?');
    }
    const equal = Array.from({ length: count }, () => 1);
    return { weighting: { weights: equal, threshold: STANDARD_THRESHOLD } };
  }
  if (dev === undefined) throw new UsageError('--dev-gold needs --dev: what the parsers give there');
  checkDevCount(dev, count);
  const learntFrom = await readKnownPhrases(devGold, dev, fileOptions(flags));
  return { weighting: await learnPhraseWeighting(learntFrom.ballots), learntFrom };
}

function givenWeights(
  weights: readonly number[],
  count: number,
  { devGold, dev }: VoteFlags,
): PhraseWeighting {
  if ((devGold ?? dev) !== undefined) {
    throw new UsageError('--weights says what votes weigh: expected no --dev-gold, --dev');
  }
  if (weights.length !== count) {
    throw new UsageError(
      `${plural(weights.length, 'weight')} for ${plural(count, 'parser')}, expected one each`,
    );
  }
  if (weights.every((weight) => weight === 0)) throw new UsageError('all weights are 0: nobody votes');
  return { weights, threshold: STANDARD_THRESHOLD };
}

function checkWeighting({ weighting, confidence }: VoteFlags): void {
  if (confidence) throw new UsageError('--confidence is for arcs: phrases have no place for it');
  if (weighting === undefined || weighting === 'equal') return;
  throw new UsageError(`--weighting ${weighting} is for arcs: phrases are weighed by F1 with --dev-gold`);
}
