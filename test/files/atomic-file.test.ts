import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { InputError, UsageError } from '../../src/errors.ts';
import { AtomicFile, writeTextFile } from '../../src/files/atomic-file.ts';
import { failureOfOrdinaryUser } from '../support/ordinary-user.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parliament-atomic-file-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const inFolder = (name: string) => join(folder, name);

describe('an atomic file', () => {
  test('appears at commit, complete, and leaves no other file in its folder', async () => {
    const file = await AtomicFile.create(inFolder('out'));
    for (let i = 0; i < 5; i++) await file.write('é\n'.repeat(100_000));
    expect(existsSync(inFolder('out'))).toBe(false);
    await file.commit();
    await file.discard();
    expect(readdirSync(folder)).toEqual(['out']);
    expect(readFileSync(inFolder('out'), 'utf8')).toBe('é\n'.repeat(500_000));
  });

  test('never appears if it is discarded; an older file stays as it was', async () => {
    writeFileSync(inFolder('out'), 'old');
    const file = await AtomicFile.create(inFolder('out'));
    await file.write('new'.repeat(200_000));
    await file.discard();
    expect(readdirSync(folder)).toEqual(['out']);
    expect(readFileSync(inFolder('out'), 'utf8')).toBe('old');
  });

  test('that is neither committed nor discarded is removed when the process exits (needs the built package)', () => {
    const module = new URL('../../dist/src/files/atomic-file.js', import.meta.url);
    const program = `
      import { AtomicFile } from ${JSON.stringify(module)};
      import { readdirSync } from 'node:fs';
      await AtomicFile.create('out');
      console.log(readdirSync('.').length);
      process.exit(1);`;
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: folder,
    });
    expect([status, stdout.toString()]).toEqual([1, '1\n']);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('replaces an older file and keeps its permissions', async () => {
    writeFileSync(inFolder('out'), 'old');
    chmodSync(inFolder('out'), 0o640);
    const file = await AtomicFile.create(inFolder('out'));
    await file.write('new');
    await file.commit();
    expect(readFileSync(inFolder('out'), 'utf8')).toBe('new');
    expect(statSync(inFolder('out')).mode & 0o777).toBe(0o640);
  });

  test('replaces the file behind a symbolic link, not the link', async () => {
    mkdirSync(inFolder('elsewhere'));
    writeFileSync(inFolder('elsewhere/file'), 'old');
    symlinkSync(inFolder('elsewhere/file'), inFolder('link'));
    const file = await AtomicFile.create(inFolder('link'));
    await file.write('new');
    await file.commit();
    expect(readFileSync(inFolder('elsewhere/file'), 'utf8')).toBe('new');
  });

  test('is created behind a symbolic link whose target does not exist yet', async () => {
    mkdirSync(inFolder('elsewhere'));
    symlinkSync('elsewhere', inFolder('folder'));
    symlinkSync('link', inFolder('link-to-link'));
    symlinkSync('folder/file', inFolder('link'));
    await writeTextFile(inFolder('link-to-link'), 'new');
    expect(readFileSync(inFolder('elsewhere/file'), 'utf8')).toBe('new');
    expect(readdirSync(folder).sort()).toEqual(['elsewhere', 'folder', 'link', 'link-to-link']);
    expect(readlinkSync(inFolder('link'))).toBe('folder/file');
  });

  test('is refused behind a link to itself or into a missing folder; the link stays as it was', async () => {
    for (const [target, problem] of [
      ['missing/file', 'no such file or folder'],
      ['link', 'too many symbolic links encountered'],
    ] as const) {
      symlinkSync(target, inFolder('link'));
      await expect(writeTextFile(inFolder('link'), 'new')).rejects.toEqual(
        new InputError(`cannot be written: ${problem}`, { file: inFolder('link') }),
      );
      expect(readlinkSync(inFolder('link'))).toBe(target);
      rmSync(inFolder('link'));
    }
  });

  test.each(['', 'text\n'.repeat(200_000)])('is compressed if its name ends in .gz', async (text) => {
    const file = await AtomicFile.create(inFolder('out.gz'));
    await file.write(text);
    await file.commit();
    expect(gunzipSync(readFileSync(inFolder('out.gz'))).toString()).toBe(text);
  });

  test('may be written in another encoding; characters that it lacks are refused', async () => {
    const file = await AtomicFile.create(inFolder('out'), { encoding: 'iso-8859-1' });
    await file.write('é');
    await file.commit();
    expect(readFileSync(inFolder('out'))).toEqual(Buffer.from([0xe9]));

    const other = await AtomicFile.create(inFolder('other'), { encoding: 'iso-8859-1' });
    await other.write('naïve ő');
    await expect(other.commit()).rejects.toThrow(
      new InputError('the encoding iso-8859-1 has no character “ő”, expected for example utf-8', {
        file: inFolder('other'),
        line: 1,
      }),
    );
    await other.discard();
    expect(readdirSync(folder)).toEqual(['out']);
  });

  test('keeps a UTF-16 byte-order mark that the text has, and adds none', async () => {
    for (const text of ['\ufeffa', 'a']) {
      const file = await AtomicFile.create(inFolder('out'), { encoding: 'utf-16le' });
      await file.write(text);
      await file.commit();
      expect(readFileSync(inFolder('out'))).toEqual(Buffer.from(text, 'utf16le'));
    }
  });

  test('that is a device is written directly', async () => {
    const file = await AtomicFile.create('/dev/null');
    await file.write('text');
    await file.commit();
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test.skipIf(process.platform === 'win32')(
    'that is already open is written from its position on, neither truncated nor replaced',
    async () => {
      writeFileSync(inFolder('out'), 'old ');
      const open = openSync(inFolder('out'), 'a');
      await writeTextFile(`/dev/fd/${open}`, 'new ');
      writeSync(open, 'end');
      closeSync(open);
      expect(readFileSync(inFolder('out'), 'utf8')).toBe('old new end');
    },
  );

  test.each(['-', '/dev/stdout', '/dev/fd/1'])('named %s is standard output', async (name) => {
    const written: string[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation(((bytes: Uint8Array, done: () => void) => {
      written.push(Buffer.from(bytes).toString());
      done();
      return true;
    }) as typeof process.stdout.write);
    const file = await AtomicFile.create(name);
    await file.write('text');
    await file.commit();
    await file.discard();
    vi.restoreAllMocks();
    expect(written).toEqual(['text']);
  });

  test.each([
    ['in a folder that does not exist', 'missing/out', 'no such file or folder'],
    ['that is a folder', '', 'is a folder, expected a file'],
  ])('%s is refused at once', async (_, name, reason) => {
    await expect(AtomicFile.create(inFolder(name))).rejects.toEqual(
      new InputError(`cannot be written: ${reason}`, { file: inFolder(name) }),
    );
  });

  test('in a folder without write permission is refused', () => {
    mkdirSync(inFolder('closed'), { mode: 0o555 });
    const created = "module.AtomicFile.create('closed/out')";
    expect(failureOfOrdinaryUser(folder, 'src/files/atomic-file.js', created)).toBe(
      'closed/out: cannot be written: permission denied\n',
    );
  });

  test('in an unknown encoding is refused', async () => {
    await expect(AtomicFile.create(inFolder('out'), { encoding: 'klingon' })).rejects.toThrow(UsageError);
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('an output that would replace an input is refused, also through a link', async () => {
  const input = inFolder('in');
  writeFileSync(input, 'text');
  symlinkSync(input, inFolder('link'));
  linkSync(input, inFolder('hard'));
  for (const output of [input, inFolder('link'), inFolder('hard')]) {
    await expect(AtomicFile.create(output, { inputs: [inFolder('gone'), input] })).rejects.toEqual(
      new UsageError(`the output ${output} would replace the input ${input}`),
    );
  }
  const other = await AtomicFile.create(inFolder('gone'), { inputs: [inFolder('gone'), input] });
  await other.discard();
  expect(readFileSync(input, 'utf8')).toBe('text');
});
