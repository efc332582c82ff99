import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { afterAll, describe, expect, test } from 'vitest';
import { InputError, UsageError } from '../../src/errors.ts';
import { AtomicFile } from '../../src/files/atomic-file.ts';
import { decodeText } from '../../src/files/decoding.ts';
import { encodeText, encodingNamed } from '../../src/files/encoding.ts';

const folder = mkdtempSync(join(tmpdir(), 'parliament-encoding-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Decodes the bytes of a file, given in two chunks; returns the text, or the error that it is refused with. */
async function read(bytes: Uint8Array, name: string): Promise<string | InputError> {
  const all = Buffer.from(bytes);
  async function* chunks() {
    yield all.subarray(0, all.length >> 1);
    yield all.subarray(all.length >> 1);
  }
  let text = '';
  try {
    for await (const piece of decodeText(chunks(), encodingNamed(name), 'file')) text += piece;
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  return text;
}

iconv.encodingExists('utf8');
const names = Object.keys(iconv.encodings ?? {}).filter((name) => !name.startsWith('_'));

const isOffered = (name: string) => {
  try {
    encodingNamed(name);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toMatch(/^unknown encoding “.*”, expected /s);
    return false;
  }
};
/** One name of each encoding. */
const offered = names.filter(
  (name, i) =>
    isOffered(name) && names.findIndex((other) => iconv.getCodec(other) === iconv.getCodec(name)) === i,
);

describe('an encoding', () => {
  test('is known under every spelling of its name', () => {
    for (const name of ['utf-8', 'UTF8', 'utf_8', 'utf 8', ' Utf-8\n', 'unicode-1-1-utf-8']) {
      expect(encodingNamed(name)).toBe('utf-8');
    }
    for (const name of ['ISO-8859-1', 'iso_8859_1', 'latin1', 'windows 1250', 'CESU-8', 'utf-16be']) {
      expect(isOffered(name), name).toBe(true);
    }
  });

  test.each(['utf-7', 'UTF_7', 'utf-7-imap', 'unicode-1-1-utf-7', 'base64', 'hex', 'armscii-8'])(
    'is refused if it cannot give back every byte of a file (%s)',
    (name) => {
      expect(isOffered(name)).toBe(false);
    },
  );

  test.each(['constructor', '__proto__', 'toString', '', '_internal', '../x'])(
    'that is called “%s” is unknown',
    (name) => {
      expect(isOffered(name)).toBe(false);
    },
  );

  test.each(['utf-16', 'utf-32'])('without a byte order in its name is refused (%s)', (name) => {
    expect(() => encodingNamed(name)).toThrow(
      new UsageError(`unknown encoding “${name}”, expected its byte order, too: ${name}le or ${name}be`),
    );
  });
});

describe('reading a file', () => {
  test('either gives text from which every byte can be restored or is refused, in any encoding', async () => {
    expect(offered.length).toBeGreaterThan(90);
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...offered), bytes, async (encoding, noise) => {
        const all = Buffer.concat([iconv.encode('1\tDogs\n', encoding, { addBOM: false }), noise]);
        const text = await read(all, encoding);
        if (text instanceof InputError) expect(text.message).toMatch(/^file:\d+: /);
        else expect(encodeText(text, encodingNamed(encoding), {})).toEqual(all);
      }),
      { numRuns: 2000 },
    );
  });

  test.each(offered)(
    'in %s accepts text that was written in this encoding, also in two chunks',
    async (encoding) => {
      const letters = 'Été漢字ŠΩЯ😀한ñ'.split(/(?:)/u);
      const known = letters.filter(
        (letter) => iconv.decode(iconv.encode(letter, encoding), encoding) === letter,
      );
      const text = `1\tword${known.join('')}\tX\n`.repeat(5000);
      const bytes = iconv.encode(text, encoding, { addBOM: false });
      expect((await read(bytes, encoding)) === text).toBe(true);
      expect(encodeText(text, encodingNamed(encoding), {}).equals(bytes)).toBe(true);
    },
  );

  const half = (high: string, encoding: string) => iconv.encode(`ab\n${high}c`, encoding, { addBOM: false });
  test.each([
    [
      'an invalid byte, under another name of UTF-8',
      'utf_8',
      [0x61, 0x0a, 0xff],
      'byte 0xFF is not valid UTF-8',
    ],
    ['an odd byte at the end', 'utf-16le', [0x61, 0, 0x0a, 0, 0x0a], 'byte 0x0A would be lost'],
    ['half a character at the end', 'utf-16be', [0, 0x61, 0, 0x0a, 0], 'byte 0x00 would be lost'],
    [
      'half a character of four bytes',
      'utf-32le',
      [0x61, 0, 0, 0, 0x0a, 0, 0, 0, 0x61],
      'byte 0x61 would be lost',
    ],
    ['the first half of a surrogate pair', 'utf-16le', half('\ud800', 'utf-16le'), 'half a surrogate pair'],
    ['the second half of a surrogate pair', 'utf-16be', half('\udc00', 'utf-16be'), 'half a surrogate pair'],
    ['half a surrogate pair in UTF-32', 'utf-32be', half('\ud800', 'utf-32be'), 'half a surrogate pair'],
    ['an alternative code of a character', 'shift_jis', [0x61, 0x0a, 0x87, 0x90], 'byte 0x87 would be lost'],
    ['a lead byte at the end', 'gb18030', [0x61, 0x0a, 0x81], 'byte 0x81 would be lost'],
    [
      'a UTF-8 character of four bytes',
      'cesu-8',
      [0x61, 0x0a, 0xf0, 0x9f, 0x98, 0x80],
      'byte 0xF0 would be lost',
    ],
  ])('refuses %s (%s)', async (_, encoding, bytes, problem) => {
    const error = await read(Uint8Array.from(bytes), encoding);
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toContain(`file:2: ${problem}`);
  });

  test('refuses UTF-16 as UTF-8 and names the encoding that the byte-order mark shows', async () => {
    const error = await read(Uint8Array.from([0xff, 0xfe, 0x61, 0]), 'utf-8');
    expect((error as InputError).message).toContain('in another encoding name that, for example utf-16le');
  });

  test('decodes a surrogate pair that is split between two chunks', async () => {
    const text = 'x😀'.repeat(100_000);
    for (const [encoding, bytes] of [
      ['utf-16le', Buffer.from(text, 'utf16le')],
      ['utf-16be', Buffer.from(text, 'utf16le').swap16()],
    ] as const) {
      expect((await read(bytes, encoding)) === text).toBe(true);
    }
  });
});

describe('writing a file', () => {
  async function write(encoding: string, ...texts: string[]): Promise<Buffer> {
    const file = await AtomicFile.create(join(folder, 'out'), { encoding });
    try {
      for (const text of texts) await file.write(text);
      await file.commit();
    } finally {
      await file.discard();
    }
    return readFileSync(join(folder, 'out'));
  }

  test.each(['utf-8', 'utf-16le', 'gb18030', 'iso-8859-1'])(
    'refuses half a surrogate pair in %s',
    async (encoding) => {
      await expect(write(encoding, 'a\n', 'b\ud800c')).rejects.toThrow(
        `${join(folder, 'out')}:2: half a surrogate pair, expected whole characters`,
      );
    },
  );

  test('refuses a character that the encoding lacks and names its line, however far down', async () => {
    await expect(write('iso-8859-2', 'a\n'.repeat(400_000), 'b\nœ')).rejects.toThrow(
      `${join(folder, 'out')}:400002: the encoding iso-8859-2 has no character “œ”, expected for example utf-8`,
    );
  });

  test('accepts U+FFFD only in encodings that have all of Unicode', async () => {
    expect((await write('utf-8', '\ufffd')).toString()).toBe('\ufffd');
    expect((await write('utf-16le', '\ufffd')).toString('utf16le')).toBe('\ufffd');
    // Another name of GB 18030, which has all of Unicode.
    expect(await read(await write('chinese', '\ufffd'), 'chinese')).toBe('\ufffd');
    await expect(write('windows-1252', '\ufffd')).rejects.toThrow('has no character');
  });
});
