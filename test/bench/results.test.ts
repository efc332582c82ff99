import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';

test('an unknown table is refused with a message of one line', () => {
  const program = join(packageFolder, 'dist', 'bench', 'results.js');
  const { status, stderr } = spawnSync(process.execPath, [program, 'nowhere'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^error: .*'nowhere' is invalid.*\.\n$/)]);
});
