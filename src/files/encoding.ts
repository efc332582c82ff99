import { InputError, type Place, UsageError } from '../errors.ts';
import { encodingLibrary } from '../platform/packages.ts';

export const DEFAULT_ENCODING = 'utf-8';
/** U+FEFF, which may begin a text of any Unicode encoding. */
export const BYTE_ORDER_MARK = 0xfeff;
/** The character that decoders substitute for invalid bytes. */
export const REPLACEMENT = '\ufffd';
export const LONE_SURROGATE = /\p{Surrogate}/u;

/** Codecs that are refused because they do not round-trip. */
const lossy = [
  // Not encodings of characters.
  ...['base64', 'hex'],
  // The same text can be written in many ways.
  ...['utf7', 'utf7imap'],
  // Five ASCII characters have a second code.
  'armscii8',
];

/** Codecs that guess the byte order. */
const withoutByteOrder = ['utf16', 'utf32'];

/** An encoding's canonical name; throws `UsageError` for one that is unknown or does not round-trip. */
export function encodingNamed(name: string = DEFAULT_ENCODING): string {
  const lower = name.trim().toLowerCase();
  if (lower === 'utf8' || lower === DEFAULT_ENCODING) return DEFAULT_ENCODING;
  const iconv = encodingLibrary();
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

/** Whether U+FFFD is a character of the encoding (in all of Unicode); in others it marks an error. */
export const hasReplacement = (encoding: string): boolean => encoded('\u{1f600}', encoding) !== undefined;

/** Encodes text that begins at `place` and ends outside a surrogate pair; throws `InputError` for characters that it cannot. */
export function encodeText(text: string, encoding: string, { file, line = 1 }: Place): Buffer {
  const bytes = encoded(text, encoding);
  if (bytes !== undefined) return bytes;
  const { before, character } = firstLost(text, encoding);
  const problem = LONE_SURROGATE.test(character)
    ? 'half a surrogate pair, expected whole characters'
    : `the encoding ${encoding} has no character “${character}”, expected for example utf-8`;
  throw new InputError(problem, { file, line: line + countLines(before, before.length) });
}

/** The bytes of a text; undefined where decoding them would not give the text back. */
function encoded(text: string, encoding: string): Buffer | undefined {
  if (encoding === DEFAULT_ENCODING) {
    const bytes = Buffer.from(text, 'utf8');
    return bytes.includes(REPLACEMENT) && LONE_SURROGATE.test(text) ? undefined : bytes;
  }
  if (LONE_SURROGATE.test(text) || (text.includes(REPLACEMENT) && !hasReplacement(encoding)))
    return undefined;
  const bytes = encodingLibrary().encode(text, encoding, { addBOM: false });
  return encodingLibrary().decode(bytes, encoding, { stripBOM: false }) === text ? bytes : undefined;
}

/** The first character that cannot be encoded, found by bisection, and the text before it. */
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

export function countLines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
