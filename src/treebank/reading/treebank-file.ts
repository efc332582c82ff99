import { checkFields } from '../../checks.ts';
import { InputError, UsageError } from '../../errors.ts';
import { TextFile, TextStart } from '../../files/text-file.ts';
import { readPlus } from '../columns/plus.ts';
import { readColumns } from '../columns/read.ts';
import { readJsonLines, validSentences } from '../json/read-json.ts';
import { isMalformed, readTrees, type TreeOrError } from '../phrases/brackets.ts';
import { dependenciesOfPhrases } from '../phrases/dependencies.ts';
import type { BracketedSentence, PhraseTree } from '../phrases/phrase-tree.ts';
import type { Sentence, TextBatch, Treebank } from '../sentence.ts';
import { isBlank, isComment, lineAfter, textBatches } from './batches.ts';
import type { Expectation, ReadingOptions, TreebankFormat } from './format.ts';
import { checkReading, detectFormat } from './format.ts';
import { hasComments, SkippedMarks } from './skipped-marks.ts';

export interface TreebankOptions extends Omit<ReadingOptions, 'format' | 'expect'> {
  /** Default: recognised from the first lines. */
  readonly format?: TreebankFormat | undefined;
  /** Requirements on heads; default: `trees`. */
  readonly expect?: Expectation | undefined;
  /** The file's character encoding; default: UTF-8. */
  readonly encoding?: string | undefined;
  /** Whether to compute the file's digest. */
  readonly digest?: boolean | undefined;
}

/**
 * Opens a treebank: a file, gzipped or not, or standard input (`-`). The format, unless given, is recognised from the first lines.
 * @throws InputError if the file cannot be read, has no sentences, or its format is not recognised
 * @throws UsageError for an unknown option, encoding, format or expectation
 */
export const openTreebank = (path: string, options: TreebankOptions = {}): Promise<TreebankFile> =>
  TreebankFile.open(path, options);

/** A treebank in a file, read with one batch in memory at a time; standard input can be read only once. */
export class TreebankFile implements Treebank {
  readonly name: string;
  readonly format: TreebankFormat;
  readonly encoding: string;
  /** Number of sentences skipped in the most recent pass. */
  skipped = 0;

  private constructor(
    private readonly file: TextFile,
    private readonly text: TreebankText,
    /** The options for `readBatch`; without `onSkip` they can be sent to a worker. */
    readonly reading: ReadingOptions,
  ) {
    this.name = text.name;
    this.format = text.format;
    this.encoding = file.encoding;
  }

  static async open(path: string, options: TreebankOptions): Promise<TreebankFile> {
    checkReading('openTreebank', options, ['encoding', 'digest']);
    const { encoding, digest, format, expect = 'trees' } = options;
    const file = new TextFile(path, encoding, digest);
    const text = await openTreebankText(new TextStart(file), format);
    return new TreebankFile(file, text, { ...options, expect, format: text.format });
  }

  get digest(): string | undefined {
    return this.file.digest;
  }

  get isReadOnce(): boolean {
    return !this.file.isRepeatable;
  }

  /** Reads batches of complete sentences, about `size` characters each; throws `InputError` without sentences. */
  batches(size?: number): AsyncGenerator<TextBatch> {
    return this.text.batches(size);
  }

  /** Throws `InputError` at the first invalid sentence unless skipped, and if no valid sentence is left. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Sentence> {
    let count = 0;
    this.skipped = 0;
    const onSkip = (error: InputError): void => {
      this.skipped++;
      this.reading.onSkip?.(error);
    };
    const reading = { ...this.reading, onSkip };
    const marks = new SkippedMarks();
    for await (const batch of this.batches()) {
      for (const sentence of readBatch(batch, reading, marks)) {
        count++;
        yield sentence;
      }
    }
    if (count === 0)
      throw new InputError(`no valid sentences, ${this.skipped} malformed`, { file: this.name });
  }
}

/** Number of characters from which the format is recognised, if they include a complete token line. */
const HEAD = 1 << 15;

type TreebankText = Pick<TreebankFile, 'name' | 'format' | 'batches'>;

/** Opens a text whose format, unless given, is recognised; throws `InputError` if it is not, or without sentences. */
export async function openTreebankText(start: TextStart, given?: TreebankFormat): Promise<TreebankText> {
  await start.read(HEAD, hasWholeTokenLine);
  const name = start.file.path;
  const hasReturns = /\r/.test(start.head) && !start.head.includes('\n');
  const problem = hasReturns ? 'no sentences: lines end with CR, expected LF or CRLF' : 'no sentences';
  const noSentences = new InputError(problem, { file: name, line: hasReturns ? 1 : undefined });
  if (/^\s*$/.test(start.head)) throw noSentences;
  const format = given ?? detectFormat(start.head, name);
  async function* batches(size?: number): AsyncGenerator<TextBatch> {
    let isEmpty = true;
    for await (const batch of textBatches(start.chunks(), name, format, size)) {
      isEmpty = false;
      yield batch;
    }
    if (isEmpty) throw noSentences;
  }
  return { name, format, batches };
}

function hasWholeTokenLine(text: string): boolean {
  let next: number;
  for (let start = 0; start < text.length; start = next) {
    next = lineAfter(text, start);
    if (!isBlank(text, start) && !isComment(text, start)) return text[next - 1] === '\n';
  }
  return false;
}

/** A tree of a file, or a malformed piece in its place. */
export interface TreeOfFile extends BracketedSentence {
  /** The error in a malformed tree; `tree` then has no words. */
  readonly malformed?: InputError | undefined;
}

export interface PhraseTreebank extends AsyncIterable<TreeOfFile> {
  readonly name: string;
}

const NO_TREE: PhraseTree = { label: '', children: [] };

/**
 * Reads the trees of a bracketed file, with empty elements and function tags.
 *
 * @param options.keepMalformed reads a malformed tree, such as some parsers' `(())` for a failure, as one
 *   without words, so that later trees keep their numbers
 * @throws InputError if the file is not bracketed; while reading, at the first malformed tree
 */
export function phraseTrees(
  file: TreebankFile,
  options: { readonly keepMalformed?: boolean | undefined } = {},
): PhraseTreebank {
  checkFields('phraseTrees', options, ['keepMalformed']);
  if (file.format !== 'brackets')
    throw new InputError(`dependencies (${file.format}), expected bracketed trees`, { file: file.name });
  return {
    name: file.name,
    async *[Symbol.asyncIterator]() {
      for await (const batch of file.batches()) {
        for (const found of readTrees(batch)) {
          if (!isMalformed(found)) yield found;
          else if (options.keepMalformed)
            yield { tree: NO_TREE, source: found.source, malformed: found.error };
          else throw found.error;
        }
      }
    },
  };
}

/**
 * Reads the sentences of a batch in any format. Throws `InputError` for an invalid one unless `skipInvalid`.
 * @param marks the marks of sentences skipped in earlier batches, to be carried over to later ones
 */
export function readBatch(
  batch: TextBatch,
  options: ReadingOptions,
  marks = new SkippedMarks(),
): IterableIterator<Sentence> {
  const { format, skipInvalid } = options;
  if (batch.sentences !== undefined) return batch.sentences.values();
  const sentences = sentencesOf(batch, options);
  return skipInvalid && hasComments(format) ? marks.carried(sentences, batch, format) : sentences;
}

function sentencesOf(batch: TextBatch, options: ReadingOptions): IterableIterator<Sentence> {
  const { format } = options;
  if (format === 'brackets')
    return validSentences(readTrees(batch), (tree) => dependenciesOf(tree, options), options);
  if (format === 'conllup') return readPlus(batch, options);
  return format === 'json' ? readJsonLines(batch, options) : readColumns(batch, format, options);
}

/** Reads the sentences of texts in CoNLL-U, one text after another. */
export function* sentencesIn(texts: Iterable<string>, file: string): Generator<Sentence, undefined> {
  for (const text of texts) yield* readBatch({ file, line: 1, text }, { format: 'conllu', expect: 'tokens' });
  return undefined;
}

function dependenciesOf(found: TreeOrError, { traces }: ReadingOptions): Sentence {
  if (isMalformed(found)) throw found.error;
  const { tree, source } = found;
  const sentence = dependenciesOfPhrases(tree, { traces, place: source });
  const lines = new Int32Array(sentence.length + 1).fill(source.line);
  return { ...sentence, phrases: tree, source: { ...source, format: 'brackets', lines } };
}

export interface ReadSentencesOptions extends Omit<ReadingOptions, 'format' | 'expect'> {
  /** Default: recognised from the first lines. */
  readonly format?: ReadingOptions['format'] | undefined;
  /** Requirements on heads; default: `tokens`. */
  readonly expect?: ReadingOptions['expect'] | undefined;
  /** The name of the text in messages; default: `text`. */
  readonly name?: string | undefined;
}

/**
 * Reads a treebank's text. Heads may be missing (`_`) unless `expect` is `trees` or `heads`.
 * @throws InputError without sentences, for an unrecognised format, or (unless skipped) a malformed sentence
 * @throws UsageError if the text is not a string, and for an unknown option, format or expectation
 */
export function readSentences(text: string, options: ReadSentencesOptions = {}): Sentence[] {
  const { name: file = 'text', expect = 'tokens', format, ...reading } = options;
  checkReading('readSentences', options, ['name']);
  if (typeof text !== 'string') throw new UsageError(`${typeof text}: expected text`);
  if (text.trim() === '') throw new InputError('no sentences', { file });
  const found = format ?? detectFormat(text, file);
  const sentences = [...readBatch({ file, line: 1, text }, { ...reading, expect, format: found })];
  if (sentences.length === 0) throw new InputError('no valid sentences', { file });
  return sentences;
}
