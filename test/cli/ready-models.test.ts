import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { Sandbox } from '../support/sandbox.ts';
import { smallModelFiles } from '../support/service.ts';

const sandbox = new Sandbox('cli-ready-models');

test('parse --draw draws the trees of a text, and also writes them to a file with -o', async () => {
  const { pipeline } = await smallModelFiles(sandbox);
  const text = sandbox.save('drawn.txt', 'The dogs bark. Nobody knows why.\n');
  const output = sandbox.path('drawn.conllu');
  const { stdout } = await runInProcess('parse', '--model', pipeline, text, '--draw', '--quiet');
  expect(stdout).toMatch(/^sentence 1 .*\n(.*\n)*.* dogs .*\n(.*\n)*\nsentence 2 .*\n(.*\n)*.* Nobody .*\n/);
  expect(stdout).toMatch(/[┌└]/);
  const also = await runInProcess('parse', '--model', pipeline, text, '--draw', '--quiet', '-o', output);
  expect(also.stdout).toBe(stdout);
  expect(await runInProcess('draw', output, '--sentence', '1-2')).toMatchObject({ stdout });
});

test('pipeline --compact writes a small model that parses text', async () => {
  const { pipeline } = await smallModelFiles(sandbox);
  const small = sandbox.path('compact.model');
  const text = sandbox.save('text.txt', 'The dogs bark all night. Nobody knows why.\n');
  expect(await runInProcess('pipeline', pipeline, '--compact', '-o', small)).toMatchObject({ exitCode: 0 });
  expect(statSync(small).size).toBeLessThan(statSync(pipeline).size / 2);
  // Weights are quantized: a tag may change if two have nearly the same score, as they do here.
  const { stdout } = await runInProcess('parse', '--model', small, text, '--quiet');
  const parsed = readSentences(stdout);
  expect(parsed.map(({ forms }) => forms.slice(1).join(' '))).toEqual([
    'The dogs bark all night .',
    'Nobody knows why .',
  ]);
  for (const { heads } of parsed) expect(heads.slice(1)).not.toContain(-1);
});
