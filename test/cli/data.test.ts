import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { create } from 'tar';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cliPath } from '../support/run-cli.ts';
import { runHere } from '../support/run-in-process.ts';
import { needsShared, sharedPath } from '../support/shared.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'parliament-data-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const data = (...args: string[]) => runHere(['data', ...args], { env: { PARLIAMENT_HOME: home } });

describe('parliament data', () => {
  test('lists the treebanks, first the bundled sample, which is always available', async () => {
    const { status, stdout } = await data('list');
    expect(status).toBe(0);
    const [header, , sample, ...others] = stdout.trimEnd().split('\n');
    expect(header).toMatch(/^name +treebank +licence +train +dev +test +size +here$/);
    expect(sample).toMatch(/^sample +Parliament sample +MIT .* yes$/);
    expect(others.find((line) => line.startsWith('ud-english-ewt'))).toMatch(/CC BY-SA 4\.0 .* no$/);
  });

  test('lists files, sources and digests as JSON', async () => {
    const list = JSON.parse((await data('list', '--json')).stdout);
    const english = list.find(({ name }: { name: string }) => name === 'ud-english-ewt');
    expect(english.files[0]).toMatchObject({
      part: 'train',
      sentences: 12_544,
      here: false,
      path: join(home, 'treebanks', 'ud-english-ewt', 'en_ewt-ud-train.conllu'),
      sha256: '3fb78e2b55482c8ee00caa653af436c88c9e5bc9a73ce26e4ae3ddc79d2b7e7b',
    });
  });

  test('prints the paths of the sample, or of one part of it', async () => {
    const { status, stdout } = await data('path', 'sample');
    expect(status).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((path) => existsSync(path)),
    ).toEqual([true, true, true]);
    expect((await data('path', 'sample', '--part', 'dev')).stdout).toMatch(/sample.dev\.conllu\n$/);
  });

  test('says which command gets a missing treebank', async () => {
    const { status, stdout, stderr } = await data('path', 'ud-telugu-mtg');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      'parliament: error: the train part of ud-telugu-mtg is not here: parliament data get ud-telugu-mtg\n',
    );
  });

  test('refuses names and parts that do not exist', async () => {
    expect(await data('get', 'ud-klingon')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        /^parliament: error: no treebank is called “ud-klingon”; there are: sample, .*\n$/,
      ),
    });
    expect(await data('path', 'genia', '--part', 'test')).toMatchObject({
      status: 2,
      stderr: 'parliament: error: genia has no test part\n',
    });
  });

  test('refuses a file with the wrong digest, in one line with both digests, and keeps nothing', async () => {
    const from = join(home, 'from');
    mkdirSync(from);
    writeFileSync(join(from, 'te_mtg-ud-train.conllu'), '1\tx\n');
    const { status, stdout, stderr } = await data('get', 'ud-telugu-mtg', '--from', from);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^parliament: error: .*SHA-256 is [0-9a-f]{64} .*expected efc8e26e[0-9a-f]{56} .*\n$/,
    );
    expect(readdirSync(join(home, 'treebanks', 'ud-telugu-mtg'))).toEqual([]);
  });

  test('gets a package from the registry that npm is set to, and verifies its digest', async () => {
    mkdirSync(join(home, 'package/data/corpora'), { recursive: true });
    writeFileSync(join(home, 'package/package.json'), '{"name":"notatrix","version":"2.3.2"}');
    writeFileSync(join(home, 'package/data/corpora/cs_cac-ud-train.conllu'), 'other');
    await create({ gzip: true, cwd: home, file: join(home, 'package.tgz') }, ['package']);
    const registry = createServer(({ url, headers }, response) => {
      if (url === '/package.tgz') return response.end(readFileSync(join(home, 'package.tgz')));
      const dist = { tarball: `http://${headers.host}/package.tgz` };
      const versions = { '2.3.2': { name: 'notatrix', version: '2.3.2', dist } };
      return response.end(JSON.stringify({ name: 'notatrix', 'dist-tags': { latest: '2.3.2' }, versions }));
    });
    await new Promise<void>((done) => registry.listen(0, '127.0.0.1', done));
    const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
    const env = { ...process.env, PARLIAMENT_HOME: home, npm_config_registry: address };
    const failed = promisify(execFile)(process.execPath, [cliPath, 'data', 'get', 'ud-czech-cac'], { env });
    await expect(failed).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/ npm package notatrix@2\.3\.2: SHA-256 is d9298a10d1b0/),
    });
    await new Promise((done) => registry.close(done));
    expect(readdirSync(join(home, 'treebanks', 'ud-czech-cac'))).toEqual([]);
  });

  test('is stopped by one Ctrl-C while a registry does not answer', async () => {
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const registry = createServer(() => asked());
    await new Promise<void>((done) => registry.listen(0, '127.0.0.1', done));
    const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
    const env = { ...process.env, PARLIAMENT_HOME: home, npm_config_registry: address };
    const child = spawn(process.execPath, [cliPath, 'data', 'get', 'ud-czech-cac'], { env, stdio: 'ignore' });
    const closed = once(child, 'close');
    await isAsked;
    child.kill('SIGINT');
    expect(await closed).toEqual([130, null]);
    registry.closeAllConnections();
    await new Promise((done) => registry.close(done));
  });

  needsShared.test('takes a treebank from a local folder, and finds it the next time', async () => {
    const first = await data('get', 'ud-telugu-mtg', '--from', sharedPath('treebanks'));
    expect(first.status).toBe(0);
    expect(first.stderr).toMatch(/te_mtg-ud-train\.conllu: 445\.9 kB, verified/);
    const paths = first.stdout.trimEnd().split('\n');
    expect(readFileSync(paths[1]!)).toEqual(
      readFileSync(sharedPath('treebanks/ud-telugu-mtg/te_mtg-ud-dev.conllu')),
    );
    expect(first.stderr).toMatch(/te_mtg-ud-test\.conllu: not in .*, left out/);
    expect((await data('list')).stdout).toMatch(/^ud-telugu-mtg .* without test$/m);
    const again = await data('get', 'ud-telugu-mtg', '--from', sharedPath('treebanks'));
    expect(again).toMatchObject({ status: 0, stdout: first.stdout });
    expect(again.stderr).toMatch(/te_mtg-ud-train\.conllu: 445\.9 kB, already here, nothing to do/);
    const quiet = await data('get', 'ud-telugu-mtg', '--from', sharedPath('treebanks'), '--quiet');
    expect(quiet.stderr).toBe('');
    expect((await data('path', 'ud-telugu-mtg')).stdout).toBe(first.stdout);
  });
});
