import type { InputKind, KeepName } from '../../../combine/names.ts';
import type { ParseFileOptions } from '../../../parsers/run/parse-file.ts';
import { InputError } from '../../../src/errors.ts';
import type { DocumentFormat } from '../../../src/treebank/json/documents.ts';
import { type TreebankFormat, UnknownFormatError } from '../../../src/treebank/reading/format.ts';
import type { CommonFlags } from '../../options/common.ts';
import {
  clearProgress,
  duration,
  note,
  plural,
  printJson,
  SkippedSentences,
  warn,
} from '../../terminal/output.ts';
import { hidesProgress, progress } from '../../terminal/progress.ts';

/** Notices about sentences that are printed one by one; the rest are counted. */
const DESCRIBED = 5;
/** Seconds of loading that are worth reporting. */
const SHOWN_LOADING = 0.05;

type ParseCallbacks = Required<
  Pick<ParseFileOptions, 'onLoaded' | 'onProgress' | 'onSkip' | 'onNotice' | 'onWarning'>
>;

export interface Timing {
  readonly seconds: number;
  /** The part of `seconds` spent on loading the model. */
  readonly loadingSeconds: number;
}

/** Runs the work, shows what it reports to its callbacks, and adds its duration to its figures. */
export async function follow<Figures>(
  title: string,
  { quiet, output, naming = String }: Pick<ParseFlags, 'quiet' | 'output' | 'naming'>,
  work: (callbacks: ParseCallbacks) => Promise<Figures>,
): Promise<Figures & Timing> {
  const show = progress('sentences', hidesProgress(quiet, output));
  const skipped = new SkippedSentences();
  const started = performance.now();
  let loaded = started;
  let notices = 0;
  const figures = await work({
    onLoaded: () => {
      loaded = performance.now();
    },
    onProgress: (sentences) => show(title, sentences),
    onSkip: skipped.add,
    onNotice: (notice) => {
      notices++;
      if (!quiet && notices <= DESCRIBED) note(naming(notice));
    },
    onWarning: (warning) => warn(naming(warning)),
  }).finally(clearProgress);
  const seconds = (performance.now() - started) / 1000;
  skipped.summarize();
  if (!quiet && notices > DESCRIBED) note(`… and more: ${plural(notices, 'sentence')} with notices`);
  return { ...figures, seconds, loadingSeconds: (loaded - started) / 1000 };
}

/** Prints figures as JSON with `--json`, else by `printText` unless `--quiet`. */
export function printFigures(
  figures: object,
  { json, quiet, output, draw }: ParseFlags,
  printText: () => void,
): void {
  if (json) printJson(figures, draw ? '-' : output);
  else if (!quiet) printText();
}

/** `in 0.7 s (1,200 words/s, after 0.5 s of loading)`. */
export function timingText({ seconds, loadingSeconds }: Timing, rate: string): string {
  const loading = loadingSeconds < SHOWN_LOADING ? '' : `, after ${duration(loadingSeconds)} of loading`;
  return `in ${duration(seconds)} (${rate}${loading})`;
}

export interface ParseFlags extends CommonFlags {
  readonly draw?: boolean;
  readonly model: string;
  readonly output: string;
  readonly jobs: number;
  readonly input?: InputKind;
  readonly keep?: readonly KeepName[];
  readonly lexicon?: string;
  readonly to?: TreebankFormat;
  readonly confidence?: boolean;
  readonly nBest?: number;
  readonly offsets?: boolean;
  /** Names the user's input in a message, if a temporary file is read in its place. */
  naming?(message: string): string;
}

/** The flags as typed: formats include spaCy's and Stanza's documents. */
export interface GivenFlags extends Omit<ParseFlags, 'format' | 'to'> {
  readonly format?: TreebankFormat | DocumentFormat;
  readonly to?: TreebankFormat | DocumentFormat;
}

export const PIPELINE_ADVICE =
  'for text, put models together with parliament pipeline, or train them all with parliament train pipeline';

/** Adds advice on parsing plain text to an `UnknownFormatError`. */
export async function adviseOnText<Result>(
  work: Promise<Result>,
  advice: string = PIPELINE_ADVICE,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UnknownFormatError)) throw error;
    throw new InputError(`${error.problem}; ${advice}`, error.place);
  }
}
