import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { InputError, UsageError } from '../../src/errors.ts';
import { TextFile } from '../../src/files/text-file.ts';
import { needs } from '../support/needs.ts';

const folder = mkdtempSync(join(tmpdir(), 'parliament-text-file-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

function fileOf(bytes: string | Uint8Array): string {
  const path = join(folder, 'file');
  writeFileSync(path, bytes);
  return path;
}

async function textOf(file: TextFile): Promise<string> {
  let text = '';
  for await (const chunk of file.chunks()) text += chunk;
  return text;
}

function standardInput(...chunks: Uint8Array[]): void {
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from(chunks) as typeof process.stdin);
}

describe('a text file', () => {
  test('keeps its byte-order mark, line ends and missing last line end', async () => {
    expect(await textOf(new TextFile(fileOf('\ufeffa\r\nb')))).toBe('\ufeffa\r\nb');
  });

  test('is unpacked if it starts with gzip’s magic bytes, whatever its name; gzip members are joined', async () => {
    const packed = Buffer.concat([gzipSync('ab\n'), gzipSync('cd\n')]);
    expect(await textOf(new TextFile(fileOf(packed)))).toBe('ab\ncd\n');
  });

  test('has the SHA-256 of its bytes as its digest after it has been read completely', async () => {
    const packed = gzipSync('text\n'.repeat(100_000));
    const file = new TextFile(fileOf(packed));
    for await (const _ of file.chunks()) break;
    expect(file.digest).toBeUndefined();
    await textOf(file);
    expect(file.digest).toBe(createHash('sha256').update(packed).digest('hex'));
  });

  test('can be read again', async () => {
    const file = new TextFile(fileOf('text'));
    expect(await textOf(file)).toBe(await textOf(file));
  });

  test('with truncated gzip data is refused', async () => {
    const cut = gzipSync('text\n'.repeat(1000)).subarray(0, 40);
    await expect(textOf(new TextFile(fileOf(cut)))).rejects.toThrow(
      `${join(folder, 'file')}: damaged gzip data (unexpected end of file)`,
    );
  });

  test('with more bytes after the end of its gzip data is refused, not cut there', async () => {
    const path = fileOf(Buffer.concat([gzipSync('ab\n'), Buffer.alloc(1), gzipSync('cd\n')]));
    await expect(textOf(new TextFile(path))).rejects.toThrow(
      `${path}: damaged gzip data (something after its end)`,
    );
  });

  needs('/proc/self/fd').test('is closed when its reader stops early', async () => {
    const contents = [Buffer.alloc(1 << 20, 'a'), Buffer.from([0xff]), gzipSync('ab').subarray(0, 15)];
    const before = readdirSync('/proc/self/fd').length;
    for (const content of contents) {
      const file = new TextFile(fileOf(content));
      for (let i = 0; i < 20; i++) {
        const chunks = file.chunks();
        await chunks.next().catch(() => undefined);
        await chunks.return(undefined);
      }
    }
    expect(readdirSync('/proc/self/fd').length).toBeLessThan(before + 20);
  });

  test('can be read only once if it is a pipe', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    const file = new TextFile(path);
    expect(file.isRepeatable).toBe(false);
    const [text] = await Promise.all([textOf(file), writeFile(path, 'text')]);
    expect(text).toBe('text');
    await expect(textOf(file)).rejects.toThrow(
      new UsageError(`${path} can be read only once, expected a file`),
    );
  });

  test.each([
    ['that does not exist', 'missing', 'no such file or folder'],
    ['that is a folder', '', 'is a folder, expected a file'],
  ])('%s is refused in one line', async (_, name, reason) => {
    const path = join(folder, name);
    await expect(textOf(new TextFile(path))).rejects.toEqual(
      new InputError(`cannot be read: ${reason}`, { file: path }),
    );
  });
});

describe('standard input', () => {
  test('is read like a file; gzip’s magic bytes are recognised even if they arrive one by one', async () => {
    const packed = gzipSync('héllo\n');
    standardInput(packed.subarray(0, 1), packed.subarray(1, 2), packed.subarray(2));
    expect(await textOf(new TextFile('-'))).toBe('héllo\n');
  });

  test('can be read only once', async () => {
    standardInput(Buffer.from('text'));
    const file = new TextFile('-');
    await textOf(file);
    await expect(textOf(file)).rejects.toThrow(
      new UsageError('standard input can be read only once, expected a file'),
    );
  });

  test('may be empty', async () => {
    standardInput();
    expect(await textOf(new TextFile('-'))).toBe('');
  });
});

describe('decoding', () => {
  test('gives the same text wherever the bytes are cut into chunks', async () => {
    const strings = fc.string({ unit: 'binary', maxLength: 30 }).filter((text) => !text.includes('\0'));
    await fc.assert(
      fc.asyncProperty(strings, fc.integer({ min: 1, max: 5 }), async (text, size) => {
        const bytes = Buffer.from(text, 'utf8');
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.subarray(i * size, (i + 1) * size),
        );
        standardInput(...chunks);
        expect(await textOf(new TextFile('-'))).toBe(bytes.toString('utf8'));
      }),
      { numRuns: 50 },
    );
  });

  test('names the line and the first byte that is not UTF-8, at the same place as a strict decoder', async () => {
    const strict = new TextDecoder('utf-8', { fatal: true });
    // Starts and continuations of characters of every length, halves of surrogates, and bytes that are never
    // valid.
    const parts = [0x41, 0x0a, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xed, 0xa0, 0xf0, 0x9f, 0x98, 0x80, 0xc0, 0xff];
    const bytes = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(fc.nat(3), bytes, async (n, array) => {
        const all = Buffer.concat([Buffer.from('é\n'.repeat(n)), Buffer.from(array)]);
        let valid = all.length;
        const decodes = (end: number) => {
          try {
            strict.decode(all.subarray(0, end));
            return true;
          } catch {
            return false;
          }
        };
        while (!decodes(valid)) valid--;
        const path = fileOf(all);
        const result = await textOf(new TextFile(path)).catch((error: Error) => error.message);
        if (valid === all.length) {
          expect(result).toBe(all.toString('utf8'));
        } else {
          const line = all.subarray(0, valid).toString('utf8').split('\n').length;
          const byte = `0x${all
            .subarray(valid, valid + 1)
            .toString('hex')
            .toUpperCase()}`;
          expect(result).toContain(`${path}:${line}: byte ${byte} is not valid UTF-8`);
        }
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['iso-8859-1', Buffer.from([0xe9, 0x85, 0x0a]), 'é\u0085\n'],
    ['Windows-1250', Buffer.from([0xf8, 0x0a]), 'ř\n'],
    ['utf-16le', Buffer.from('\ufeffč\n', 'utf16le'), '\ufeffč\n'],
    ['UTF8', Buffer.from('č\n'), 'č\n'],
  ])('reads %s', async (encoding, bytes, text) => {
    expect(await textOf(new TextFile(fileOf(bytes), encoding))).toBe(text);
  });

  test('refuses a byte that has no meaning in the encoding and names its line', async () => {
    const path = fileOf(Buffer.from([0x61, 0x0a, 0x81]));
    await expect(textOf(new TextFile(path, 'windows-1252'))).rejects.toThrow(
      `${path}:2: a byte has no meaning in windows-1252`,
    );
  });

  test('refuses an unknown encoding', () => {
    expect(() => new TextFile('file', 'klingon')).toThrow(
      new UsageError('unknown encoding “klingon”, expected for example utf-8, iso-8859-1 or windows-1250'),
    );
  });

  test('refuses a NUL character in any chunk and names its line', async () => {
    const path = fileOf(`${'a\n'.repeat(300_000)}b\0`);
    await expect(textOf(new TextFile(path))).rejects.toThrow(`${path}:300001: NUL character`);
  });
});
