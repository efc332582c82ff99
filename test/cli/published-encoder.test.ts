import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readModelFile } from '../../src/model/model-file.ts';
import { saveEncoderFolder, smallEncoder, wordPieceTokenizer } from '../support/onnx-folder.ts';
import { runCli } from '../support/run-cli.ts';
import { samplePath } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('published-encoder');
const { tokenizer, vocab } = wordPieceTokenizer(['the', 'dog']);
// Sentences of more subwords than that are read in windows.
const encoder = smallEncoder(Object.keys(vocab).length, 24);
const folder = saveEncoderFolder(sandbox.path('encoder'), encoder, tokenizer);
const home = sandbox.path('home');
const run = (...args: readonly string[]) => runCli(args, { env: { PARLIAMENT_HOME: home } });

function train(model: string, ...more: readonly string[]): Buffer {
  const small = ['--limit', '40', '--epochs', '2', '--units', '8', '--layers', '1', '--seed', '2', '--quiet'];
  const files = ['--train', samplePath('train'), '--model', sandbox.path(model), '--encoder', folder];
  expect(run('train', 'network', ...files, ...small, ...more)).toMatchObject({ status: 0, stderr: '' });
  return readFileSync(sandbox.path(model));
}

const parse = (model: string, ...more: readonly string[]) =>
  run('parse', '--model', sandbox.path(model), samplePath('dev'), '--quiet', ...more);

let bytes: Buffer;
let trees: string;
beforeAll(() => {
  bytes = train('one.model');
  const { status, stdout, stderr } = parse('one.model');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  trees = stdout;
});

test('a model holds the place of a published encoder, and nothing else of it', () => {
  const model = readModelFile(sandbox.path('one.model'));
  const fields = model.fields('network').fields('inputs').fields('encoder');
  expect([fields.text('folder'), fields.integer('dimensions', 1)]).toEqual([folder, encoder.width]);
  expect([...model.sections()].filter(([name]) => name.startsWith('encoder.'))).toEqual([]);
});

test('what it tells of sentences is kept on disk in training, not in parsing', () => {
  const store = join(home, 'encoders');
  const count = () => readdirSync(join(store, readdirSync(store)[0])).length;
  // Those of 40 sentences, and of one word that tells the number of dimensions.
  expect(count()).toBe(41);
});

test('one thread or two: the same model, the same trees', () => {
  expect(train('two.model', '--jobs', '2').equals(bytes)).toBe(true);
  expect(parse('one.model', '--jobs', '2').stdout === trees).toBe(true);
});

test('an encoder that has gone is looked for beside the model; another one is refused', () => {
  const [away, beside] = [sandbox.path('away'), sandbox.path('beside')];
  renameSync(folder, away);
  const refused = (problem: string) => ({ status: 2, stdout: '', stderr: `parliament: error: ${problem}\n` });
  expect(parse('one.model')).toMatchObject(
    refused(
      `${sandbox.path('one.model')}: needs the encoder ${folder}, found neither there nor beside the model`,
    ),
  );
  cpSync(away, join(beside, 'encoder'), { recursive: true });
  cpSync(sandbox.path('one.model'), join(beside, 'one.model'));
  expect(parse('beside/one.model')).toMatchObject({ status: 0, stdout: trees });
  writeFileSync(join(beside, 'encoder', 'config.json'), '{}');
  expect(parse('beside/one.model')).toMatchObject(
    refused(`${join(beside, 'encoder')}: is not the encoder that the model was trained with`),
  );
});
