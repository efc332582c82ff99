import { InputError } from '../src/errors.ts';
import { TextFile } from '../src/files/text-file.ts';
import { documentIn } from '../src/treebank/columns/comments.ts';
import { SkippedMarks } from '../src/treebank/reading/skipped-marks.ts';
import { readBatch } from '../src/treebank/reading/treebank-file.ts';
import { type CorpusInput, type CorpusInputs, type CorpusKind, refuseSentences } from './inputs.ts';
import type { ShardPart } from './queue/protocol.ts';

/** The unit of work on a corpus: parts of files of one kind, about as long as a given size. */
export interface Shard {
  readonly number: number;
  readonly kind: CorpusKind;
  readonly parts: readonly ShardPart[];
  /** The contents of all parts, joined. */
  readonly bytes: Buffer;
  /** Why the file of the last part cannot be read further. */
  readonly problem?: string | undefined;
  /** The share of the corpus up to the end of this shard, from 0 to 1; undefined for standard input. */
  readonly share?: number | undefined;
  /** Where the shard before ends; undefined for the first. */
  readonly follows?: ShardEnd | undefined;
}

export interface ShardEnd {
  readonly file: string;
  readonly byte: number;
}

export function endOf(parts: readonly ShardPart[]): ShardEnd {
  const { file, byte, bytes } = parts.at(-1)!;
  return { file, byte: byte + bytes };
}

/**
 * Cuts a corpus into shards. Each ends at the first document or paragraph boundary (in CoNLL-U after a sentence, in JSON
 * Lines after a line) where it has at least `size` bytes. The shards depend on the files and `size` alone. Files of white
 * space are left out.
 *
 * If there is no boundary within another `size` bytes, a shard of text ends after a line, or else within it.
 */
export async function* shardsOf({ files, bytes: total }: CorpusInputs, size: number): AsyncGenerator<Shard> {
  const builder = new ShardBuilder();
  let before = 0;
  for (const { path, kind, isAssumed } of files) {
    const file = new TextFile(path, undefined, false);
    const shareRead = () =>
      total === undefined ? undefined : Math.min(1, (before + file.bytesRead) / total);
    if (builder.filled > 0 && builder.kind !== kind) yield builder.finish(shareRead());
    builder.kind = kind;
    const slack = kind === 'conllu' || kind === 'jsonl' ? Math.max(size, LONGEST) : size;
    const pieces = new PieceReader(file.byteChunks(), breaksOf[kind]);
    let byte = 0;
    // Until its first text: white space before that is left out.
    let isBeginning = true;
    let document: string | undefined;
    let marks: readonly string[] | undefined;
    let continuesParagraph: true | undefined;
    try {
      for (let isLast = false; !isLast; ) {
        const piece = await pieces.next(size - builder.filled, slack);
        isLast = piece.isLast;
        const part = { file: path, byte, isBeginning, document, marks, continuesParagraph };
        byte += piece.bytes.length;
        if (isBeginning && isBlank(piece.bytes)) continue;
        if (isBeginning && isAssumed) refuseSentences(path, piece.bytes);
        if (!isBlank(piece.bytes)) builder.add(part, piece.bytes);
        isBeginning = false;
        continuesParagraph = piece.breaks < paragraphBreaksOf[kind] || undefined;
        if (kind === 'conllu') {
          document = documentAfter(piece.bytes, document);
          marks = marksAfter(piece.bytes, part.isBeginning ? [newDocument(path)] : marks);
        }
        if (builder.filled >= size) yield builder.finish(shareRead());
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      builder.add({ file: path, byte, isBeginning }, pieces.rest);
      yield builder.finish(shareRead(), error.problem);
    }
    before += file.bytesRead;
  }
  if (builder.filled > 0) yield builder.finish(total === undefined ? undefined : 1);
}

/** Number of line feeds that make a boundary. */
const breaksOf: Readonly<Record<CorpusKind, number>> = { text: 2, lines: 1, tokens: 2, conllu: 2, jsonl: 1 };
/** Number of line feeds that end a paragraph. In `tokens` none do; in `conllu` and `jsonl` every boundary does. */
const paragraphBreaksOf: Readonly<Record<CorpusKind, number>> = {
  text: 2,
  lines: 2,
  tokens: Number.POSITIVE_INFINITY,
  conllu: 0,
  jsonl: 0,
};

/** Bytes beyond which a line of JSON or a sentence of CoNLL-U is not kept whole: a string cannot be much longer. */
const LONGEST = 1 << 28;

class ShardBuilder {
  kind: CorpusInput['kind'] = 'text';
  filled = 0;
  private number = 0;
  private parts: ShardPart[] = [];
  private pieces: Buffer[] = [];
  private end: ShardEnd | undefined;

  add(part: Omit<ShardPart, 'bytes'>, bytes: Buffer): void {
    this.parts.push({ ...part, bytes: bytes.length });
    this.pieces.push(bytes);
    this.filled += bytes.length;
  }

  finish(share: number | undefined, problem?: string): Shard {
    const { kind, parts, end: follows } = this;
    const bytes = Buffer.concat(this.pieces);
    const shard = { number: ++this.number, kind, parts, bytes, problem, share, follows };
    this.end = endOf(parts);
    this.parts = [];
    this.pieces = [];
    this.filled = 0;
    return shard;
  }
}

const LINE_FEED = 10;
const BLANK = 32;
const NEW_DOCUMENT = 'newdoc';
/** Maximum number of bytes of a character in UTF-8. */
const CHARACTER = 4;

interface Piece {
  readonly bytes: Buffer;
  /** Number of line feeds in the white space at its end; 0 if that is no boundary. */
  readonly breaks: number;
  readonly isLast: boolean;
}

/** Cuts the bytes of a file into pieces that end at boundaries. */
class PieceReader {
  private waiting: Buffer[] = [];
  private length = 0;
  private isAtEnd = false;

  constructor(
    private readonly chunks: AsyncGenerator<Uint8Array>,
    private readonly breaks: number,
  ) {}

  get rest(): Buffer {
    if (this.waiting.length !== 1) this.waiting = [Buffer.concat(this.waiting)];
    return this.waiting[0];
  }

  /** The bytes up to the first boundary after `goal` bytes, at most `slack` more; else the rest of the file. */
  async next(goal: number, slack: number): Promise<Piece> {
    const most = goal + slack;
    await this.read(goal);
    for (;;) {
      const bytes = this.rest;
      const boundary = boundaryAfter(bytes, goal, this.breaks);
      if (boundary !== undefined && boundary.at <= most) return this.cut(boundary.at, boundary.breaks);
      if (bytes.length > most + CHARACTER) return this.cut(fallbackBoundary(bytes, goal, most), 0);
      if (this.isAtEnd) {
        this.waiting = [];
        return { bytes, breaks: 0, isLast: true };
      }
      // Twice as much, so that a long line takes linear time.
      await this.read(Math.min(2 * bytes.length, most) + 1);
    }
  }

  private cut(at: number, breaks: number): Piece {
    const bytes = this.rest;
    const rest = bytes.subarray(at);
    // A short rest is copied, so that the memory of the piece before it can be freed.
    this.waiting = [rest.length > at ? rest : Buffer.from(rest)];
    this.length = rest.length;
    return { bytes: bytes.subarray(0, at), breaks, isLast: false };
  }

  private async read(least: number): Promise<void> {
    while (!this.isAtEnd && this.length < least + CHARACTER) {
      const { value, done } = await this.chunks.next();
      if (done) this.isAtEnd = true;
      else {
        this.waiting.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
        this.length += value.length;
      }
    }
  }
}

/**
 * The end of the first white space with `least` line feeds or more that ends at `goal` or later; undefined if there is
 * none, or if it may continue after `bytes`.
 */
function boundaryAfter(bytes: Buffer, goal: number, least: number) {
  let at = Math.min(goal, bytes.length);
  while (at > 0 && isAsciiSpace(bytes[at - 1])) at--;
  for (;;) {
    at = bytes.indexOf(LINE_FEED, at);
    if (at < 0) return undefined;
    let breaks = 0;
    for (let width = 1; width > 0; at += width) {
      if (at + CHARACTER > bytes.length) return undefined;
      if (bytes[at] === LINE_FEED) breaks++;
      width = spaceAt(bytes, at);
    }
    if (breaks >= least && at >= goal) return { at, breaks };
  }
}

/** Where to cut without a boundary: after a line, else after a word, else after a character. */
function fallbackBoundary(bytes: Buffer, goal: number, most: number): number {
  const stretch = bytes.subarray(goal, most);
  const line = stretch.indexOf(LINE_FEED);
  if (line >= 0) return goal + line + 1;
  const word = stretch.lastIndexOf(BLANK);
  if (word >= 0) return goal + word + 1;
  let at = most;
  while ((bytes[at] & 0xc0) === 0x80) at--;
  return at;
}

/** The id of the document that continues after a piece of CoNLL-U, if it has one; searches backwards. */
function documentAfter(piece: Buffer, before: string | undefined): string | undefined {
  let rest = piece;
  for (let at = rest.lastIndexOf(NEW_DOCUMENT); at >= 0; at = rest.lastIndexOf(NEW_DOCUMENT)) {
    const start = rest.lastIndexOf(LINE_FEED, at) + 1;
    const document = documentIn(rest.toString('utf8', start, rest.indexOf(LINE_FEED, at)));
    if (document !== undefined) return document || undefined;
    rest = rest.subarray(0, start);
  }
  return before;
}

/** The comment that begins a file. */
export const newDocument = (file: string) => `# ${NEW_DOCUMENT} id = ${documentName(file)}`;

/** A name for a comment: white space becomes single blanks. */
export const documentName = (name: string) => name.replace(/\s+/g, ' ').trim();

/** The marks, such as `# newdoc`, of the malformed sentences at the end of a piece of CoNLL-U. */
function marksAfter(piece: Buffer, before: readonly string[] = []): readonly string[] | undefined {
  const batch = (text: string) => ({ file: '', line: 1, text });
  const reading = { format: 'conllu', expect: 'tokens', skipInvalid: true } as const;
  // Nearly always the last sentence is well-formed: the others need not be read.
  if (!readBatch(batch(lastSentence(piece)), reading).next().done) return undefined;
  const marks = new SkippedMarks();
  marks.add(before);
  const sentences = readBatch(batch(piece.toString('utf8')), reading, marks);
  while (!sentences.next().done);
  return marks.lines.length === 0 ? undefined : marks.lines;
}

function lastSentence(piece: Buffer): string {
  let end = piece.length;
  while (end > 0 && isAsciiSpace(piece[end - 1])) end--;
  const start = Math.max(piece.lastIndexOf('\n\n', end), piece.lastIndexOf('\n\r\n', end)) + 1;
  return piece.toString('utf8', start);
}

/** The number of bytes of the white-space character at a position; 0 if it is another character. */
function spaceAt(bytes: Buffer, at: number): number {
  const first = bytes[at];
  if (first < 0x80) return isAsciiSpace(first) ? 1 : 0;
  if (first !== 0xc2 && (first < 0xe1 || first > 0xe3)) return 0;
  const width = first === 0xc2 ? 2 : 3;
  return /^\p{White_Space}$/u.test(bytes.toString('utf8', at, at + width)) ? width : 0;
}

const isAsciiSpace = (byte: number) => byte === BLANK || (byte >= 9 && byte <= 13);
const isBlank = (bytes: Buffer) => bytes.every(isAsciiSpace);
