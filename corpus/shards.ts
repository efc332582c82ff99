import { InputError } from '../src/errors.ts';
import { TextFile } from '../src/files/text-file.ts';
import type { CorpusInput, CorpusInputs, CorpusKind } from './inputs.ts';

export interface ShardPart {
  readonly file: string;
  /** Where it begins in the file, unzipped. */
  readonly byte: number;
  readonly bytes: number;
  /** Whether the file begins here; otherwise its document goes on. */
  readonly isBeginning: boolean;
}

/** A piece of the corpus that is parsed at once: parts of files of one kind. */
export interface Shard {
  readonly number: number;
  readonly kind: CorpusKind;
  readonly parts: readonly ShardPart[];
  /** Of all parts, joined. */
  readonly bytes: Buffer;
  /** Why the file of the last part cannot be read on. */
  readonly problem?: string | undefined;
  /** The share of the corpus that was read when the shard was complete; undefined for standard input. */
  readonly share?: number | undefined;
}

/**
 * Cuts a corpus into shards: each ends at the first document or paragraph bound (of CoNLL-U: after the first
 * sentence; of JSON Lines: after the first line) where it has at least `size` bytes. The shards depend on the
 * files and `size` alone. Files of white space are left out.
 *
 * Where no bound follows within another `size` bytes, a shard ends with a line, or else within it.
 */
export async function* shardsOf({ files, bytes: total }: CorpusInputs, size: number): AsyncGenerator<Shard> {
  const builder = new ShardBuilder();
  let before = 0;
  for (const { path, kind } of files) {
    const file = new TextFile(path, undefined, false);
    const shareRead = () =>
      total === undefined ? undefined : Math.min(1, (before + file.bytesRead) / total);
    if (builder.filled > 0 && builder.kind !== kind) yield builder.finish(shareRead());
    builder.kind = kind;
    const pieces = new BoundedPieces(file.byteChunks(), breaksOf[kind]);
    let byte = 0;
    try {
      for (let isLast = false; !isLast; ) {
        const piece = await pieces.next(size - builder.filled, size);
        isLast = piece.isLast;
        if (!isBlank(piece.bytes)) builder.add({ file: path, byte, isBeginning: byte === 0 }, piece.bytes);
        byte += piece.bytes.length;
        if (builder.filled >= size) yield builder.finish(shareRead());
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      builder.add({ file: path, byte, isBeginning: byte === 0 }, pieces.rest);
      yield builder.finish(shareRead(), error.problem);
    }
    before += file.bytesRead;
  }
  if (builder.filled > 0) yield builder.finish(total === undefined ? undefined : 1);
}

/** Line ends that make a bound. */
const breaksOf: Readonly<Record<CorpusKind, number>> = { text: 2, lines: 1, tokens: 2, conllu: 2, jsonl: 1 };

class ShardBuilder {
  kind: CorpusInput['kind'] = 'text';
  filled = 0;
  private number = 0;
  private parts: ShardPart[] = [];
  private pieces: Buffer[] = [];

  add(part: Omit<ShardPart, 'bytes'>, bytes: Buffer): void {
    this.parts.push({ ...part, bytes: bytes.length });
    this.pieces.push(bytes);
    this.filled += bytes.length;
  }

  finish(share: number | undefined, problem?: string): Shard {
    const { kind, parts } = this;
    const shard = { number: ++this.number, kind, parts, bytes: Buffer.concat(this.pieces), problem, share };
    this.parts = [];
    this.pieces = [];
    this.filled = 0;
    return shard;
  }
}

const LINE_FEED = 10;
const BLANK = 32;
/** Bytes by which a character of white space is known. */
const CHARACTER = 4;

/** The bytes of a file in pieces that end at bounds. */
class BoundedPieces {
  private waiting: Buffer[] = [];
  private length = 0;
  private isAtEnd = false;

  constructor(
    private readonly chunks: AsyncGenerator<Uint8Array>,
    private readonly breaks: number,
  ) {}

  get rest(): Buffer {
    if (this.waiting.length !== 1) this.waiting = [Buffer.concat(this.waiting)];
    return this.waiting[0]!;
  }

  /** The bytes up to the first bound after at least `goal`, at most `slack` more; otherwise the rest of the file. */
  async next(goal: number, slack: number): Promise<{ readonly bytes: Buffer; readonly isLast: boolean }> {
    const most = goal + slack;
    await this.read(goal);
    for (;;) {
      const bytes = this.rest;
      const bound = boundAfter(bytes, goal, this.breaks);
      if (bound !== undefined && bound <= most) return this.cut(bound);
      if (bytes.length > most + CHARACTER) return this.cut(boundByForce(bytes, goal, most));
      if (this.isAtEnd) {
        this.waiting = [];
        return { bytes, isLast: true };
      }
      await this.read(bytes.length + 1);
    }
  }

  private cut(at: number): { readonly bytes: Buffer; readonly isLast: boolean } {
    const bytes = this.rest;
    const rest = bytes.subarray(at);
    // A copy of what is little, so that the piece before it is freed once it is parsed.
    this.waiting = [rest.length > at ? rest : Buffer.from(rest)];
    this.length = rest.length;
    return { bytes: bytes.subarray(0, at), isLast: false };
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

/** Where the first white space with `breaks` line feeds ends, at `goal` or after it, if something is known to follow. */
function boundAfter(bytes: Buffer, goal: number, breaks: number): number | undefined {
  let at = Math.min(goal, bytes.length);
  while (at > 0 && isAsciiSpace(bytes[at - 1]!)) at--;
  for (;;) {
    at = bytes.indexOf(LINE_FEED, at);
    if (at < 0) return undefined;
    let found = 0;
    for (let width = 1; width > 0; at += width) {
      if (at + CHARACTER > bytes.length) return undefined;
      if (bytes[at] === LINE_FEED) found++;
      width = spaceAt(bytes, at);
    }
    if (found >= breaks && at >= goal) return at;
  }
}

/** A bound where there is no paragraph's: after a line, a word, or at least a character. */
function boundByForce(bytes: Buffer, goal: number, most: number): number {
  const stretch = bytes.subarray(goal, most);
  const line = stretch.indexOf(LINE_FEED);
  if (line >= 0) return goal + line + 1;
  const word = stretch.lastIndexOf(BLANK);
  if (word >= 0) return goal + word + 1;
  let at = most;
  while ((bytes[at]! & 0xc0) === 0x80) at--;
  return at;
}

/** Bytes of the white space at a place; 0 where there is something else. */
function spaceAt(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return isAsciiSpace(first) ? 1 : 0;
  if (first !== 0xc2 && (first < 0xe1 || first > 0xe3)) return 0;
  const width = first === 0xc2 ? 2 : 3;
  return /^\p{White_Space}$/u.test(bytes.toString('utf8', at, at + width)) ? width : 0;
}

const isAsciiSpace = (byte: number) => byte === BLANK || (byte >= 9 && byte <= 13);
const isBlank = (bytes: Buffer) => bytes.every(isAsciiSpace);
