import {
  type PhraseWeighting,
  STANDARD_THRESHOLD,
} from '../../../combine/vote/constituents/constituent-vote.ts';
import { learnPhraseWeighting } from '../../../combine/vote/constituents/learn-phrase-weighting.ts';
import {
  type KnownPhrases,
  openBracketed,
  readKnownPhrases,
  votePhraseFiles,
} from '../../../combine/vote/constituents/vote-phrase-files.ts';
import { UsageError } from '../../../src/errors.ts';
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
  if (flags.method !== undefined || flags.singleRoot !== undefined || flags.crossValidate !== undefined) {
    return undefined;
  }
  // What can be read only once is for whoever votes on it.
  if (files.includes('-') && flags.from !== 'brackets') return undefined;
  return openBracketed(files, fileOptions(flags));
}

/** Votes on phrases. */
export async function voteOverPhrases(files: readonly TreebankFile[], flags: VoteFlags): Promise<void> {
  const started = performance.now();
  const { weighting, learntFrom } = await phraseWeighting(files.length, flags);
  const { output = '-', encoding, quiet } = flags;
  const bar = progress('sentences', quiet);
  const onProgress = (sentences: number) => bar.update('voting', sentences);
  const figures = await votePhraseFiles(files, output, {
    weighting,
    learntFrom,
    encoding,
    onProgress,
  }).finally(() => bar.clear());
  const seconds = (performance.now() - started) / 1000;
  if (flags.format === 'json') {
    const stream = output === '-' ? process.stderr : process.stdout;
    printJson({ ...figures, parsers: files.length, method: 'constituents', ...weighting, seconds }, stream);
  } else if (!quiet) {
    const weights = weighting.weights.map((weight) => weight.toFixed(2)).join(', ');
    note(
      `${plural(files.length, 'parser')} voted on the phrases of ${plural(figures.sentences, 'sentence')} in ${duration(seconds)} (weights: ${weights}; at least ${Math.round(100 * weighting.threshold)}% of the votes)`,
    );
  }
}

interface ChosenPhraseWeights {
  readonly weighting: PhraseWeighting;
  readonly learntFrom?: KnownPhrases;
}

async function phraseWeighting(count: number, flags: VoteFlags): Promise<ChosenPhraseWeights> {
  const { weights, weighting, devGold, dev } = flags;
  if (weighting !== undefined && weighting !== 'equal') {
    throw new UsageError(`--weighting ${weighting} is for arcs: phrases are weighed by F1 with --dev-gold`);
  }
  if (weights !== undefined) {
    if ((devGold ?? dev) !== undefined) {
      throw new UsageError('--weights says what votes weigh: expected no --dev-gold, --dev');
    }
    if (weights.length !== count) {
      throw new UsageError(
        `${plural(weights.length, 'weight')} for ${plural(count, 'parser')}, expected one each`,
      );
    }
    if (weights.every((weight) => weight === 0)) throw new UsageError('all weights are 0: nobody votes');
    return { weighting: { weights, threshold: STANDARD_THRESHOLD } };
  }
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
