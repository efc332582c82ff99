import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import npmConf from '@pnpm/npm-conf';
import { create } from 'tar';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Watchdog } from '../../../src/files/network/download.ts';
import { fetchFromPackage } from '../../../src/files/network/npm-package.ts';

const text = '1\tHello\n\n'.repeat(5_000);

let folder: string;
let registry: Server;
let address: string;
/** The addresses requested from the registry, each with the token sent. */
let asked: string[];
/** The address of the tarball in the description of the package. */
let tarballAddress: string;

/** Starts a server on this machine; returns its address, with a slash at the end. */
async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const close = (server: Server) => new Promise((done) => server.close(done));

/** Makes these the only settings of npm, in the user's configuration file. */
function npmrc(...lines: string[]): void {
  const file = join(folder, 'npmrc');
  writeFileSync(file, lines.join('\n'));
  for (const name of Object.keys(process.env)) {
    if (/^npm_config_|^(https?|no)_proxy$/i.test(name)) vi.stubEnv(name, undefined);
  }
  vi.stubEnv('npm_config_userconfig', file);
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parliament-npm-'));
  mkdirSync(join(folder, 'package'));
  writeFileSync(join(folder, 'package', 'wanted.conllu'), text);
  writeFileSync(join(folder, 'package', 'package.json'), '{"name":"corpus","version":"1.0.0"}');
  const tarball = join(folder, 'corpus.tgz');
  await create({ gzip: true, cwd: folder, file: tarball }, ['package']);
  asked = [];
  registry = createServer(({ url, headers }, response) => {
    asked.push([url, headers.authorization].filter(Boolean).join(' '));
    if (url?.endsWith('corpus.tgz')) response.end(readFileSync(tarball));
    else if (url?.endsWith('corpus')) {
      response.end(JSON.stringify({ versions: { '1.0.0': { dist: { tarball: tarballAddress } } } }));
    } else response.writeHead(404).end();
  });
  address = await listen(registry);
  tarballAddress = `${address}corpus.tgz`;
});

afterEach(async () => {
  vi.unstubAllEnvs();
  registry.closeAllConnections();
  await close(registry);
  rmSync(folder, { recursive: true, force: true });
});

/** The text of a file in a package. */
async function fetched(spec = 'corpus@1.0.0', path = 'package/wanted.conllu'): Promise<string> {
  let received = '';
  const watchdog = new Watchdog(undefined);
  await fetchFromPackage(spec, path, watchdog, async (data) => {
    received = await textOf(data);
  }).finally(() => watchdog.end());
  return received;
}

describe('a file of an npm package', () => {
  test('is fetched from the registry in the user’s settings, at the given version', async () => {
    npmrc(`registry=${address}`);
    expect(await fetched()).toBe(text);
    expect(asked).toEqual(['/corpus', '/corpus.tgz']);
    await expect(fetched('corpus@2.0.0')).rejects.toThrow(`${address}corpus has no tarball of version 2.0.0`);
    await expect(fetched('other@1.0.0')).rejects.toThrow(`HTTP status 404 of ${address}other`);
  });

  test('is refused if the package does not contain it', async () => {
    npmrc(`registry=${address}`);
    const missing = fetched('corpus@1.0.0', 'package/other.conllu');
    await expect(missing).rejects.toThrow('no file package/other.conllu in the package');
  });

  test.each([
    ['a page', '<html>Log in, please.</html>', 'the download is not a package: incorrect header check'],
    [
      'a compressed page',
      gzipSync('<html>'.repeat(1000)),
      /^the download is not a package: .*checksum failure/,
    ],
    ['nothing', '', /^the download is not a package: /],
  ])('is refused if a proxy returns %s instead of the tarball', async (_, answer, problem) => {
    npmrc(`registry=${address}`);
    const proxy = createServer((_, response) => response.end(answer));
    tarballAddress = `${await listen(proxy)}corpus.tgz`;
    await expect(fetched()).rejects.toThrow(problem);
    await close(proxy);
  });

  test('is refused if a proxy returns a page instead of the package’s description', async () => {
    const proxy = createServer((_, response) => response.end('<html>Log in, please.</html>'));
    const place = await listen(proxy);
    npmrc(`registry=${place}`);
    await expect(fetched()).rejects.toThrow(`the answer of ${place}corpus does not describe a package`);
    await close(proxy);
  });

  test('is given up if the package’s description never ends', async () => {
    const proxy = createServer((_, response) => {
      const spaces = Buffer.alloc(1 << 22, ' ');
      const more = () => response.write(spaces, (error) => error ?? more());
      more();
    });
    npmrc(`registry=${await listen(proxy)}`);
    await expect(fetched()).rejects.toThrow('more than the 67108864 bytes expected');
    await close(proxy);
  });

  test('is fetched from the registry of its scope, with that registry’s token', async () => {
    npmrc(
      'registry=http://127.0.0.1:1/',
      `@words:registry=${address}own`,
      `//${new URL(address).host}/own/:_authToken=secret`,
    );
    tarballAddress = `${address}own/-/corpus.tgz`;
    expect(await fetched('@words/corpus@1.0.0')).toBe(text);
    expect(asked).toEqual(['/own/@words%2fcorpus Bearer secret', '/own/-/corpus.tgz Bearer secret']);
  });

  test('is fetched without sending the registry’s token to another host', async () => {
    npmrc(`registry=${address}own/`, `//${new URL(address).host}/own/:_authToken=secret`);
    const others: (string | undefined)[] = [];
    const other = createServer(({ headers }, response) => {
      others.push(headers.authorization);
      response.writeHead(404).end();
    });
    tarballAddress = `${await listen(other)}corpus.tgz`;
    await expect(fetched()).rejects.toThrow(`HTTP status 404 of ${tarballAddress}`);
    await close(other);
    expect([asked, others]).toEqual([['/own/corpus Bearer secret'], [undefined]]);
  });

  test('is fetched from the configured registry even if its description names the public one', async () => {
    npmrc(`registry=${address}mirror`);
    tarballAddress = `${npmConf().config.root.registry}corpus/-/corpus.tgz`;
    expect(await fetched()).toBe(text);
    expect(asked).toEqual(['/mirror/corpus', '/mirror/corpus/-/corpus.tgz']);
  });

  test('is fetched through the proxy in the settings', async () => {
    const tunnels: (string | undefined)[] = [];
    const proxy = createServer().on('connect', ({ url }, socket) => {
      tunnels.push(url);
      const through = connect(Number(new URL(address).port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        through.pipe(socket).pipe(through);
      });
    });
    npmrc('registry=http://registry.invalid/', `proxy=${await listen(proxy)}`);
    tarballAddress = 'http://registry.invalid/corpus.tgz';
    expect(await fetched()).toBe(text);
    await close(proxy);
    expect(new Set(tunnels)).toEqual(new Set(['registry.invalid:80']));
  });
});
