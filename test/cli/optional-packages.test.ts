import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { optionalPackages } from '../../src/optional-packages.ts';
import { packageFolder } from '../../src/platform/package.ts';
import { runCli } from '../support/run-cli.ts';
import { samplePath } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('optional-packages');
const all: readonly string[] = Object.values(optionalPackages).flat();

/** Makes a process behave as if no optional package were installed. */
const resolve = `const missing = ${JSON.stringify(all)};
  export async function resolve(specifier, context, next) {
    if (!missing.includes(specifier)) return next(specifier, context);
    const error = new Error("Cannot find package '" + specifier + "' imported from " + context.parentURL);
    throw Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' });
  }`;
const asUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
const hooks = asUrl(`import { register } from 'node:module'; register(${JSON.stringify(asUrl(resolve))});`);

const runWithout = (...args: readonly string[]) =>
  runCli(args, { env: { NODE_OPTIONS: `--import=${hooks}`, PARLIAMENT_HOME: sandbox.path('home') } });

const service = `npm install ${optionalPackages.service.join(' ')}`;
const queue = `npm install ${optionalPackages.queue.join(' ')}`;
const encoder = sandbox.path('encoder');
mkdirSync(encoder);
for (const name of ['model.onnx', 'tokenizer.json']) writeFileSync(join(encoder, name), '');
const files = ['--train', samplePath('train'), '--model', sandbox.path('some.model')];
const training = ['train', 'network', ...files, '--encoder', encoder];

test.each([
  ['parliament serve', ['serve', '--model', 'none.model'], service],
  ['parliament worker', ['worker', '--queue', 'redis://127.0.0.1:1'], queue],
  ['parliament corpus --to parquet', ['corpus', '--to', 'parquet'], 'npm install hyparquet-writer'],
  [`the encoder ${encoder}`, training, 'npm install onnxruntime-node @huggingface/tokenizers'],
  ['parliament experiment --queue', ['experiment', 'ladder', '--queue', 'redis://127.0.0.1:1'], queue],
])('%s says in one line which packages to install', (command, args, install) => {
  const { status, stdout, stderr } = runWithout(...args);
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: '',
    stderr: `parliament: error: ${command} needs packages that are not installed: ${install}\n`,
  });
});

test('the help of these commands, and other commands, do not need the packages', () => {
  for (const args of [
    ['serve', '--help'],
    ['worker', '--help'],
    ['experiment', '--list'],
    ['stats', samplePath('dev')],
  ]) {
    const { status, stderr } = runWithout(...args);
    expect({ args, status, stderr }).toEqual({ args, status: 0, stderr: '' });
  }
});

test('the optional packages are the optional peer dependencies of package.json', () => {
  const { peerDependencies, peerDependenciesMeta } = JSON.parse(
    readFileSync(join(packageFolder, 'package.json'), 'utf8'),
  );
  expect(Object.keys(peerDependencies).sort()).toEqual([...all].sort());
  expect(Object.keys(peerDependenciesMeta).sort()).toEqual([...all].sort());
});

test('every entry point of the library loads without the optional packages', () => {
  const { exports } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const entries = Object.values<{ default?: string }>(exports).flatMap(({ default: file }) => file ?? []);
  const urls = entries.map((file) => pathToFileURL(join(packageFolder, file)).href);
  const code = `for (const url of ${JSON.stringify(urls)}) await import(url); console.log('loaded');`;
  const run = spawnSync(process.execPath, [`--import=${hooks}`, '--input-type=module', '-e', code]);
  expect(String(run.stderr)).toBe('');
  expect(String(run.stdout)).toBe('loaded\n');
});
