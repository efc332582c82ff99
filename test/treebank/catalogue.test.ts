import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cacheFolder } from '../../src/files/cache-folder.ts';
import { Catalogue } from '../../src/treebank/catalogue.ts';

const text = '1\tHei\t_\t_\t_\t_\t0\troot\t_\t_\n\n';
function digested(content: string) {
  return { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}
const file = {
  part: 'dev',
  name: 'no_own-dev.conllu',
  sentences: 1,
  tokens: 1,
  ...digested(text),
  sources: [{ url: 'https://treebank.invalid/no_own-dev.conllu' }],
};
const entry = {
  name: 'own',
  title: 'Own',
  language: 'Norwegian',
  licence: 'MIT',
  format: 'conllu',
  description: 'One word.',
  files: [file],
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parliament-catalogue-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(entries: unknown): Promise<Catalogue> {
  const path = join(folder, 'catalogue.json');
  writeFileSync(path, typeof entries === 'string' ? entries : JSON.stringify(entries));
  return Catalogue.open({ file: path, cache: join(folder, 'cache') });
}

/** A catalogue of the one treebank above, and its one file. */
async function openOwn(entries: unknown = [entry]) {
  const catalogue = await open(entries);
  const own = catalogue.entry('own');
  return { catalogue, own, dev: own.files[0]! };
}

describe('a catalogue', () => {
  test('takes a file from a subfolder of the given folder, verifies it, and keeps it in the cache', async () => {
    const { catalogue, own, dev } = await openOwn();
    mkdirSync(join(folder, 'from', 'deep'), { recursive: true });
    writeFileSync(join(folder, 'from', 'deep', dev.name), text);
    expect(await catalogue.has(own, dev)).toBe(false);
    expect(await catalogue.get(own, dev, { from: join(folder, 'from') })).toBe(true);
    expect(catalogue.pathOf(own, dev)).toBe(join(folder, 'cache', 'treebanks', 'own', dev.name));
    expect(readFileSync(catalogue.pathOf(own, dev), 'utf8')).toBe(text);
    expect(await catalogue.has(own, dev)).toBe(true);
  });

  test('finds a file behind symbolic links, in spite of dangling and circular links', async () => {
    const { catalogue, own, dev } = await openOwn();
    const [from, elsewhere] = [join(folder, 'from'), join(folder, 'elsewhere')];
    for (const each of [from, elsewhere]) mkdirSync(each);
    writeFileSync(join(elsewhere, 'kept'), text);
    symlinkSync(join(elsewhere, 'kept'), join(elsewhere, dev.name));
    symlinkSync('nowhere', join(from, 'dangling'));
    symlinkSync('itself', join(from, 'itself'));
    symlinkSync(from, join(elsewhere, 'round'));
    symlinkSync(elsewhere, join(from, 'linked'));
    expect(await catalogue.get(own, dev, { from })).toBe(true);
    expect(readFileSync(catalogue.pathOf(own, dev), 'utf8')).toBe(text);
  });

  test('joins a file from numbered files of a folder, each ended by a blank line', async () => {
    const joined = text.replace(/\n\n/, '\n').concat('\n').repeat(2);
    const parts = { ...digested(joined), name: 'w_8-9.conllu', sources: [] };
    const own9 = {
      ...entry,
      files: [{ ...file, ...parts, join: { name: 'w_%.conllu', first: '08', last: '09' } }],
    };
    const { catalogue, own, dev } = await openOwn([own9]);
    writeFileSync(join(folder, 'w_08.conllu'), text.replace(/\n\n/, '\n'));
    await expect(catalogue.get(own, dev, { from: folder })).rejects.toThrow('no file called w_09.conllu');
    writeFileSync(join(folder, 'w_09.conllu'), text.replace(/\n\n/, '\n'));
    expect(await catalogue.get(own, dev, { from: folder })).toBe(true);
    expect(readFileSync(catalogue.pathOf(own, dev), 'utf8')).toBe(joined);
  });

  test('accepts a file of unknown size only with the right digest', async () => {
    const { bytes: _, ...rest } = file;
    const { catalogue, own, dev } = await openOwn([{ ...entry, files: [rest] }]);
    const from = join(folder, 'from');
    mkdirSync(from);
    writeFileSync(join(from, dev.name), `${text}\n`);
    await expect(catalogue.get(own, dev, { from })).rejects.toThrow(
      /SHA-256 is [0-9a-f]{64} \(\d+ bytes\), expected [0-9a-f]{64}$/,
    );
    writeFileSync(join(from, dev.name), text);
    expect(await catalogue.get(own, dev, { from })).toBe(true);
    expect(await catalogue.has(own, dev)).toBe(true);
  });

  test('names the publisher of a file that cannot be downloaded', async () => {
    const { catalogue, own, dev } = await openOwn([
      { ...entry, publisher: 'the corpus own of NLTK', files: [{ ...file, sources: [] }] },
    ]);
    await expect(catalogue.get(own, dev)).rejects.toThrow(
      'no_own-dev.conllu: cannot be downloaded; it comes with the corpus own of NLTK: get own from a folder that has it',
    );
  });

  test('does not fetch a file that is in the cache and intact', async () => {
    const { catalogue, own, dev } = await openOwn();
    mkdirSync(join(folder, 'cache', 'treebanks', 'own'), { recursive: true });
    writeFileSync(catalogue.pathOf(own, dev), text);
    expect(await catalogue.get(own, dev)).toBe(false);
  });

  test('replaces a file of the right size with the wrong digest', async () => {
    const { catalogue, own, dev } = await openOwn();
    mkdirSync(join(folder, 'cache', 'treebanks', 'own'), { recursive: true });
    writeFileSync(catalogue.pathOf(own, dev), text.replace('Hei', 'Hai'));
    writeFileSync(join(folder, dev.name), text);
    expect(await catalogue.get(own, dev, { from: folder })).toBe(true);
    expect(readFileSync(catalogue.pathOf(own, dev), 'utf8')).toBe(text);
  });

  test('uses the file of a given folder, even if the right one is in the cache', async () => {
    const { catalogue, own, dev } = await openOwn();
    const [from, nowhere] = [join(folder, 'from'), join(folder, 'nowhere')];
    mkdirSync(from);
    writeFileSync(join(from, dev.name), text);
    expect(await catalogue.get(own, dev, { from })).toBe(true);
    expect(await catalogue.get(own, dev, { from })).toBe(false);
    writeFileSync(join(from, dev.name), text.replace('Hei', 'Hai'));
    await expect(catalogue.get(own, dev, { from })).rejects.toThrow('SHA-256');
    await expect(catalogue.get(own, dev, { from: nowhere })).rejects.toThrow('nowhere: cannot look for');
    expect(readFileSync(catalogue.pathOf(own, dev), 'utf8')).toBe(text);
  });

  test('refuses a local file whose digest is wrong, and leaves the cache empty', async () => {
    const { catalogue, own, dev } = await openOwn();
    writeFileSync(join(folder, dev.name), text.replace('Hei', 'Hai'));
    await expect(catalogue.get(own, dev, { from: folder })).rejects.toThrow(
      /no_own-dev\.conllu: SHA-256 is [0-9a-f]{64} \(26 bytes\), expected [0-9a-f]{64} \(26 bytes\)$/,
    );
    expect(readdirSync(join(folder, 'cache', 'treebanks', 'own'))).toEqual([]);
  });

  test('names the folder in which it did not find a local file', async () => {
    const { catalogue, own, dev } = await openOwn();
    await expect(catalogue.get(own, dev, { from: folder })).rejects.toThrow(
      `${folder}: no file called no_own-dev.conllu in this folder or below it`,
    );
    await expect(catalogue.get(own, dev, { from: join(folder, 'nowhere') })).rejects.toThrow(
      /nowhere: cannot look for files: no such file or folder$/,
    );
  });

  test('uses a bundled file in its place, and never copies it', async () => {
    const bundled = { ...entry, files: [{ ...file, sources: [{ file: 'sample/dev.conllu' }] }] };
    const { catalogue, own, dev } = await openOwn([bundled]);
    expect(catalogue.pathOf(own, dev)).toBe(join(folder, 'sample', 'dev.conllu'));
    await expect(catalogue.get(own, dev)).rejects.toThrow(/dev\.conllu: damaged: it comes with this package/);
    mkdirSync(join(folder, 'sample'));
    writeFileSync(catalogue.pathOf(own, dev), text);
    expect(await catalogue.get(own, dev)).toBe(false);
    expect(existsSync(join(folder, 'cache'))).toBe(false);
  });

  test('lists its treebanks if the name is unknown', async () => {
    const { catalogue } = await openOwn();
    expect(() => catalogue.entry('ud-english')).toThrow('no treebank is called “ud-english”; there are: own');
  });

  test('reports that the cache folder cannot be created', async () => {
    writeFileSync(join(folder, 'plain'), '');
    const catalogue = await Catalogue.open({ cache: join(folder, 'plain') });
    const telugu = catalogue.entry('ud-telugu-mtg');
    await expect(catalogue.get(telugu, telugu.files[0]!)).rejects.toThrow(
      /ud-telugu-mtg: cannot make this folder: /,
    );
  });

  test.each([
    ['..', 'sample/x'],
    ['.', 'sample/x'],
    ['x', '../x'],
    ['x', 'sample/../../x'],
    ['x', '/etc/hosts'],
    ['x', 'sample/'],
  ])('is refused if a file would lie outside its folder: %s from %s', async (name, source) => {
    const files = [{ ...file, name, sources: [{ file: source }] }];
    await expect(open([{ ...entry, files }])).rejects.toThrow(
      /catalogue\.json: \[0\]\.files\[0\]\.(name|sources\[0\]\.file): expected /,
    );
  });

  test('is refused with the place of the first error', async () => {
    await expect(open([{ ...entry, licence: 3 }])).rejects.toThrow(/catalogue\.json: \[0\]\.licence: /);
    await expect(open([{ ...entry, license: 'MIT' }])).rejects.toThrow(/catalogue\.json: \[0\]: .*license/);
    await expect(open('[')).rejects.toThrow(/catalogue\.json: .*JSON/);
    const http = { ...file, sources: [{ url: 'http://treebank.invalid/' }] };
    await expect(open([{ ...entry, files: [http] }])).rejects.toThrow(
      /catalogue\.json: \[0\]\.files\[0\]\.sources\[0\]\.url: /,
    );
  });

  test('keeps treebanks in $PARLIAMENT_HOME if it is set', async () => {
    const before = process.env.PARLIAMENT_HOME;
    try {
      process.env.PARLIAMENT_HOME = folder;
      expect(cacheFolder()).toBe(folder);
      delete process.env.PARLIAMENT_HOME;
      expect(cacheFolder()).toMatch(/parliament/i);
    } finally {
      if (before !== undefined) process.env.PARLIAMENT_HOME = before;
    }
  });
});

describe('the bundled catalogue', () => {
  test('names each treebank once, and each part of it once', async () => {
    const { entries } = await Catalogue.open();
    expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
    for (const { files } of entries) expect(new Set(files.map(({ part }) => part)).size).toBe(files.length);
  });

  test('has the test parts of UD treebanks, with a digest and from the commit of the other parts', async () => {
    const { entries } = await Catalogue.open();
    const ud = entries.filter(({ name }) => name.startsWith('ud-') && name !== 'ud-czech-cac');
    expect(ud).toHaveLength(10);
    for (const { files } of ud) {
      const commits = files.map(({ sources: [source] }) => 'url' in source! && source.url.split('/')[5]);
      expect(new Set(commits).size).toBe(1);
      expect(files.at(-1)).toMatchObject({ part: 'test', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    }
  });
});
