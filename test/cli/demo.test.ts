import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCli } from '../support/run-cli.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parliament-demo-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const demo = (...args: string[]) => runCli(['demo', '--quiet', ...args], { cwd: folder });

describe('parliament demo', () => {
  test('trains, parses, compares and draws, and shows every command as a user would type it', () => {
    const { status, stdout, stderr } = demo();
    expect([status, stderr]).toEqual([0, '']);
    const commands = stdout.match(/(?<=^\$ parliament )\w+/gm);
    expect(commands).toEqual(['stats', 'train', 'train', 'parse', 'parse', 'evaluate', 'draw', 'draw']);
    expect(stdout).toContain(`What it wrote is in ${join(folder, 'parliament-demo')}.`);
    const [, anyTree, projective] = stdout.split(/^(?:any-tree|projective)\.conllu +66 +1196 +/m);
    for (const scores of [anyTree!, projective!]) {
      const [uas, las] = scores.split(/\s+/).map(Number);
      // Far above attaching each word to its neighbour, and no better than parsers trained on a thousand
      // times as much.
      expect(uas).toBeGreaterThan(70);
      expect(uas).toBeLessThan(97);
      expect(las).toBeGreaterThan(65);
      expect(las).toBeLessThan(uas!);
    }
    expect(readFileSync(join(folder, 'parliament-demo', 'tree.svg'), 'utf8')).toMatch(/^<svg /);
  });

  test('stops at a command that fails, with its exit code', () => {
    mkdirSync(join(folder, 'out', 'any-tree.model'), { recursive: true });
    const { status, stdout, stderr } = demo('--output', 'out');
    expect(status).toBe(2);
    expect(stdout).not.toContain('$ parliament parse');
    expect(stderr).toMatch(
      /^parliament: error: any-tree\.model: .*\nparliament: warning: the demo stops here, .*\n$/,
    );
  });

  test('says so when its folder cannot be made', () => {
    writeFileSync(join(folder, 'file'), '');
    const { status, stderr } = demo('--output', 'file');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^parliament: error: file: cannot put the sample here: .*\n$/);
    expect(existsSync(join(folder, 'parliament-demo'))).toBe(false);
  });
});
