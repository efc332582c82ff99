import type { ParseFileOptions } from '../parsers/run/parse-file.ts';
import { checkFields } from '../src/checks.ts';
import { InputError, OptionError, UsageError } from '../src/errors.ts';
import { AtomicFile } from '../src/files/atomic-file.ts';
import { Turns } from '../src/threads/scheduling.ts';
import { kindsIn, miscWithConfidences, withoutConfidences } from '../src/treebank/columns/confidence.ts';
import { type AnnotatedFormat, formatSentence, isAnnotatedFormat } from '../src/treebank/columns/write.ts';
import { type TreebankFormat, writtenEncoding } from '../src/treebank/reading/format.ts';
import { SkippedMarks } from '../src/treebank/reading/skipped-marks.ts';
import { openTreebank, readBatch } from '../src/treebank/reading/treebank-file.ts';
import type { ColumnAnnotator } from './annotator.ts';
import { confidencesOfColumns } from './registry.ts';

/** Options as in `parseFile`. Default output format: the input's if it has these columns, else CoNLL-U. */
export type FillFileOptions = Pick<ParseFileOptions, (typeof fillFileFields)[number]>;
const fillFileFields = [
  'format',
  'to',
  'encoding',
  'skipInvalid',
  'confidence',
  'onSkip',
  'onProgress',
] as const;

export interface FillFigures {
  readonly sentences: number;
  readonly words: number;
  /** Malformed sentences left out. */
  readonly skipped: number;
}

/**
 * Fills columns of a file of sentences (`-`: standard input), leaving all else unchanged, in bounded memory. The output
 * appears as a whole at the end, or not at all. Throws `InputError`; `UsageError` for a format without such columns.
 */
export async function fillFile(
  annotator: ColumnAnnotator,
  input: string,
  output: string,
  options: FillFileOptions = {},
): Promise<FillFigures> {
  checkFields('fillFile', options, fillFileFields);
  if (typeof annotator?.annotate !== 'function')
    throw new UsageError('fillFile takes a tagger or lemmatizer');
  const { format, to, encoding, skipInvalid = false, confidence, onSkip, onProgress } = options;
  const figures = { sentences: 0, words: 0, skipped: 0 };
  const treebank = await openTreebank(input, { format, encoding, expect: 'tokens', digest: false });
  const written = annotatedFormat(treebank.format, to);
  const skip = (error: InputError) => {
    figures.skipped++;
    onSkip?.(error);
  };
  const marks = new SkippedMarks();
  const reading = { format: treebank.format, expect: 'tokens', skipInvalid, onSkip: skip } as const;
  const fill = async (file: AtomicFile) => {
    const turns = new Turns(undefined);
    for await (const batch of treebank.batches()) {
      let text = '';
      for (const sentence of readBatch(batch, reading, marks)) {
        const columns = annotator.annotate(sentence);
        const filled = { ...sentence, ...columns };
        const misc = confidence
          ? miscWithConfidences(sentence, confidencesOfColumns(annotator, sentence), written)
          : withoutConfidences(sentence.misc, kindsIn(columns));
        text += formatSentence(filled, written, { ...filled, misc });
        figures.words += sentence.length;
        figures.sentences++;
      }
      await file.write(text);
      onProgress?.(figures.sentences);
      if (turns.isDue) await turns.give();
    }
    if (figures.sentences === 0)
      throw new InputError(`no valid sentences, ${figures.skipped} malformed`, { file: input });
    return figures;
  };
  return AtomicFile.writeWhole(output, fill, {
    encoding: writtenEncoding(treebank.format, written, encoding),
    inputs: [input],
  });
}

/** The output format; default: the input's, or CoNLL-U if the input's lacks columns that annotators fill. */
export function annotatedFormat(input: TreebankFormat, asked: TreebankFormat | undefined): AnnotatedFormat {
  if (asked === undefined) return isAnnotatedFormat(input) ? input : 'conllu';
  if (isAnnotatedFormat(asked)) return asked;
  throw new OptionError(
    (option) =>
      `${option('to', asked)}: that format has no columns for lemmas, tags and features, expected conllu, conllx or json`,
  );
}
