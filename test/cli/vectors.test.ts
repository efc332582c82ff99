import { readFileSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runInProcess } from '../support/run-in-process.ts';
import { samplePath } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';
import { vectorFile } from '../support/vector-file.ts';

const sandbox = new Sandbox('vectors');
const small = ['--train', samplePath('train'), '--limit', '20', '--epochs', '1', '--units', '8'];

async function train(name: string, ...options: string[]) {
  const model = sandbox.path(name);
  return { model, ...(await runInProcess('train', 'network', ...small, '--model', model, ...options)) };
}

test('the same vectors in another folder give the same model, which parses and explains without them', async () => {
  const files = [1, 2].map(() => vectorFile(['the', 'of', 'company']));
  const models: string[] = [];
  for (const file of files) {
    const { exitCode, model, stderr } = await train(`${models.length}.model`, '--vectors', file);
    expect(stderr).toMatch(/\d+% of the treebank’s \d+ different words have vectors/);
    expect(exitCode).toBe(0);
    models.push(model);
    rmSync(file);
  }
  const [first, second] = models.map((model) => readFileSync(model));
  expect(first.equals(second)).toBe(true);
  const parsed = await runInProcess('parse', '--model', models[0], samplePath('test'), '--jobs', '2');
  expect(parsed.exitCode).toBe(0);
  const explained = await runInProcess('explain', '--model', models[0], samplePath('test'), '--arc', '2');
  expect(explained.exitCode).toBe(0);
});

test('a malformed file is refused in one line', async () => {
  const file = sandbox.save('some.vec', 'a 1 2\nb 1 x\n');
  const { exitCode, stderr } = await train('bad.model', '--vectors', file);
  expect(exitCode).toBe(2);
  expect(stderr.trim().split('\n').at(-1)).toMatch(/some\.vec:2: 'x', expected a number$/);
});

test('a limit without vectors is a usage error', async () => {
  const { exitCode, stderr } = await train('bad.model', '--vectors-limit', '5');
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/--vectors-limit 5 goes with --vectors/);
});

test('a model is not written over the vectors that it is made of', async () => {
  const file = vectorFile(['a']);
  const run = await runInProcess('train', 'network', ...small, '--model', file, '--vectors', file);
  expect(run.exitCode).toBe(2);
});
