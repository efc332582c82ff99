import { createRequire } from 'node:module';
import { InputError, type Place, UsageError } from '../errors.ts';

const require = createRequire(import.meta.url);

/** The tables of all encodings but UTF-8: loaded when the first is asked for. */
export const tables = (): typeof import('iconv-lite') => require('iconv-lite');

export const DEFAULT_ENCODING = 'utf-8';

/** U+FEFF, which may begin a text of any Unicode encoding. */
export const BYTE_ORDER_MARK = 0xfeff;

/** What stands for bytes that mean nothing. */
export const REPLACEMENT = '\ufffd';

/** Half a surrogate pair, which is no character. */
export const LONE_SURROGATE = /\p{Surrogate}/u;

/** Codecs of the tables that are not offered, as they do not give a file back as it was. */
const lossy = [
  // No encodings of characters: they have no letters but their own digits.
  ...['base64', 'hex'],
  // The same text can be written in many ways.
  ...['utf7', 'utf7imap'],
  // Five signs of ASCII have another code besides.
  'armscii8',
];

/** Codecs that guess the order of bytes. */
const withoutByteOrder = ['utf16', 'utf32'];

/**
 * The encoding's name as this library uses it, however it is spelt; throws `UsageError` for a name that nobody
 * knows, and for an encoding that does not give back every byte.
 */
export function encodingNamed(name: string = DEFAULT_ENCODING): string {
  const lower = name.trim().toLowerCase();
  if (lower === 'utf8' || lower === DEFAULT_ENCODING) return DEFAULT_ENCODING;
  const iconv = tables();
  const isOneOf = (codecs: readonly string[]) =>
    codecs.some((codec) => iconv.getCodec(codec) === iconv.getCodec(lower));
  if (!iconv.encodingExists(lower) || isOneOf(lossy)) {
    throw new UsageError(
      `unknown encoding “${name}”, expected for example utf-8, iso-8859-1 or windows-1250`,
    );
  }
  if (isOneOf(withoutByteOrder)) {
    throw new UsageError(
      `unknown encoding “${name}”, expected its byte order, too: ${lower}le or ${lower}be`,
    );
  }
  return isOneOf(['utf8']) ? DEFAULT_ENCODING : lower;
}

/** Whether U+FFFD is a character of the encoding: of those that have all of Unicode. In others it is a fault. */
export function hasReplacement(encoding: string): boolean {
  return encoded('\u{1f600}', encoding) !== undefined;
}

/**
 * The text as bytes. Throws `InputError` where it has half a surrogate pair, or the encoding lacks one of its
 * characters. The text must not end within a surrogate pair.
 *
 * @param place the file to be written, and the line that the text begins in
 */
export function encodeText(text: string, encoding: string, { file, line = 1 }: Place): Buffer {
  const bytes = encoded(text, encoding);
  if (bytes !== undefined) return bytes;
  const { before, character } = firstLost(text, encoding);
  const problem = LONE_SURROGATE.test(character)
    ? 'half a surrogate pair, expected whole characters'
    : `the encoding ${encoding} has no character “${character}”, expected for example utf-8`;
  throw new InputError(problem, { file, line: line + countLines(before, before.length) });
}

/** Undefined where the bytes would not give the text back. */
function encoded(text: string, encoding: string): Buffer | undefined {
  if (encoding === DEFAULT_ENCODING) {
    const bytes = Buffer.from(text, 'utf8');
    return bytes.includes(REPLACEMENT) && LONE_SURROGATE.test(text) ? undefined : bytes;
  }
  if (LONE_SURROGATE.test(text) || (text.includes(REPLACEMENT) && !hasReplacement(encoding)))
    return undefined;
  const bytes = tables().encode(text, encoding, { addBOM: false });
  return tables().decode(bytes, encoding, { stripBOM: false }) === text ? bytes : undefined;
}

/** The first character that cannot be written, by bisection over prefixes, and what stands before it. */
function firstLost(text: string, encoding: string): { before: string; character: string } {
  const characters = [...text];
  const start = (length: number) => characters.slice(0, length).join('');
  let written = 0;
  let lost = characters.length;
  while (lost - written > 1) {
    const middle = (written + lost) >> 1;
    if (encoded(start(middle), encoding) === undefined) lost = middle;
    else written = middle;
  }
  return { before: start(written), character: characters[written]! };
}

/** Number of line feeds in the first `end` characters. */
export function countLines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
