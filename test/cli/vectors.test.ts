import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { readVectors } from '../../src/learn/vectors/read-vectors.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import { cliPath, runCli } from '../support/run-cli.ts';
import { runHere } from '../support/run-in-process.ts';
import { samplePath } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('vectors');
const text = sandbox.path('text.txt.gz');
const small = { dimensions: '20', 'min-count': '2', epochs: '2' };

/** The command line of a training of small vectors; `given` options are added, or replace the default ones. */
function args(model: string, given: Readonly<Record<string, string>> = {}): string[] {
  const options = Object.entries({ ...small, ...given }).flatMap(([name, value]) => [`--${name}`, value]);
  return ['train', 'vectors', '--text', text, '--model', sandbox.path(model), '--quiet', ...options];
}

beforeAll(async () => {
  const lines: string[] = [];
  for await (const { forms } of await openTreebank(samplePath('train'))) lines.push(forms.slice(1).join(' '));
  sandbox.save('text.txt.gz', gzipSync(`${lines.join('\n')}\n`.repeat(10)));
  expect(await runHere(args('one.vectors', { jobs: '1' }))).toMatchObject({ status: 0, stderr: '' });
});

test.each(['2', '3'])('train vectors gives the same bytes with %s threads', (jobs) => {
  expect(runCli(args('more.vectors', { jobs }))).toMatchObject({ status: 0, stdout: '' });
  expect(readFileSync(sandbox.path('more.vectors')).equals(readFileSync(sandbox.path('one.vectors')))).toBe(
    true,
  );
});

test('a training killed and resumed with another number of threads gives the same bytes', async () => {
  const longArgs = (model: string, jobs = '2') => args(model, { epochs: '25', jobs });
  expect((await runHere(longArgs('whole.vectors', '1'))).stderr).toBe('');
  const child = spawn(process.execPath, [cliPath, ...longArgs('killed.vectors')]);
  const closed = once(child, 'close');
  const state = sandbox.path('killed.vectors.checkpoint');
  while (child.exitCode === null && !existsSync(state)) await setTimeout(5);
  child.kill('SIGKILL');
  await closed;
  expect(existsSync(sandbox.path('killed.vectors'))).toBe(false);
  expect(runCli([...longArgs('killed.vectors', '1'), '--resume'])).toMatchObject({ status: 0, stderr: '' });
  expect(existsSync(state)).toBe(false);
  const [killed, whole] = ['killed', 'whole'].map((name) => readFileSync(sandbox.path(`${name}.vectors`)));
  expect(killed.equals(whole)).toBe(true);
});

test('vectors nearest prints neighbours, also of unknown words; vectors export writes the same vectors', async () => {
  const model = sandbox.path('one.vectors');
  const table = await runHere(['vectors', 'nearest', model, 'the', '--count', '2']);
  expect(table.stdout.split('\n').slice(0, 2)).toEqual([
    expect.stringMatching(/^word +nearest +cosine$/),
    expect.anything(),
  ]);
  const [found] = JSON.parse((await runHere(['vectors', 'nearest', model, 'unthinkingly', '--json'])).stdout);
  expect(found).toMatchObject({ word: 'unthinkingly', neighbours: { length: 10 } });
  expect(await runHere(['vectors', 'nearest', model, '漢'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('one.vectors: no vector for any of these words'),
  });
  const some = await runHere(['vectors', 'nearest', model, '漢', 'the', '--json']);
  expect(JSON.parse(some.stdout)).toMatchObject([{ word: 'the' }]);
  expect(some.stderr).toContain('one.vectors: no vector for “漢”');

  const vec = sandbox.path('one.vec');
  expect((await runHere(['vectors', 'export', model, '-o', vec])).status).toBe(0);
  const [own, read] = [await readVectors(model, 50), await readVectors(vec, 50)];
  expect(own.size).toBe(50);
  const [a, b] = [new Float32Array(20), new Float32Array(20)];
  for (let i = 0; i < 50; i++) {
    expect(read.wordAt(i)).toBe(own.wordAt(i));
    own.fillRow(i, a, 0);
    read.fillRow(i, b, 0);
    const largest = a.indexOf(Math.max(...a));
    for (let j = 0; j < 20; j++) expect(b[j] / b[largest]).toBeCloseTo(a[j] / a[largest], 1);
  }
});

test.each([
  [{ subwords: '6-3' }, "option '--subwords': expected the smaller length first"],
  [{ subwords: 'x' }, "option '--subwords': expected two lengths such as 3-6"],
  [{ rate: '2' }, 'Expected a number from 0.0001 to 1'],
  [{ 'min-count': '100000' }, 'too little text'],
  [{ tokenizer: text }, 'not a Parliament model'],
])('train vectors refuses %j', async (given, message) => {
  const { status, stderr } = await runHere(args('none.vectors', given));
  expect(status).toBe(2);
  expect(stderr).toContain(message);
});

test('a parser can be trained with the vectors', async () => {
  const train = ['--train', samplePath('train'), '--limit', '30', '--epochs', '1', '--quiet'];
  const model = sandbox.path('network.model');
  const vectors = ['--vectors', sandbox.path('one.vectors')];
  expect((await runHere(['train', 'network', ...train, ...vectors, '--model', model])).stderr).toBe('');
  expect(await runHere(['parse', '--model', model, samplePath('dev'), '--quiet'])).toMatchObject({
    status: 0,
  });
});
