import { InputError, UsageError } from '../errors.ts';
import { createGunzip, createReadStream, pipeline, Readable } from '../platform/files.ts';
import { type Hash, sha256 } from '../platform/platform.ts';
import { quote } from '../visible.ts';
import { decodeText } from './decoding.ts';
import { encodingNamed } from './encoding.ts';
import { fileError, isRegularFile } from './files.ts';

export const STANDARD_STREAM = '-';

/** Throws `UsageError` if several of the files are standard input. */
export function checkStandardInput(files: readonly string[]): void {
  if (files.filter((file) => file === STANDARD_STREAM).length > 1)
    throw new UsageError('standard input (-) can be read only once');
}

const CHUNK = 1 << 18;

/** A text file, or standard input (`-`), read in chunks, gzipped or not; pipes can be read only once. */
export class TextFile {
  readonly encoding: string;
  /** SHA-256 (hex) of the bytes, compressed or not; undefined before one whole pass. */
  digest: string | undefined;
  /** Bytes read in all passes, compressed or not. */
  bytesRead = 0;
  private taken = false;

  /** Throws `UsageError` for an unknown encoding or a path that is not a string; `isDigested`: compute `digest`. */
  constructor(
    readonly path: string,
    encoding?: string,
    private readonly isDigested = true,
  ) {
    if (typeof path !== 'string') throw new UsageError(`file ${quote(String(path))}: expected its name`);
    this.encoding = encodingNamed(encoding);
  }

  get isRepeatable(): boolean {
    if (this.path === STANDARD_STREAM) return false;
    // A missing file is reported by `chunks`.
    return isRegularFile(this.path) ?? true;
  }

  /** Reads the text; throws `InputError` if the file cannot be opened, decompressed or decoded. */
  chunks(): AsyncGenerator<string> {
    return this.explaining((bytes) => decodeText(bytes, this.encoding, this.path));
  }

  /** The whole text, as one string. */
  async text(): Promise<string> {
    let text = '';
    for await (const chunk of this.chunks()) text += chunk;
    return text;
  }

  /** The bytes, decompressed but not decoded, for formats that are partly binary. */
  byteChunks(): AsyncGenerator<Uint8Array> {
    return this.explaining((bytes) => bytes);
  }

  private async *explaining<T>(read: (bytes: AsyncGenerator<Buffer>) => AsyncGenerator<T>) {
    const hash = this.isDigested && this.digest === undefined ? sha256() : undefined;
    try {
      yield* read(unpacked(this.bytes(hash)));
    } catch (error) {
      throw this.explained(error);
    }
    if (hash !== undefined) this.digest = hash.digest('hex');
  }

  private async *bytes(hash: Hash | undefined): AsyncGenerator<Buffer> {
    for await (const chunk of this.open()) {
      hash?.update(chunk);
      this.bytesRead += chunk.length;
      yield chunk;
    }
  }

  private open(): AsyncIterable<Buffer> {
    const isStandard = this.path === STANDARD_STREAM;
    if (this.taken && !this.isRepeatable) {
      const name = isStandard ? 'standard input' : this.path;
      throw new UsageError(`${name} can be read only once, expected a file`);
    }
    this.taken = true;
    return isStandard ? process.stdin : createReadStream(this.path, { highWaterMark: CHUNK });
  }

  private explained(error: unknown): unknown {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!code.startsWith('Z_')) return fileError(error, this.path, 'cannot be read');
    return new InputError(`damaged gzip data (${message})`, { file: this.path });
  }
}

async function* unpacked(bytes: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer = Buffer.alloc(0);
  while (start.length < 2) {
    const { value, done } = await bytes.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  const all = joined(start, bytes);
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  yield* isGzip ? gunzipped(all) : all;
}

async function* gunzipped(bytes: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: CHUNK });
  let given = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      given += chunk.length;
      yield chunk;
    }
  }
  // Reading the last stream reports an error; the callback keeps it from being thrown a second time.
  yield* pipeline(Readable.from(counted()), gunzip, () => {});
  // Node takes a NUL after a member for padding, and ignores the rest.
  if (gunzip.bytesWritten < given)
    throw Object.assign(new Error('something after its end'), { code: 'Z_DATA_ERROR' });
}

async function* joined(start: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (start.length > 0) yield start;
    yield* rest;
  } finally {
    // Closes the file for a consumer that stops early.
    await rest.return(undefined);
  }
}

const LONGEST = 1 << 24;

/** Reads the beginning of a text, to recognise its format; standard input and pipes are then read on from there. */
export class TextStart {
  head = '';
  private rest: AsyncGenerator<string> | undefined;

  constructor(readonly file: TextFile) {}

  /** Reads at least `least` characters, and on until `isEnough` or the end. */
  async read(least: number, isEnough: (head: string) => boolean): Promise<void> {
    const { isRepeatable } = this.file;
    const chunks = this.rest ?? this.file.chunks();
    if (isRepeatable) this.head = '';
    // The goal doubles each time, so that a line of any length takes linear time.
    for (let goal = least; ; goal = 2 * this.head.length) {
      while (this.head.length < goal) {
        const { value, done } = await chunks.next();
        if (done) break;
        this.head += value;
      }
      if (this.head.length < goal || this.head.length > LONGEST || isEnough(this.head)) break;
    }
    if (isRepeatable) await chunks.return(undefined);
    else this.rest = chunks;
  }

  async *chunks(): AsyncGenerator<string> {
    const rest = this.rest;
    this.rest = undefined;
    if (rest === undefined) return yield* this.file.chunks();
    yield this.head;
    yield* rest;
  }
}
