import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { makePipeline } from '../../combine/pipeline/make-pipeline.ts';
import { savePipeline } from '../../combine/pipeline/saved-pipeline.ts';
import { copyOf, saveParser } from '../../parsers/registry.ts';
import { OptionError } from '../../src/errors.ts';
import { packageFolder } from '../../src/platform/package.ts';
import { WorkerPool } from '../../src/threads/worker-pool.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { textOf } from '../../src/treebank/surface.ts';
import { cliPath, runCli, runCountingThreads } from '../support/run-cli.ts';
import { runHere } from '../support/run-in-process.ts';
import { samplePath, sampleText } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';
import { smallModels } from '../support/small-pipeline.ts';

const sandbox = new Sandbox('pipeline-threads');
const model = sandbox.path('english.model');

/** Enough for several workers. */
const text = readSentences(sampleText('train')).map(textOf).join('').repeat(3);

beforeAll(async () => {
  savePipeline(model, await makePipeline(Object.values(await smallModels())));
});

test('the trees do not depend on the number of threads, from a file or from standard input', () => {
  const input = sandbox.save('in.txt', text);
  const [one, three] = ['1', '3'].map((jobs) => {
    const output = sandbox.path(`out-${jobs}.conllu`);
    const args = ['parse', '--model', model, input, '-o', output, '--jobs', jobs, '--quiet'];
    const { status, stderr, threads } = runCountingThreads(args);
    expect({ status, stderr, threads }).toEqual({ status: 0, stderr: '', threads: Number(jobs) - 1 });
    return readFileSync(output, 'utf8');
  });
  expect(three === one).toBe(true);
  expect(readSentences(one).map(textOf).join('') === text).toBe(true);
  expect(runCli(['parse', '--model', model, '--jobs', '2'], { input: text }).stdout === one).toBe(true);
});

test('an error thrown in a thread keeps its class', async () => {
  const parser = sandbox.path('greedy.model');
  const { parser: greedy } = await smallModels();
  saveParser(parser, greedy.parser, greedy.about);
  const options = { format: 'conllu', to: 'brackets', skipInvalid: false };
  for (const [worker, copy] of [
    ['combine/pipeline/pipeline-worker.js', { ...copyOf(model), keep: [] }],
    ['parsers/run/parse-worker.js', copyOf(parser)],
  ] as const) {
    const file = pathToFileURL(join(packageFolder, 'dist', worker));
    const pool = new WorkerPool(file, 1, { parser: copy, options });
    const parsing = pool.run({ file: 'dev.conllu', line: 1, text: sampleText('dev') });
    await expect(parsing).rejects.toBeInstanceOf(OptionError);
    await pool.end();
  }
});

test('the tags that --keep keeps do not depend on the number of threads', async () => {
  const input = sandbox.save('in.conllu', sampleText('train').repeat(3));
  const args = ['parse', '--model', model, input, '--keep', 'tags', '--quiet'];
  const { stdout: one } = await runHere([...args, '--jobs', '1']);
  const { stdout: two } = runCli([...args, '--jobs', '2']);
  expect(two === one).toBe(true);
  const tags = (all: string) => readSentences(all).flatMap(({ upos, xpos }) => [...upos, ...xpos]);
  expect(tags(one)).toEqual(tags(sampleText('train').repeat(3)));
});

test.each([
  ['SIGINT', [130, null], 0],
  ['SIGKILL', [null, 'SIGKILL'], 1],
] as const)(
  'a pipeline that is killed in the middle by %s leaves no output',
  async (signal, end, temporary) => {
    const folder = sandbox.path(signal);
    mkdirSync(folder);
    const child = spawn(process.execPath, [cliPath, 'parse', '--model', model, '-o', `${folder}/out.conllu`]);
    child.stdin.on('error', () => undefined);
    child.stdin.write(text);
    while (child.exitCode === null && readdirSync(folder).length === 0) await setTimeout(10);
    child.kill(signal);
    expect(await once(child, 'close')).toEqual(end);
    expect(readdirSync(folder)).not.toContain('out.conllu');
    expect(readdirSync(folder)).toHaveLength(temporary);
  },
);

test('--to brackets writes the phrases of a pipeline with a phrase parser', async () => {
  const [tokenizer, phrases, both] = ['taken', 'phrases', 'both'].map((name) =>
    sandbox.path(`${name}.model`),
  );
  const mrg = samplePath('train').replace('.conllu', '.mrg');
  const small = ['--epochs', '1', '--bits', '14', '--quiet'];
  for (const args of [
    ['train', 'pcfg', '--train', mrg, '--limit', '60', '--model', phrases, '--quiet'],
    ['train', 'tokenizer', '--train', samplePath('train'), '--model', tokenizer, ...small],
    ['pipeline', tokenizer, phrases, '-o', both, '--quiet'],
  ]) {
    expect(await runHere(args)).toMatchObject({ status: 0, stderr: '' });
  }
  const parse = ['parse', '--model', both, '--to', 'brackets', '--quiet'];
  const { stdout } = await runHere(parse, { input: 'The dogs bark.' });
  expect(stdout).toMatch(/^\(.*The.*dogs.*bark.*\)\n$/);
});
