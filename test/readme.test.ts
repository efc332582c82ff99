import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/**
 * The commands in each ```sh fence of a page, and the lines of the ```text fence right after it, which are
 * all or part of what the commands print (`…`: lines are left out). Other fences are ignored.
 */
const blocksOf = (page: string) =>
  [
    ...readFileSync(join(root, page), 'utf8').matchAll(/^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?/gms),
  ].map(([, commands, shown = '']) => ({
    page,
    commands: commands!,
    shown: shown.split('\n').filter((line) => line !== ''),
  }));
/** The guide and the page on comparing use files that the commands of the README wrote. */
const blocks = [...blocksOf('README.md'), ...blocksOf('docs/guide.md'), ...blocksOf('docs/comparing.md')];

/** One folder for all blocks, so that a command finds what the commands before it wrote. */
let folder: string;
let environment: NodeJS.ProcessEnv;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parliament-readme-'));
  const bin = join(folder, '.bin');
  mkdirSync(bin);
  const main = join(root, 'dist', 'cli', 'main.js');
  writeFileSync(join(bin, 'parliament'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
  chmodSync(join(bin, 'parliament'), 0o755);
  environment = {
    ...process.env,
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    PARLIAMENT_HOME: join(folder, '.home'),
  };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the README, the guide and the page on comparing', () => {
  test('include a README of fewer than 200 lines, with small pictures', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    expect(readme.split('\n').length).toBeLessThan(200);
    const pictures = [...readme.matchAll(/\]\((docs\/pictures\/[^)]*)\)/g)].map(([, path]) => path!);
    expect(pictures.length).toBeGreaterThan(1);
    for (const path of pictures) expect(statSync(join(root, path)).size).toBeLessThan(200_000);
  });

  test('show the main commands in blocks that this test runs', () => {
    for (const command of ['train', 'parse', 'evaluate'])
      expect(blocks.map(({ commands }) => commands).join()).toContain(`parliament ${command} `);
  });

  test('show the output of five blocks: scores, trees and comparisons', () => {
    expect(blocks.map(({ shown }) => shown.length).filter((count) => count > 0)).toEqual([9, 6, 15, 14, 4]);
  });

  test.each(blocks)(
    '$page: $commands … prints what is shown, and no error',
    ({ commands, shown }) => {
      const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', commands], {
        cwd: folder,
        env: environment,
        encoding: 'utf8',
        maxBuffer: 1 << 26,
      });
      expect(stderr).not.toMatch(/error:/);
      expect(status, stderr).toBe(0);
      // `…` stands for lines that are left out; blank lines do not count.
      const printed = stdout.replace(/\n+/g, '\n');
      let at = 0;
      for (const lines of shown.join('\n').split(/\n…(?:\n|$)/)) {
        expect(printed.slice(at)).toContain(lines);
        at = printed.indexOf(lines, at) + lines.length;
      }
    },
    300_000,
  );
});
