import type { InputKind, KeepName } from '../../../combine/names.ts';
import { InputError } from '../../../src/errors.ts';
import type { DocumentFormat } from '../../../src/treebank/json/documents.ts';
import { type TreebankFormat, UnknownFormatError } from '../../../src/treebank/reading/format.ts';
import type { CommonFlags } from '../../options/common.ts';
import { duration, note, plural, printJson, SkippedSentences, warn } from '../../terminal/output.ts';
import { hidesProgress, type Progress, progress } from '../../terminal/progress.ts';

/** Notices about sentences that are printed one by one; the rest are counted. */
const DESCRIBED = 5;
/** Seconds of loading that are worth reporting. */
const SHOWN_LOADING = 0.05;

type ParseCallbacks = Pick<ParseReport, 'onLoaded' | 'onProgress' | 'onSkip' | 'onNotice' | 'onWarning'>;

/** What `parliament parse` prints: progress, notices and warnings, and figures at the end. */
export class ParseReport {
  private readonly bar: Progress;
  private readonly skipped = new SkippedSentences();
  private notices = 0;
  private loaded: number | undefined;

  constructor(
    private readonly title: string,
    private readonly flags: Pick<ParseFlags, 'quiet' | 'json' | 'output' | 'draw'>,
  ) {
    this.bar = progress('sentences', hidesProgress(flags.quiet, flags.output));
  }

  readonly onLoaded = (): void => {
    this.loaded = performance.now();
  };

  readonly onProgress = (sentences: number): void => this.bar.update(this.title, sentences);

  readonly onSkip = (error: InputError): void => {
    this.bar.clear();
    this.skipped.add(error);
  };

  readonly onNotice = (notice: string): void => {
    this.notices++;
    if (this.flags.quiet || this.notices > DESCRIBED) return;
    this.bar.clear();
    note(notice);
  };

  readonly onWarning = (warning: string): void => {
    this.bar.clear();
    warn(warning);
  };

  /** Runs the work with this report's callbacks, and adds its duration to its figures. */
  async follow<Figures>(work: (callbacks: ParseCallbacks) => Promise<Figures>): Promise<Figures & Timing> {
    const { onLoaded, onProgress, onSkip, onNotice, onWarning } = this;
    const started = performance.now();
    const figures = await work({ onLoaded, onProgress, onSkip, onNotice, onWarning }).finally(() =>
      this.bar.clear(),
    );
    const seconds = (performance.now() - started) / 1000;
    this.skipped.summarize();
    if (!this.flags.quiet && this.notices > DESCRIBED)
      note(`… and more: ${plural(this.notices, 'sentence')} with notices`);
    const loadingSeconds = ((this.loaded ?? started) - started) / 1000;
    return { ...figures, seconds, loadingSeconds };
  }

  /** Prints figures as JSON with `--json`, else by `printText` unless `--quiet`. */
  print(figures: object, printText: () => void): void {
    const { json, quiet, output, draw } = this.flags;
    if (json) printJson(figures, draw || output === '-' ? process.stderr : process.stdout);
    else if (!quiet) printText();
  }
}

export interface Timing {
  readonly seconds: number;
  /** The part of `seconds` spent on loading the model. */
  readonly loadingSeconds: number;
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
