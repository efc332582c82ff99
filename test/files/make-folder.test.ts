import { existsSync, statSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { makeFilledFolder, withTemporaryFolder } from '../../cli/folders.ts';
import { InputError } from '../../src/errors.ts';
import { makeFolder } from '../../src/files/files.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('make-folder');

afterEach(() => vi.unstubAllEnvs());

test('a folder is made with its parent folders, also by several calls at once, and may already exist', async () => {
  const path = sandbox.path('a/b/c');
  await Promise.all([makeFolder(path), makeFolder(path), makeFolder(sandbox.path('a/b/d'))]);
  await makeFolder(path);
  expect(statSync(path).isDirectory()).toBe(true);
  expect(existsSync(sandbox.path('a/b/d'))).toBe(true);
});

test('a folder that cannot be made is refused in one line', async () => {
  const file = sandbox.save('file', '');
  await expect(makeFolder(file)).rejects.toThrow(`${file}: cannot make this folder: file already exists`);
  await expect(makeFolder(`${file}/x/y`)).rejects.toThrow(
    `${file}/x/y: cannot make this folder: part of the path is not a folder`,
  );
});

test('a folder appears only after it is filled; one that cannot be made is refused before filling', async () => {
  const path = sandbox.path('new/filled');
  const seen = await makeFilledFolder(path, async (unfinished) => [unfinished === path, existsSync(path)]);
  expect([...seen, existsSync(path)]).toEqual([false, false, true]);
  const fill = vi.fn();
  const file = sandbox.save('no-folder', '');
  await expect(makeFilledFolder(`${file}/x`, fill)).rejects.toThrow(`${file}: cannot make this folder: `);
  vi.stubEnv('TMPDIR', sandbox.path('nowhere'));
  const problem = 'cannot make a folder here: no such file or folder';
  const expected = new InputError(problem, { file: sandbox.path('nowhere') });
  await expect(withTemporaryFolder(fill)).rejects.toThrow(expected);
  expect(fill).not.toHaveBeenCalled();
});

test.runIf(existsSync('/proc/self'))(
  'a folder in a place where none can be made is refused, not tried for ever',
  async () => {
    await expect(makeFolder('/proc/no/folder')).rejects.toThrow('/proc/no/folder: cannot make this folder: ');
  },
);
