import type { InputKind, KeepName } from '../../../combine/names.ts';
import { InputError } from '../../../src/errors.ts';
import { type TreebankFormat, UnknownFormatError } from '../../../src/treebank/reading/format.ts';
import { note, plural, printJson, SkippedSentences, warn } from '../../terminal/output.ts';
import { type Progress, progress } from '../../terminal/progress.ts';

/** How many sentences that were not parsed as usual are described one by one. */
const DESCRIBED = 5;

/** Follows the work on a file: shows how far it is, and tells what the user should know of it. */
export class ParseReport {
  private readonly flags: Pick<ParseFlags, 'quiet' | 'json' | 'output'>;
  private readonly bar: Progress;
  private readonly title: string;
  private readonly skipped = new SkippedSentences();
  private notices = 0;

  constructor(title: string, flags: Pick<ParseFlags, 'quiet' | 'json' | 'output'>) {
    this.title = title;
    this.flags = flags;
    this.bar = progress('sentences', flags.quiet);
  }

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

  /** Does the work, which is given whom to tell of it; adds how long it took to its figures. */
  async follow<Figures>(
    work: (told: Pick<ParseReport, 'onProgress' | 'onSkip' | 'onNotice' | 'onWarning'>) => Promise<Figures>,
  ): Promise<Figures & { readonly seconds: number }> {
    const { onProgress, onSkip, onNotice, onWarning } = this;
    const started = performance.now();
    const figures = await work({ onProgress, onSkip, onNotice, onWarning }).finally(() => this.bar.clear());
    const seconds = (performance.now() - started) / 1000;
    this.skipped.summarize();
    if (!this.flags.quiet && this.notices > DESCRIBED) {
      note(`… and so on: ${plural(this.notices, 'sentence')} not parsed as usual`);
    }
    return { ...figures, seconds };
  }

  /** The figures as JSON, out of the way of the output, or else in words unless none are wanted. */
  tell(figures: object, inWords: () => void): void {
    const { json, quiet, output } = this.flags;
    if (json) printJson(figures, output === '-' ? process.stderr : process.stdout);
    else if (!quiet) inWords();
  }
}

/** The options of `parse`, whichever model it is for. */
export interface ParseFlags {
  readonly model: string;
  readonly output: string;
  readonly jobs: number;
  readonly input?: InputKind;
  readonly keep?: readonly KeepName[];
  readonly format?: TreebankFormat;
  readonly to?: TreebankFormat;
  readonly encoding: string;
  readonly confidence?: boolean;
  readonly skipInvalid?: boolean;
  readonly allowMissing?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** What to do with text where a model reads sentences. */
export const PIPELINE_ADVICE =
  'for text, put models together with parliament pipeline, or train them all with parliament train pipeline';

/** Says of an input that is in no format of sentences how it can be parsed if it is text. */
export async function adviseOnText<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UnknownFormatError)) throw error;
    throw new InputError(`${error.problem}; ${PIPELINE_ADVICE}`, error.place);
  }
}
