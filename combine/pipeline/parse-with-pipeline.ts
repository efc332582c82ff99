import type { TextLayout, Tokenizer } from '../../annotators/annotator.ts';
import { annotatedFormat } from '../../annotators/fill-file.ts';
import { withRanges } from '../../annotators/token-ranges.ts';
import { SentenceBatches, tokenizeText } from '../../annotators/tokenize-file.ts';
import type { ParseFigures, ParseFileOptions, SentenceSource } from '../../parsers/run/parse-file.ts';
import { parseFileFields, parseSource } from '../../parsers/run/parse-file.ts';
import { checkFields } from '../../src/checks.ts';
import { InputError, OptionError, type OptionStyle, placeText } from '../../src/errors.ts';
import { withoutMark } from '../../src/files/decoding.ts';
import { TextFile, TextStart } from '../../src/files/text-file.ts';
import { readModelFile } from '../../src/model/model-file.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import { hasMisc } from '../../src/treebank/columns/confidence.ts';
import { DEFAULT_BATCH, isBlank, isComment, lineAfter } from '../../src/treebank/reading/batches.ts';
import { openTreebankText } from '../../src/treebank/reading/treebank-file.ts';
import type { TextBatch } from '../../src/treebank/sentence.ts';
import type { InputKind, KeepName } from '../names.ts';
import { openPipeline, threadedPipeline } from './saved-pipeline.ts';

export interface PipelineFileOptions extends ParseFileOptions, InputOptions {}

/**
 * Parses a file (`-` is standard input) with a pipeline, in order and in bounded memory. The input is text, or
 * sentences, in which the pipeline changes only the columns that it fills. The output appears as a whole at the end, or
 * not at all, and does not depend on `jobs`.
 *
 * @param pipeline the model or its file
 * @throws InputError if the model, the text or a sentence is not usable
 * @throws UsageError for text without a tokenizer, and for options that contradict each other or the input
 */
export async function parseWithPipeline(
  pipeline: string | ModelReader,
  input: string,
  output: string,
  options: PipelineFileOptions = {},
): Promise<ParseFigures> {
  checkFields('parseWithPipeline', options, ['input', 'keep', 'offsets', ...parseFileFields]);
  const model = typeof pipeline === 'string' ? readModelFile(pipeline) : pipeline;
  const opened = await openPipeline(model);
  const text = new TextStart(new TextFile(input, options.encoding, false));
  const source = await sentencesOf(text, opened.tokenizer, options);
  const to = options.to === 'brackets' ? options.to : annotatedFormat(source.format, options.to);
  if (options.offsets && !hasMisc(to))
    throw new OptionError(
      (option) =>
        `${option('offsets')} writes into MISC, which ${to} does not have: add ${option('to', 'conllu')}`,
    );
  return parseSource(threadedPipeline(opened, model, options.keep), source, output, { ...options, to });
}

export interface InputOptions extends Pick<ParseFileOptions, 'format' | 'skipInvalid' | 'confidence'> {
  /** Kind of the input; default: guessed from its first line, or sentences if there is no tokenizer. */
  readonly input?: InputKind | undefined;
  /** Annotation of the input to keep; the rest is predicted anew. */
  readonly keep?: readonly KeepName[] | undefined;
  /** Writes the character offsets of each token in the text into MISC. */
  readonly offsets?: boolean | undefined;
}

/** The sentences of an input: a treebank, or a text that the tokenizer splits. */
export async function sentencesOf(
  start: TextStart,
  tokenizer: Tokenizer | undefined,
  options: InputOptions,
): Promise<SentenceSource> {
  const { input, format, offsets, confidence } = options;
  const isKnown = tokenizer === undefined || format !== undefined;
  const kind = input ?? (isKnown ? 'conllu' : await kindOf(start));
  if (kind === 'conllu' && offsets) {
    const isGuessed = input === undefined && !isKnown;
    const place = placeText({ file: start.file.path });
    throw new OptionError((option) =>
      isGuessed
        ? `${place}its first line looks like tokenized sentences, which have no offsets: for text add ${option('input', 'text')}`
        : `${option('offsets')}: tokenized sentences have no offsets in a text`,
    );
  }
  if (kind === 'conllu') return openTreebankText(start, format);
  if (tokenizer === undefined)
    throw new OptionError((option) => `${option('input', kind)}: the pipeline has no tokenizer`);
  checkTextOptions(kind, options);
  return tokenizedText(start, offsets ? withRanges(tokenizer) : tokenizer, kind, confidence);
}

function checkTextOptions(kind: TextLayout, { format, skipInvalid, keep = [] }: InputOptions): void {
  const refuse = (say: (option: OptionStyle) => string) => {
    throw new OptionError(say);
  };
  if (format !== undefined)
    refuse((option) => `${option('format', format)}: not with ${option('input', kind)}`);
  if (skipInvalid) refuse((option) => `${option('skipInvalid')}: text has no malformed sentences`);
  if (keep.length > 0) refuse((option) => `${option('keep', keep)}: text has no annotation to keep`);
}

/** Characters read to guess the kind of an input, and characters of its first line that the guess is based on. */
const HEAD = 1 << 12;
const LINE = 32;

/** The beginning of a treebank: a token number and a tab, a JSON object, or a bracketed tree. */
const TREEBANK = /^\ufeff?(\d+([-.]\d+)?\t|\{"|\((TOP|ROOT|S1)? ?\()/;

/** A treebank if the first line that is neither blank nor a comment looks like one. */
async function kindOf(start: TextStart): Promise<InputKind> {
  await start.read(HEAD, (head) => firstLine(head) + LINE <= head.length);
  const at = firstLine(start.head);
  return TREEBANK.test(start.head.slice(at, at + LINE)) ? 'conllu' : 'text';
}

/** Offset of the first line that is neither blank nor a comment; the length of the text if there is none. */
function firstLine(text: string): number {
  let at = 0;
  while (at < text.length && (isBlank(text, at) || isComment(text, at))) at = lineAfter(text, at);
  return at;
}

/** The sentences that a tokenizer finds in a text, in memory and as CoNLL-U. */
function tokenizedText(
  text: TextStart,
  tokenizer: Tokenizer,
  layout: TextLayout,
  confidence?: boolean,
): SentenceSource {
  const name = text.file.path;
  const found = () => batches(text, tokenizer, layout, confidence);
  return { name, format: 'conllu', isText: true, batches: found };
}

async function* batches(
  start: TextStart,
  tokenizer: Tokenizer,
  layout: TextLayout,
  confidence: boolean | undefined,
): AsyncGenerator<TextBatch> {
  const name = start.file.path;
  // Line numbers refer to the sentences as CoNLL-U, not to the text.
  const file = `${name}, tokenized`;
  const batches = new SentenceBatches(file, DEFAULT_BATCH);
  const text = withoutMark(start.chunks());
  for await (const sentences of tokenizeText(text, tokenizer, layout, file, { confidence }))
    yield* batches.add(sentences);
  yield* batches.end();
  if (batches.count === 0) throw new InputError('no text, but white space', { file: name });
}
