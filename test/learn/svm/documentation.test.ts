import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('svm-documentation');
const root = resolve(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs', 'support-vector-machines.md'), 'utf8');

/** The contents of the page's code blocks in a language. */
function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, block]) => block!,
  );
}

test('the example in docs/support-vector-machines.md prints the output that is shown there', () => {
  const [train, unseen, output] = blocks('text');
  sandbox.save('train.txt', train!);
  sandbox.save('test.txt', unseen!);
  mkdirSync(sandbox.path('node_modules'));
  symlinkSync(root, sandbox.path('node_modules/parliament'));
  const script = sandbox.save('example.mjs', blocks('js')[0]!);
  const { stdout, stderr } = spawnSync(process.execPath, [script], { cwd: sandbox.folder, encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: output, stderr: '' });
});
