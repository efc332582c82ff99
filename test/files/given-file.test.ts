import { expect, test } from 'vitest';
import { givenFile, withoutFolders } from '../../src/files/given-file.ts';
import { Sandbox } from '../support/sandbox.ts';

const [sandbox, other] = [new Sandbox('given-file'), new Sandbox('given-file')];

test('a given file is identified by its name and content, not by its folder', () => {
  const [here, there] = [sandbox, other].map((folder) => givenFile(folder.save('some.vec', 'a 1\n')));
  expect(here.path).not.toBe(there.path);
  const options = (vectors: object) => ({ rate: 0.1, parsers: [{ options: { vectors } }] });
  expect(withoutFolders(options(here))).toEqual(withoutFolders(options(there)));
  expect(withoutFolders({ vectors: here })).toEqual({ vectors: { file: 'some.vec', digest: here.digest } });
  expect(givenFile(sandbox.save('some.vec', 'b 1\n')).digest).not.toBe(there.digest);
});

test('a missing file, or one that cannot be read twice, is refused', () => {
  expect(() => givenFile(sandbox.path('none'))).toThrow(/none: cannot be read: no such file or folder/);
  expect(() => givenFile('/dev/null')).toThrow(/a folder, a pipe or a device, expected a file/);
});
