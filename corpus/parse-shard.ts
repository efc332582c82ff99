import { gzipSync } from 'node:zlib';
import type { Tokenizer } from '../annotators/annotator.ts';
import type { FillFigures } from '../annotators/fill-file.ts';
import { isPipeline } from '../annotators/registry.ts';
import { SentenceBatches, tokenizeText } from '../annotators/tokenize-file.ts';
import type { KeepName } from '../combine/names.ts';
import { openPipelineCopy } from '../combine/pipeline/saved-pipeline.ts';
import { type ModelCopy, openCopy } from '../parsers/registry.ts';
import { parseBatch, type SentenceParser } from '../parsers/run/batch-parser.ts';
import { ColumnCheck } from '../parsers/run/column-check.ts';
import { textProblem } from '../src/checks.ts';
import { InputError, OptionError, UsageError } from '../src/errors.ts';
import { decodeText, invalidUtf8, notUtf8, withoutMark } from '../src/files/decoding.ts';
import { DEFAULT_ENCODING } from '../src/files/encoding.ts';
import { ModelReader } from '../src/model/model-reader.ts';
import { asBlock, documentIn } from '../src/treebank/columns/comments.ts';
import { DEFAULT_BATCH, textBatches } from '../src/treebank/reading/batches.ts';
import { SkippedMarks } from '../src/treebank/reading/skipped-marks.ts';
import { readBatch } from '../src/treebank/reading/treebank-file.ts';
import type { TextBatch } from '../src/treebank/sentence.ts';
import type { CorpusFormat } from './inputs.ts';
import type { ParsingOptions, Refusal, ShardPart } from './queue/protocol.ts';
import { documentName, newDocument, type Shard } from './shards.ts';

export interface ShardFigures extends FillFigures {
  /** Number of sentences for which the parser found no tree. */
  readonly withoutTree: number;
}

/** A parsed shard, or why it cannot be parsed, as data to send between threads. */
export type ParsedShard =
  | (ShardFigures & { readonly bytes: Uint8Array; readonly warnings: readonly string[] })
  | Refusal;

interface OpenedModel {
  readonly tokenizer: Tokenizer | undefined;
  readonly parser: SentenceParser;
}

/** Opens a parser or a pipeline in a thread, over weights that threads share. */
export async function openModel(copy: ModelCopy, keep: readonly KeepName[]): Promise<OpenedModel> {
  if (!isPipeline(ModelReader.fromBuffer(copy.buffer, copy.name)))
    return { tokenizer: undefined, parser: await openCopy(copy) };
  const pipeline = await openPipelineCopy(copy);
  return { tokenizer: pipeline.tokenizer, parser: pipeline.sentenceParser(keep) };
}

/** Parses a shard into the bytes of its output file, which depend on nothing but the arguments. */
export async function parseShard(
  model: OpenedModel,
  shard: Shard,
  options: ParsingOptions,
): Promise<ParsedShard> {
  try {
    return undecodable(shard) ?? (await parsed(model, shard, options));
  } catch (error) {
    const [{ file, byte }] = shard.parts;
    if (error instanceof InputError) return { problem: error.problem, ...placeOf(error, shard) };
    if (!(error instanceof UsageError)) throw error;
    const say = (name: string, value?: unknown) => (value === undefined ? `{${name}}` : `{${name} ${value}}`);
    const problem = error instanceof OptionError ? error.say(say) : error.message;
    return { problem, file, byte, isUsage: true };
  }
}

async function parsed({ parser, tokenizer }: OpenedModel, shard: Shard, options: ParsingOptions) {
  const { to, isCompressed, skipInvalid, confidence, allowMissing } = options;
  const output = await outputOf(shard, to, isCompressed);
  const figures = { sentences: 0, words: 0, skipped: 0, withoutTree: 0 };
  const warnings: string[] = [];
  const onWarning = (warning: string) => warnings.push(warning);
  const check = new ColumnCheck(parser);
  const marks = new SkippedMarks();
  if (skipInvalid) marks.add(shard.parts[0].marks ?? []);
  const isText = shard.kind !== 'conllu';
  const format = 'conllu' as const;
  const how = { format, to: to === 'jsonl' ? ('json' as const) : format, skipInvalid, confidence, isText };
  for await (const batch of isText ? tokenized(shard, tokenizer!, options) : sentencesOf(shard)) {
    if (!check.isDone) {
      // Without its line, which is counted within the shard.
      for (const sentence of readBatch(batch, { format, expect: 'tokens', skipInvalid: true }))
        check.add({ ...sentence, source: undefined });
    }
    const found = parseBatch(parser, batch, how);
    if (found.fault !== undefined) throw new InputError(found.fault.problem, found.fault.place);
    const text = how.to === 'conllu' ? asBlock(found.text) : found.text;
    output.write(marks.carriedTo(text, how.to), documentName(batch.file));
    marks.add(found.marks);
    figures.sentences += found.sentences;
    figures.words += found.tokens;
    figures.skipped += found.skipped.length;
    figures.withoutTree += found.failed.length;
  }
  const [{ file, byte }] = shard.parts;
  if (figures.sentences > 0) check.settle(`${file}, byte ${byte}`, { allowMissing, onWarning });
  return { ...figures, bytes: output.finish(), warnings };
}

/** Number of characters compressed at a time; each piece is a gzip member. */
const BUFFERED = 1 << 20;

async function outputOf(shard: Shard, to: CorpusFormat, isCompressed: boolean) {
  if (to !== 'parquet') return new TextOutput(isCompressed);
  // An optional package, loaded only when needed.
  const { ParquetOutput } = await import('./parquet.ts');
  const [{ file, document = file }] = shard.parts;
  return new ParquetOutput(shard.number, documentName(document));
}

class TextOutput {
  private readonly pieces: Uint8Array[] = [];
  private text = '';

  constructor(private readonly isCompressed: boolean) {}

  write(text: string): void {
    this.text += text;
    if (this.text.length >= BUFFERED) this.flush();
  }

  finish(): Uint8Array {
    if (this.text !== '' || this.pieces.length === 0) this.flush();
    return Buffer.concat(this.pieces);
  }

  private flush(): void {
    const bytes = Buffer.from(this.text, 'utf8');
    this.pieces.push(this.isCompressed ? gzipSync(bytes) : bytes);
    this.text = '';
  }
}

function* partsOf({ parts, bytes }: Shard): Generator<ShardPart & { readonly content: Buffer }> {
  let at = 0;
  for (const part of parts) {
    // A thread receives a plain `Uint8Array`.
    yield { ...part, content: Buffer.from(bytes.buffer, bytes.byteOffset + at, part.bytes) };
    at += part.bytes;
  }
}

/** The refusal of a shard that is not UTF-8. */
function undecodable(shard: Shard): Refusal | undefined {
  for (const { file, byte, content } of partsOf(shard)) {
    const at = invalidUtf8(content);
    if (at !== undefined)
      return { problem: `${notUtf8(content[at])}: convert the file to UTF-8`, file, byte: byte + at };
  }
  return undefined;
}

async function* sentencesOf(shard: Shard): AsyncGenerator<TextBatch> {
  for (const { file, isBeginning, content } of partsOf(shard)) {
    // Otherwise it might be taken for one long comment.
    if (content.includes('\r') && !content.includes('\n'))
      throw new InputError('no sentences: lines end with CR, expected LF or CRLF', { file, line: 1 });
    let isFirst = isBeginning;
    for await (const batch of textBatches(decoded(content, file), file, 'conllu')) {
      yield isFirst ? withDocument(batch) : batch;
      isFirst = false;
    }
  }
}

/** Adds a comment that begins a document to the first sentences of a file, unless there is one. */
function withDocument({ file, line, text }: TextBatch): TextBatch {
  const own = text.replace(/^\ufeff/, '');
  const [comments] = /^(?:(?:#.*)?\r?\n)*/.exec(own)!;
  if (documentIn(comments) !== undefined) return { file, line, text };
  return { file, line: line - 1, text: `${newDocument(file)}\n${own}` };
}

async function* tokenized(shard: Shard, tokenizer: Tokenizer, { field, confidence }: ParsingOptions) {
  const layout = shard.kind === 'lines' || shard.kind === 'tokens' ? shard.kind : 'text';
  let count = 0;
  const nextId = () => `${shard.number}-${++count}`;
  const batches = new SentenceBatches(`shard ${shard.number}, tokenized`, DEFAULT_BATCH);
  for (const part of partsOf(shard)) {
    const { file, isBeginning, continuesParagraph } = part;
    const all = decoded(part.content, file);
    const texts = isBeginning ? withoutMark(all) : all;
    const documents =
      shard.kind === 'jsonl'
        ? recordsOf(part, texts, field)
        : [{ document: isBeginning ? documentName(file) : null, chunks: texts }];
    for await (const { document, chunks } of documents) {
      const options = { document, continuesParagraph, nextId, confidence };
      for await (const sentences of tokenizeText(chunks, tokenizer, layout, `${file}, tokenized`, options))
        yield* batches.add(sentences);
    }
  }
  yield* batches.end();
}

interface TextDocument {
  readonly document: string | null;
  readonly chunks: AsyncIterable<string>;
}

/** Yields the documents of JSON Lines, named by their `id`, or else by file and byte. */
async function* recordsOf(
  { file, byte, content }: ShardPart & { readonly content: Buffer },
  texts: AsyncIterable<string>,
  field: string,
): AsyncGenerator<TextDocument> {
  let all = '';
  for await (const text of texts) all += text;
  let at = 0;
  for (const [i, line] of all.split('\n').entries()) {
    const place = { file, line: i + 1 };
    if (line.trim() !== '') {
      const { text, id } = recordOf(line, field, place);
      yield { document: id || `${documentName(file)}@${byte + at}`, chunks: only(text) };
    }
    at = content.indexOf('\n', at) + 1;
  }
}

function recordOf(line: string, field: string, place: { readonly file: string; readonly line: number }) {
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch (error) {
    throw new InputError(`not JSON: ${(error as Error).message}`, place);
  }
  const { [field]: text, id } = Object(record) as Record<string, unknown>;
  if (typeof text !== 'string') throw new InputError(`no text in the field “${field}”`, place);
  const name = id === undefined || id === null ? undefined : documentName(String(id));
  if (name !== undefined && typeof id !== 'string' && typeof id !== 'number')
    throw new InputError(`an id that is ${JSON.stringify(id)}, expected text or a number`, place);
  if (typeof id === 'number' && !Number.isSafeInteger(id))
    throw new InputError('a numeric id with a fraction or beyond 2^53 is not exact: write it as text', place);
  const problem = textProblem(text) ?? textProblem(name ?? '');
  if (problem !== undefined) throw new InputError(problem, place);
  return { text, id: name };
}

async function* only<T>(item: T): AsyncGenerator<T> {
  yield item;
}

const decoded = (content: Buffer, file: string) => decodeText(slices(content), DEFAULT_ENCODING, file);
const SLICE = 1 << 18;

async function* slices(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += SLICE) yield content.subarray(at, at + SLICE);
}

/** The file and first byte of the line that an error names; of the shard if it names none. */
function placeOf({ place }: InputError, shard: Shard): { readonly file: string; readonly byte: number } {
  for (const { file, byte, content } of partsOf(shard)) {
    if (file !== place.file || place.line === undefined) continue;
    let at = 0;
    for (let line = 1; line < place.line; line++) at = content.indexOf('\n', at) + 1;
    return { file, byte: byte + at };
  }
  const [{ file, byte }] = shard.parts;
  return { file, byte };
}
