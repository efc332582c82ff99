import { isUtf8 } from 'node:buffer';
import { createRequire } from 'node:module';
import { InputError, UsageError } from '../errors.ts';

const require = createRequire(import.meta.url);

/** The tables of all encodings but UTF-8: loaded when the first is asked for. */
const tables = (): typeof import('iconv-lite') => require('iconv-lite');

const DEFAULT_ENCODING = 'utf-8';

/** U+FEFF, which may begin a text of any Unicode encoding. */
export const BYTE_ORDER_MARK = 0xfeff;

const REPLACEMENT = '\ufffd';
const NEWLINE = 10;

/** The encoding's name as this library uses it; throws `UsageError` for a name that nobody knows. */
export function encodingNamed(name: string = DEFAULT_ENCODING): string {
  const lower = name.trim().toLowerCase();
  if (lower === 'utf8' || lower === DEFAULT_ENCODING) return DEFAULT_ENCODING;
  if (!tables().encodingExists(lower)) {
    throw new UsageError(
      `unknown encoding “${name}”, expected for example utf-8, iso-8859-1 or windows-1250`,
    );
  }
  return lower;
}

/**
 * Decodes bytes to text, chunk by chunk, byte-order mark included. Nothing is repaired: bytes that the
 * encoding does not know, and NUL characters, are an `InputError` with the file and line.
 */
export async function* decodeText(
  bytes: AsyncIterable<Buffer>,
  encoding: string,
  file: string,
): AsyncGenerator<string> {
  const decoder = encoding === DEFAULT_ENCODING ? new Utf8Decoder() : new TableDecoder(encoding);
  let line = 1;
  const checked = (text: string): string => {
    const nul = text.indexOf('\0');
    if (nul >= 0) {
      const problem =
        'NUL character, expected text: a binary file, or another encoding, for example utf-16le?';
      throw new InputError(problem, { file, line: line + countLines(text, nul) });
    }
    line += countLines(text, text.length);
    return text;
  };
  try {
    for await (const chunk of bytes) yield checked(decoder.write(chunk));
    yield checked(decoder.end());
  } catch (error) {
    if (!(error instanceof UndecodableError)) throw error;
    throw new InputError(error.message, { file, line: line + error.linesBefore });
  }
}

/**
 * The text as bytes. Throws `InputError` where the encoding lacks one of its characters.
 * The text must not end within a surrogate pair.
 */
export function encodeText(text: string, encoding: string, file: string): Buffer {
  if (encoding === DEFAULT_ENCODING) return Buffer.from(text, 'utf8');
  const iconv = tables();
  const bytes = iconv.encode(text, encoding, { addBOM: false });
  const back = iconv.decode(bytes, encoding, { stripBOM: false });
  if (back !== text) {
    const lost = [...text].find(
      (character) => !iconv.decode(iconv.encode(character, encoding), encoding).includes(character),
    );
    throw new InputError(`the encoding ${encoding} has no character “${lost}”, expected for example utf-8`, {
      file,
    });
  }
  return bytes;
}

/** Number of line feeds in the first `end` characters. */
export function countLines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** A byte that means nothing in this encoding, so many lines after the start of the chunk. */
class UndecodableError extends Error {
  readonly linesBefore: number;
  constructor(message: string, linesBefore: number) {
    super(message);
    this.linesBefore = linesBefore;
  }
}

/** Strict UTF-8; a character cut by the end of a chunk waits for the next chunk. */
class Utf8Decoder {
  #rest: Buffer = Buffer.alloc(0);

  write(chunk: Buffer): string {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const end = wholeCharacters(bytes, bytes.length);
    const whole = bytes.subarray(0, end);
    if (!isUtf8(whole)) throw undecodableUtf8(whole);
    this.#rest = bytes.subarray(end);
    return whole.toString('utf8');
  }

  end(): string {
    if (this.#rest.length > 0) throw undecodableUtf8(this.#rest);
    return '';
  }
}

/** Any other encoding, by the tables of iconv-lite; it decodes what it does not know to U+FFFD. */
class TableDecoder {
  readonly #encoding: string;
  readonly #decoder: ReturnType<ReturnType<typeof tables>['getDecoder']>;

  constructor(encoding: string) {
    this.#encoding = encoding;
    this.#decoder = tables().getDecoder(encoding, { stripBOM: false });
  }

  write(chunk: Buffer): string {
    return this.#checked(this.#decoder.write(chunk));
  }

  end(): string {
    return this.#checked(this.#decoder.end() ?? '');
  }

  #checked(text: string): string {
    const at = text.indexOf(REPLACEMENT);
    if (at < 0 || this.#encoding.startsWith('utf')) return text;
    throw new UndecodableError(`a byte has no meaning in ${this.#encoding}`, countLines(text, at));
  }
}

/** Length of the longest prefix of `bytes[0, length)` that does not end within a UTF-8 character. */
function wholeCharacters(bytes: Buffer, length: number): number {
  for (let back = 1; back <= Math.min(3, length); back++) {
    const byte = bytes[length - back]!;
    if (byte < 0x80) return length;
    if (byte >= 0xc0) {
      const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return size > back ? length - back : length;
    }
  }
  return length;
}

/** Names the first byte that is no UTF-8: bisection over prefixes, as a prefix of valid text is valid. */
function undecodableUtf8(bytes: Buffer): UndecodableError {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (isUtf8(bytes.subarray(0, wholeCharacters(bytes, middle)))) valid = middle;
    else invalid = middle;
  }
  const at = wholeCharacters(bytes, valid);
  const byte = bytes[at]!.toString(16).toUpperCase().padStart(2, '0');
  const lines = bytes.subarray(0, at).reduce((count, value) => count + (value === NEWLINE ? 1 : 0), 0);
  const advice = 'for a file in another encoding name that, for example iso-8859-1';
  return new UndecodableError(`byte 0x${byte} is not valid UTF-8: ${advice}`, lines);
}
