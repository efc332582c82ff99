import { existsSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeFolder } from '../../src/files/files.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('make-folder');

test('a folder is made with those above it, by several at once, and may be there already', async () => {
  const path = sandbox.path('a/b/c');
  await Promise.all([makeFolder(path), makeFolder(path), makeFolder(sandbox.path('a/b/d'))]);
  await makeFolder(path);
  expect(statSync(path).isDirectory()).toBe(true);
  expect(existsSync(sandbox.path('a/b/d'))).toBe(true);
});

test('a folder that cannot be is refused in one line', async () => {
  const file = sandbox.save('file', '');
  await expect(makeFolder(file)).rejects.toThrow(`${file}: cannot make this folder: file already exists`);
  await expect(makeFolder(`${file}/x/y`)).rejects.toThrow(
    `${file}/x/y: cannot make this folder: part of the path is not a folder`,
  );
});

test.runIf(existsSync('/proc/self'))(
  'a folder where none can ever be is refused, not tried for ever',
  async () => {
    await expect(makeFolder('/proc/no/folder')).rejects.toThrow('/proc/no/folder: cannot make this folder: ');
  },
);
