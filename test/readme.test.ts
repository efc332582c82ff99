import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** What stands in the README's ```sh fences; other fences (```console, ```text) are only read. */
const blocks = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].map(
  ([, block]) => block!,
);

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

describe('the README', () => {
  test('shows the main commands in blocks that are run here', () => {
    for (const command of ['train', 'parse', 'evaluate'])
      expect(blocks.join()).toContain(`parliament ${command} `);
  });

  test.each(blocks.map((block) => [block.split('\n')[0], block]))('%s … runs without error', (_, block) => {
    const { status, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', block!], {
      cwd: folder,
      env: environment,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    expect(stderr).not.toMatch(/error:/);
    expect(status, stderr).toBe(0);
  });
});
