import { expect, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { fileDigest } from '../../src/files/files.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('file-digest');

test('the digest of a file is its SHA-256; a missing file is refused with its path', async () => {
  const abc = sandbox.save('abc', 'abc');
  expect(await fileDigest(abc)).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  const gone = sandbox.path('gone');
  await expect(fileDigest(gone)).rejects.toThrow(
    new InputError('cannot be read: no such file or folder', { file: gone }),
  );
});
