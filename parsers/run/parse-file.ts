import { checkFields, checkJobs, checkName, checkWhole, MOST_TREES } from '../../src/checks.ts';
import { InputError, placeText } from '../../src/errors.ts';
import { AtomicFile } from '../../src/files/atomic-file.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import { yieldToEvents } from '../../src/threads/scheduling.ts';
import { TREEBANK_FORMATS, type TreebankFormat, writtenEncoding } from '../../src/treebank/reading/format.ts';
import { SkippedMarks } from '../../src/treebank/reading/skipped-marks.ts';
import { openTreebank, readBatch, type TreebankFile } from '../../src/treebank/reading/treebank-file.ts';
import type { Sentence, TextBatch } from '../../src/treebank/sentence.ts';
import type { ParsedBatch } from './batch-parser.ts';
import { type MissingColumnOptions, type ParseCallbacks, UnseenValues } from './column-check.ts';
import { modelParser, parseBatches, type ThreadedParser } from './parse-batches.ts';

export interface ParseFileOptions extends MissingColumnOptions, ParseCallbacks {
  /** Maximum number of threads; default: 1. The output does not depend on it. */
  readonly jobs?: number | undefined;
  readonly format?: TreebankFormat | undefined;
  /** Output format; the input's by default. */
  readonly to?: TreebankFormat | undefined;
  /** Encoding of the input, and of the output, unless text or another format is converted to CoNLL-U or JSON (UTF-8). */
  readonly encoding?: string | undefined;
  /** Skip malformed sentences instead of stopping at the first. */
  readonly skipInvalid?: boolean | undefined;
  /** Write confidences into MISC: `Confidence=0.987` for the arc, and one for each annotator's prediction. */
  readonly confidence?: boolean | undefined;
  /** Number of best trees to write per sentence, at most 100: the parser's own, then the others by probability. */
  readonly nBest?: number | undefined;
  readonly onSkip?: ((error: InputError) => void) | undefined;
  /** Name of the program and model, for a comment at the beginning of CoNLL-U, in place of that of another model. */
  readonly generator?: string | undefined;
  /** Checks every sentence before parsing; an error stops the work, and nothing is written. */
  readonly check?: SentenceCheck | undefined;
  /** Stops the work after the current sentences; nothing is written, and the signal's reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Called once the parser is loaded. */
  readonly onLoaded?: (() => void) | undefined;
  /** Receives the number of sentences parsed, from time to time. */
  readonly onProgress?: ((sentences: number) => void) | undefined;
}

/** The fields of `ParseFileOptions`, to refuse misspelt ones. */
export const parseFileFields = [
  'jobs',
  'format',
  'to',
  'encoding',
  'skipInvalid',
  'allowMissing',
  'confidence',
  'nBest',
  'generator',
  'check',
  'signal',
  'onSkip',
  'onNotice',
  'onWarning',
  'onLoaded',
  'onProgress',
] as const satisfies readonly (keyof ParseFileOptions)[];

export interface SentenceCheck {
  add(sentence: Sentence): void;
  finish(): void;
}

export interface ParseFigures {
  readonly sentences: number;
  readonly tokens: number;
  /** In an ensemble: tokens with a tied vote. */
  readonly ties?: number | undefined;
  readonly skipped: number;
  /** Sentences written without a tree, as a step failed on them. */
  readonly failed: number;
  /** Sentences not parsed as usual. */
  readonly notices: number;
}

/**
 * Parses a file (`-` is standard input) in order and in bounded memory, and writes it with the heads and
 * labels found, everything else unchanged, or in another format. The output appears whole at the end, or not
 * at all.
 * @param parser a model's file, the model, or an ensemble of models (`ensembleOf`)
 * @throws InputError if the model or a sentence is unusable, with its file and line
 * @throws OptionError if columns that the model was trained on are missing, unless that is allowed, or
 * brackets are wanted from a parser without phrases
 * @throws UsageError if the output is the input or a model, and for unknown formats and numbers of threads
 */
export async function parseFile(
  parser: string | ModelReader | ThreadedParser,
  input: string,
  output: string,
  options: ParseFileOptions = {},
): Promise<ParseFigures> {
  checkFields('parseFile', options, parseFileFields);
  const { format, encoding } = options;
  const treebank = await openTreebank(input, { format, encoding, expect: 'tokens', digest: false });
  const threaded = typeof parser === 'object' && 'worker' in parser ? parser : modelParser(parser);
  return parseSource(threaded, treebank, output, options);
}

/** Sentences to parse: a file, or what a tokenizer makes of a text. */
export interface SentenceSource extends Pick<TreebankFile, 'name' | 'format' | 'batches'> {
  readonly isText?: boolean;
}

/** Parses the sentences of any source, as `parseFile` does. */
export async function parseSource(
  threaded: ThreadedParser,
  source: SentenceSource,
  output: string,
  options: Omit<ParseFileOptions, 'format'> = {},
): Promise<ParseFigures> {
  const { encoding, skipInvalid = false, jobs = 1, to, confidence, nBest } = options;
  const { allowMissing, onWarning, signal } = options;
  signal?.throwIfAborted();
  checkName('to', to, TREEBANK_FORMATS);
  checkJobs(jobs);
  checkWhole('nBest', nBest, 1, MOST_TREES);
  const load = async () => {
    const parser = await threaded.load();
    options.onLoaded?.();
    return parser;
  };
  const { format, isText } = source;
  const written = writtenEncoding(isText ? 'text' : format, to ?? format, encoding);
  const file = await AtomicFile.create(output, {
    encoding: written,
    inputs: [source.name, ...(threaded.files ?? [])],
  });
  try {
    if (isText && options.generator && (to ?? format) === 'conllu')
      await file.write(`# generator = ${options.generator}\n`);
    const parsing = { format, to, skipInvalid, confidence, nBest, isText };
    const settings = { ...parsing, jobs, allowMissing, onWarning, signal };
    const parsed = parseBatches({ ...threaded, load }, checked(source, options.check), settings);
    const named = (to ?? format) === 'conllu' ? options : { ...options, generator: undefined };
    const { unseen, firstFailed, ...figures } = await writeParsed(parsed, file, to ?? format, named);
    const { sentences, skipped, failed } = figures;
    if (sentences === 0)
      throw new InputError(`no valid sentences, ${skipped} malformed`, { file: source.name });
    if (failed === sentences) throw firstFailed;
    await file.commit();
    if (failed > 0) {
      const share = `${failed} of ${sentences} sentences`;
      onWarning?.(`${source.name}: ${share} passed on without a tree; the first: ${firstFailed?.message}`);
    }
    for (const warning of unseen.warnings(figures.tokens)) onWarning?.(`${source.name}: ${warning}`);
    return figures;
  } catch (error) {
    await file.discard();
    // Threads that a signal ends fail, too.
    signal?.throwIfAborted();
    throw error;
  }
}

async function* checked(source: SentenceSource, check: SentenceCheck | undefined): AsyncGenerator<TextBatch> {
  const { format } = source;
  for await (const batch of source.batches()) {
    if (check !== undefined) {
      for (const sentence of readBatch(batch, { format, expect: 'tokens', skipInvalid: true }))
        check.add(sentence);
    }
    yield batch;
  }
  check?.finish();
}

/** Replaces the comment in which another model of this program says that it made the first sentence. */
const withGenerator = (conllu: string, generator: string): string =>
  conllu.replace(
    /^((?:#[^\n]*\n)*?# generator = )Parliament [^\r\n]*/,
    (_, before: string) => before + generator,
  );

async function writeParsed(
  parsed: AsyncIterable<ParsedBatch>,
  file: AtomicFile,
  format: TreebankFormat,
  { generator, onSkip, onNotice, onProgress, signal }: ParseFileOptions,
): Promise<ParseFigures & { readonly unseen: UnseenValues; readonly firstFailed: Error | undefined }> {
  const figures = { sentences: 0, tokens: 0, skipped: 0, failed: 0, notices: 0 };
  let firstFailed: Error | undefined;
  let ties: number | undefined;
  const unseen = new UnseenValues();
  const marks = new SkippedMarks();
  for await (const batch of parsed) {
    const { text, sentences, tokens, skipped, failed, notices, fault } = batch;
    unseen.addAll(batch.unseen);
    for (const { problem, place } of skipped) onSkip?.(new InputError(problem, place));
    for (const notice of notices) onNotice?.(notice);
    if (fault !== undefined) throw new InputError(fault.problem, fault.place);
    firstFailed ??= failed.map(({ problem, place }) => new Error(placeText(place) + problem)).at(0);
    const isFirst = figures.sentences === 0;
    const own = generator !== undefined && isFirst ? withGenerator(text, generator) : text;
    await file.write(marks.carriedTo(own, format));
    marks.add(batch.marks);
    figures.sentences += sentences;
    figures.tokens += tokens;
    if (batch.ties !== undefined) ties = (ties ?? 0) + batch.ties;
    figures.skipped += skipped.length;
    figures.failed += failed.length;
    figures.notices += notices.length;
    onProgress?.(figures.sentences);
    await yieldToEvents(signal);
  }
  return { ...figures, ...(ties !== undefined && { ties }), unseen, firstFailed };
}
