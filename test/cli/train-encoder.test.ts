import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { babble } from '../support/babble.ts';
import { cliPath, runCli } from '../support/run-cli.ts';
import { runHere } from '../support/run-in-process.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('encoder');
const small = ['--units', '16', '--vocabulary', '30', '--negatives', '20', '--quiet'];

function words(model: string, ...more: readonly string[]): string[] {
  const files = ['--text', sandbox.path('text.txt'), '--model', sandbox.path(model)];
  return ['train', 'encoder', ...files, ...small, ...more];
}

/** Runs a training in this process, unless it asks for threads. */
const train = (given: readonly string[]) => (given.at(-1) === '2' ? runCli(given) : runHere(given));

beforeAll(async () => {
  let text = '';
  for await (const sentence of babble(4, 1000)) text += `${sentence.join(' ')}\n\n`;
  sandbox.save('text.txt', text);
});

test('training gives the same bytes with one thread or two, and when killed and resumed', async () => {
  const run = async (model: string, ...more: readonly string[]) => {
    expect(await train(words(model, '--epochs', '30', ...more))).toMatchObject({ status: 0, stderr: '' });
    expect(sandbox.list().filter((name) => name.startsWith(`${model}.`))).toEqual([]);
    return readFileSync(sandbox.path(model));
  };
  const whole = await run('one', '--jobs', '1');
  expect((await run('two', '--jobs', '2')).equals(whole)).toBe(true);

  const child = spawn(process.execPath, [cliPath, ...words('killed', '--epochs', '30', '--jobs', '1')]);
  const closed = once(child, 'close');
  while (child.exitCode === null && !existsSync(sandbox.path('killed.checkpoint.forward')))
    await setTimeout(5);
  child.kill('SIGKILL');
  expect(await closed).toEqual([null, 'SIGKILL']);
  expect(existsSync(sandbox.path('killed'))).toBe(false);
  expect((await run('killed', '--jobs', '1', '--resume')).equals(whole)).toBe(true);
});

test('training with --from gives the same bytes with one thread or two, and when killed and resumed', async () => {
  expect(await runHere(words('begun', '--epochs', '2'))).toMatchObject({ status: 0, stderr: '' });
  const further = (model: string, ...more: readonly string[]) => {
    const files = ['--text', sandbox.path('text.txt'), '--model', sandbox.path(model)];
    const learning = ['--from', sandbox.path('begun'), '--negatives', '20', '--epochs', '30'];
    return ['train', 'encoder', ...files, ...learning, ...more];
  };
  const run = async (model: string, ...more: readonly string[]) => {
    const found = await train(further(model, ...more));
    expect(found).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/forward cross-entropy .*perplexity/),
    });
    expect(found.stderr).toMatch(/before: forward cross-entropy .*\n.*before: backward/);
    return readFileSync(sandbox.path(model));
  };
  const whole = await run('further', '--jobs', '1');
  expect((await run('further-two', '--jobs', '2')).equals(whole)).toBe(true);
  const child = spawn(process.execPath, [cliPath, ...further('further-killed', '--jobs', '1')]);
  const closed = once(child, 'close');
  while (child.exitCode === null && !existsSync(sandbox.path('further-killed.checkpoint.forward')))
    await setTimeout(5);
  child.kill('SIGKILL');
  await closed;
  expect((await run('further-killed', '--jobs', '1', '--resume')).equals(whole)).toBe(true);
  expect(readFileSync(sandbox.path('begun')).equals(whole)).toBe(false);

  expect(await runHere(further('m', '--units', '16'))).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(
      /^parliament: error: --units does not go with --from, which keeps its units\n$/,
    ),
  });
  const bad = [...words('m').slice(0, 6), '--from', sandbox.path('text.txt')];
  expect(await runHere(bad)).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^parliament: error: .*text\.txt: .*\n$/),
  });
});

test('too little text and an output that is the input are refused', async () => {
  sandbox.save('little.txt', 'Too little text.\n');
  const little = ['train', 'encoder', '--text', sandbox.path('little.txt'), '--model', sandbox.path('m')];
  expect(await runHere(little)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('a text of 4 words'),
  });
  const same = ['train', 'encoder', '--text', sandbox.path('text.txt'), '--model', sandbox.path('text.txt')];
  expect(await runHere(same)).toMatchObject({ status: 2, stderr: expect.stringContaining('would replace') });
});
