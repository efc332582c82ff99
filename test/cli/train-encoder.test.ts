import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { babble } from '../support/babble.ts';
import { cliPath, runCli } from '../support/run-cli.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('encoder');
const small = ['--units', '16', '--vocabulary', '30', '--negatives', '20', '--quiet'];

function words(model: string, ...more: readonly string[]): string[] {
  const files = ['--text', sandbox.path('text.txt'), '--model', sandbox.path(model)];
  return ['train', 'encoder', ...files, ...small, ...more];
}

beforeAll(async () => {
  let text = '';
  for await (const sentence of babble(4, 2000)) text += `${sentence.join(' ')}\n\n`;
  sandbox.save('text.txt', text);
});

test('one thread or two: the same bytes; killed and resumed, too', async () => {
  const run = (model: string, ...more: readonly string[]) => {
    expect(runCli(words(model, '--epochs', '20', ...more))).toMatchObject({ status: 0, stderr: '' });
    expect(sandbox.list().filter((name) => name.startsWith(`${model}.`))).toEqual([]);
    return readFileSync(sandbox.path(model));
  };
  const whole = run('one', '--jobs', '1');
  expect(run('two', '--jobs', '2').equals(whole)).toBe(true);

  const child = spawn(process.execPath, [cliPath, ...words('killed', '--epochs', '20', '--jobs', '1')]);
  const closed = once(child, 'close');
  while (!existsSync(sandbox.path('killed.checkpoint.forward'))) await setTimeout(5);
  child.kill('SIGKILL');
  expect(await closed).toEqual([null, 'SIGKILL']);
  expect(existsSync(sandbox.path('killed'))).toBe(false);
  expect(run('killed', '--jobs', '1', '--resume').equals(whole)).toBe(true);
}, 60_000);

test('little text, other models and outputs that are inputs are refused', () => {
  sandbox.save('little.txt', 'Too little text.\n');
  const little = ['train', 'encoder', '--text', sandbox.path('little.txt'), '--model', sandbox.path('m')];
  expect(runCli(little)).toMatchObject({ status: 2, stderr: expect.stringContaining('a text of 4 words') });
  const same = ['train', 'encoder', '--text', sandbox.path('text.txt'), '--model', sandbox.path('text.txt')];
  expect(runCli(same)).toMatchObject({ status: 2, stderr: expect.stringContaining('would replace') });
});
