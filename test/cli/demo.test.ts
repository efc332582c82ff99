import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import promises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';
import { replaceBuiltin } from '../support/replace-builtin.ts';
import { cliPath, runCli } from '../support/run-cli.ts';
import { runHere } from '../support/run-in-process.ts';

const copyFile = vi.fn(promises.copyFile);
replaceBuiltin(promises, 'copyFile', copyFile);

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

const demo = (...args: string[]) => runHere(['demo', '--quiet', ...args], { cwd: folder });

describe('parliament demo', () => {
  test('uses its own folder again, and stops at a command that fails, with the same exit code', () => {
    fs.mkdirSync(join(folder, 'out', 'graph.model'), { recursive: true });
    copySample('out');
    const { status, stdout, stderr } = runCli(['demo', '--quiet', '--output', 'out'], { cwd: folder });
    expect(status).toBe(2);
    expect(stdout).not.toContain('$ parliament parse');
    expect(stderr).toMatch(
      /^parliament: error: graph\.model: .*\nparliament: warning: the demo stops here, .*\n$/,
    );
  });

  test('stops if the ready model cannot parse', () => {
    const model = join(folder, 'node_modules', 'parliament-english');
    fs.mkdirSync(model, { recursive: true });
    fs.writeFileSync(join(model, 'package.json'), '{}');
    fs.writeFileSync(join(model, 'english.model'), 'damaged');
    const { status, stdout } = runCli(['demo'], { cwd: folder });
    expect(status).toBe(2);
    expect(stdout).toMatch(/parse --model english --draw\n$/);
  });

  test.each(['another file', 'a changed file'])(
    'refuses a folder that has %s, and leaves it unchanged',
    async (what) => {
      fs.mkdirSync(join(folder, 'work'));
      if (what === 'a changed file') copySample('work');
      fs.writeFileSync(join(folder, 'work', 'test.conllu'), 'mine');
      const before = fs.readdirSync(join(folder, 'work'));
      const { status, stdout, stderr } = await demo('-o', 'work');
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toBe(
        'parliament: error: work: has other files, expected a new or empty folder, or one of the demo\n',
      );
      expect(fs.readFileSync(join(folder, 'work', 'test.conllu'), 'utf8')).toBe('mine');
      expect(fs.readdirSync(join(folder, 'work'))).toEqual(before);
    },
  );

  test('removes its copies if it cannot copy the whole sample, so that it can be run again', async () => {
    const full = Object.assign(new Error(), { code: 'ENOSPC', errno: -28 });
    copyFile.mockImplementationOnce(async (_, to) => fs.writeFileSync(to, 'copied'));
    copyFile.mockRejectedValueOnce(full);
    expect(await runHere(['demo', '--output', 'out'], { cwd: folder })).toMatchObject({
      status: 2,
      stderr: 'parliament: error: out: cannot copy the sample here: no space left on device\n',
    });
    expect(fs.readdirSync(join(folder, 'out'))).toEqual([]);
  });

  test('stops the running command when it is stopped itself', async () => {
    const child = spawn(process.execPath, [cliPath, 'demo', '--quiet', '--output', 'out'], { cwd: folder });
    let printed = '';
    child.stdout.on('data', (data) => {
      printed += data;
      if (!child.killed && printed.includes('$ parliament train graph')) child.kill();
    });
    let problem = '';
    child.stderr.on('data', (data) => {
      problem += data;
    });
    // It closes only once the command, which shares its standard output, has ended.
    const [status] = await once(child, 'close');
    expect([status, problem]).toEqual([128 + 15, 'parliament: stopped; the same command begins again\n']);
    expect(fs.existsSync(join(folder, 'out', 'graph.model'))).toBe(false);
  });

  test('refuses a folder that it cannot create', async () => {
    fs.writeFileSync(join(folder, 'file'), '');
    const { status, stderr } = await demo('--output', 'file');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^parliament: error: file: cannot make this folder: .*\n$/);
    expect(fs.existsSync(join(folder, 'parliament-demo'))).toBe(false);
  });
});
