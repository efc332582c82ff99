import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';
import { runCli } from '../support/run-cli.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'parliament-demo-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Puts the bundled sample where the demo would. */
function copySample(to: string): void {
  for (const part of ['train', 'dev', 'test']) {
    for (const ending of ['conllu', 'mrg']) {
      const name = `${part}.${ending}`;
      fs.copyFileSync(join(packageFolder, 'data', 'sample', name), join(folder, to, name));
    }
  }
}

const demo = (...args: string[]) => runCli(['demo', '--quiet', ...args], { cwd: folder });

describe('parliament demo', () => {
  test('goes into a folder where it was before, and stops at a command that fails, with its exit code', () => {
    fs.mkdirSync(join(folder, 'out', 'graph.model'), { recursive: true });
    copySample('out');
    const { status, stdout, stderr } = demo('--output', 'out');
    expect(status).toBe(2);
    expect(stdout).not.toContain('$ parliament parse');
    expect(stderr).toMatch(
      /^parliament: error: graph\.model: .*\nparliament: warning: the demo stops here, .*\n$/,
    );
  });

  test.each(['another file', 'a changed file'])('leaves a folder alone that has %s', (what) => {
    fs.mkdirSync(join(folder, 'work'));
    if (what === 'a changed file') copySample('work');
    fs.writeFileSync(join(folder, 'work', 'test.conllu'), 'mine');
    const before = fs.readdirSync(join(folder, 'work'));
    const { status, stdout, stderr } = demo('-o', 'work');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      'parliament: error: work: has other files, expected a new or empty folder, or one of the demo\n',
    );
    expect(fs.readFileSync(join(folder, 'work', 'test.conllu'), 'utf8')).toBe('mine');
    expect(fs.readdirSync(join(folder, 'work'))).toEqual(before);
  });

  test('says so when its folder cannot be made', () => {
    fs.writeFileSync(join(folder, 'file'), '');
    const { status, stderr } = demo('--output', 'file');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^parliament: error: file: cannot make this folder: .*\n$/);
    expect(fs.existsSync(join(folder, 'parliament-demo'))).toBe(false);
  });
});
