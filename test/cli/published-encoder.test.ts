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
// Sentences of more than 24 subwords are read in windows.
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

test('a model stores the path of a published encoder, but not its weights', () => {
  const model = readModelFile(sandbox.path('one.model'));
  const fields = model.fields('network').fields('inputs').fields('encoder');
  expect([fields.text('folder'), fields.integer('dimensions', 1)]).toEqual([folder, encoder.width]);
  expect([...model.sections()].filter(([name]) => name.startsWith('encoder.'))).toEqual([]);
});

test('the encoder’s vectors of sentences are cached on disk in training, not in parsing', () => {
  const store = join(home, 'encoders');
  const count = () => readdirSync(join(store, readdirSync(store)[0])).length;
  // Vectors of 40 sentences, and of one word from which the number of dimensions is read.
  expect(count()).toBe(41);
});

test('one thread and two give the same model and the same trees', () => {
  expect(train('two.model', '--jobs', '2').equals(bytes)).toBe(true);
  expect(parse('one.model', '--jobs', '2').stdout === trees).toBe(true);
});

test('a missing encoder is looked for beside the model, and a different one is refused', () => {
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
