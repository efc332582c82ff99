import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { isRegularFile, sizeOfFile } from '../../src/files/files.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parliament-file-stats-'));
  writeFileSync(join(folder, 'file'), 'four');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('isRegularFile distinguishes files, folders and missing paths', () => {
  expect(isRegularFile(join(folder, 'file'))).toBe(true);
  expect(isRegularFile(folder)).toBe(false);
  expect(isRegularFile(join(folder, 'none'))).toBe(undefined);
  expect(isRegularFile(join(folder, 'file', 'below'))).toBe(undefined);
});

test('sizeOfFile gives the size of a file and refuses a missing file', () => {
  expect(sizeOfFile(join(folder, 'file'))).toBe(4);
  const gone = join(folder, 'none');
  expect(() => sizeOfFile(gone)).toThrow(InputError);
  expect(() => sizeOfFile(gone)).toThrow(`${gone}: cannot be read`);
});
