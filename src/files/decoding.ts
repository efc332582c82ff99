import { InputError } from '../errors.ts';
import { isUtf8 } from '../platform/files.ts';
import { encodingLibrary } from '../platform/packages.ts';
import { countLines, DEFAULT_ENCODING, hasReplacement, LONE_SURROGATE, REPLACEMENT } from './encoding.ts';

const NEWLINE = 10;

/** Decodes bytes to text, chunk by chunk, keeping a byte-order mark; throws `InputError` for NUL and invalid bytes. */
export async function* decodeText(bytes: AsyncIterable<Buffer>, encoding: string, file: string) {
  const decoder = encoding === DEFAULT_ENCODING ? new Utf8Decoder() : new LibraryDecoder(encoding);
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

/** The text of a file without the byte-order mark that it may begin with. */
export async function* withoutMark(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let isBeginning = true;
  for await (const chunk of chunks) {
    if (chunk === '') continue;
    yield isBeginning ? chunk.replace(/^\ufeff/, '') : chunk;
    isBeginning = false;
  }
}

/** A byte that is invalid in the encoding, `linesBefore` lines after the start of the chunk. */
class UndecodableError extends Error {
  constructor(
    message: string,
    readonly linesBefore: number,
  ) {
    super(message);
  }
}

class Utf8Decoder {
  private rest: Buffer = Buffer.alloc(0);

  write(chunk: Buffer): string {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const end = wholeCharacters(bytes, bytes.length);
    const whole = bytes.subarray(0, end);
    const invalid = invalidUtf8(whole);
    if (invalid !== undefined) throw undecodableUtf8(whole, invalid);
    this.rest = bytes.subarray(end);
    return whole.toString('utf8');
  }

  end(): string {
    if (this.rest.length > 0) throw undecodableUtf8(this.rest, 0);
    return '';
  }
}

/**
 * Decodes with iconv-lite, which is lenient (invalid bytes become U+FFFD, half a character at the end is
 * dropped, a character may have several codes): the text, encoded again, must give the same bytes.
 */
class LibraryDecoder {
  private readonly decoder: ReturnType<ReturnType<typeof encodingLibrary>['getDecoder']>;
  private readonly encoder: ReturnType<ReturnType<typeof encodingLibrary>['getEncoder']>;
  /** Bytes whose round trip is not checked yet. */
  private unchecked: Buffer = Buffer.alloc(0);
  /** The first half of a surrogate pair whose second half is in the next chunk. */
  private half = '';

  constructor(private readonly encoding: string) {
    this.decoder = encodingLibrary().getDecoder(encoding, { stripBOM: false });
    this.encoder = encodingLibrary().getEncoder(encoding, { addBOM: false });
  }

  write(chunk: Buffer): string {
    this.unchecked = Buffer.concat([this.unchecked, chunk]);
    const text = this.half + this.decoder.write(chunk);
    const end = /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
    this.half = text.slice(end);
    const whole = this.checked(text.slice(0, end));
    this.check(this.encoder.write(whole));
    return whole;
  }

  end(): string {
    // For some encodings the decoder ends with a number or nothing.
    const rest = this.checked(this.half + (this.decoder.end() || ''));
    this.check(this.encoder.write(rest));
    this.check(this.encoder.end() ?? Buffer.alloc(0));
    if (this.unchecked.length > 0) throw this.notGivenBack(0);
    return rest;
  }

  private checked(text: string): string {
    const unknown = hasReplacement(this.encoding) ? -1 : text.indexOf(REPLACEMENT);
    if (unknown >= 0)
      throw new UndecodableError(`a byte has no meaning in ${this.encoding}`, countLines(text, unknown));
    const half = text.search(LONE_SURROGATE);
    if (half < 0) return text;
    throw new UndecodableError('half a surrogate pair, expected whole characters', countLines(text, half));
  }

  private check(bytes: Buffer): void {
    const unchecked = this.unchecked;
    if (!bytes.equals(unchecked.subarray(0, bytes.length)))
      throw this.notGivenBack(bytes.findIndex((byte, i) => byte !== unchecked[i]));
    this.unchecked = unchecked.subarray(bytes.length);
  }

  private notGivenBack(at: number): UndecodableError {
    const { unchecked, encoding } = this;
    const before = encodingLibrary().decode(unchecked.subarray(0, at), encoding, { stripBOM: false });
    const byte = hexadecimal(unchecked.at(Math.min(at, unchecked.length - 1))!);
    return new UndecodableError(
      `byte ${byte} would be lost: it is not valid ${encoding}, or not the only code of its character`,
      countLines(before, before.length),
    );
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

/** The index of the first byte that is not UTF-8, by bisection: prefixes of valid text are valid. */
export function invalidUtf8(bytes: Buffer): number | undefined {
  if (isUtf8(bytes)) return undefined;
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (isUtf8(bytes.subarray(0, wholeCharacters(bytes, middle)))) valid = middle;
    else invalid = middle;
  }
  return wholeCharacters(bytes, valid);
}

export const notUtf8 = (byte: number): string => `byte ${hexadecimal(byte)} is not valid UTF-8`;

function undecodableUtf8(bytes: Buffer, at: number): UndecodableError {
  const lines = bytes.subarray(0, at).reduce((count, value) => count + (value === NEWLINE ? 1 : 0), 0);
  // 0xFF at the start is the first half of a byte order mark.
  const example = at === 0 && bytes[0] === 0xff ? 'utf-16le' : 'windows-1252';
  const advice = `for a file in another encoding name that, for example ${example}`;
  return new UndecodableError(`${notUtf8(bytes[at]!)}: ${advice}`, lines);
}

const hexadecimal = (byte: number): string => `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
