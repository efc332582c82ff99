import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { readModelFile } from '../../src/model/model-file.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { textOf } from '../../src/treebank/surface.ts';
import { runHere, runInProcess } from '../support/run-in-process.ts';
import { samplePath, trainOnSample } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('tokenizer');
const model = sandbox.path('tokenizer.model');
const small = ['--epochs', '2', '--bits', '14'];
const files = ['--train', samplePath('train'), '--dev', samplePath('dev')];

beforeAll(async () => {
  const { exitCode, stderr } = await runInProcess(
    'train',
    'tokenizer',
    ...files,
    ...small,
    '--model',
    model,
    '--quiet',
  );
  expect([exitCode, stderr]).toEqual([0, '']);
});

test('parse --offsets writes the character offsets of tokens', async () => {
  const text = sandbox.save('dogs.txt', 'Dogs bark all night.\n');
  const { stdout } = await runInProcess('parse', '--model', model, text, '--offsets', '--quiet');
  expect(stdout).toMatch(/^1\tDogs\t.*\tTokenRange=0:4\n2\tbark\t.*\tTokenRange=5:9\n/m);
});

test.each(['text', 'lines', 'tokens'])(
  'parse skips a byte-order mark in %s, and counts offsets from after it',
  async (kind) => {
    const text = 'Dogs bark.\n\nYes\n';
    const words = ['parse', '--model', model, '--input', kind, '--offsets', '--quiet'];
    const { stdout } = await runHere(words, { input: text });
    expect((await runHere(words, { input: `\ufeff${text}` })).stdout).toBe(stdout);
    const utf16 = sandbox.save('dogs-16.txt', Buffer.from(`\ufeff${text}`, 'utf16le'));
    expect((await runHere([...words, utf16, '--encoding', 'utf-16le'])).stdout).toBe(stdout);
  },
);

describe('parliament train tokenizer', () => {
  test('prints the scores of tokens, sentences and words after every epoch, and stores them in the model', async () => {
    const path = sandbox.path('told.model');
    const { stdout, stderr } = await runInProcess('train', 'tokenizer', ...files, ...small, '--model', path);
    expect(stderr).toMatch(
      /epoch 2\/2 {2}[\d,]+ sentences\/s {2}dev tokens [\d.]+ sentences [\d.]+ words [\d.]+\n/,
    );
    expect(stdout).toMatch(/dev tokens [\d.]+ sentences [\d.]+ words [\d.]+\n$/);
    const { header } = readModelFile(path);
    expect(header).toMatchObject({
      annotator: 'tokenizer',
      options: { epochs: 2, bits: 14 },
      seed: 1,
      train: { file: 'train.conllu' },
      scores: { tokens: expect.any(Number), sentences: expect.any(Number), words: expect.any(Number) },
    });
  });

  test('prints its figures as JSON', async () => {
    const path = sandbox.path('json.model');
    const words = ['train', 'tokenizer', ...files, ...small, '--model', path, '--json', '--quiet'];
    const { epochs } = JSON.parse((await runInProcess(...words)).stdout);
    expect(epochs).toHaveLength(2);
    expect(Object.keys(epochs[1].dev)).toEqual(['tokens', 'sentences', 'words']);
  });

  test('reaches high scores on the bundled treebank', () => {
    const { scores } = readModelFile(model).header as { scores: Record<string, number> };
    expect(scores.tokens).toBeGreaterThan(99);
    expect(scores.words).toBeGreaterThan(99);
    expect(scores.sentences).toBeGreaterThan(95);
  });

  test('reads the raw text in the encoding of --encoding, too', async () => {
    const dense = ['là', 'été', 'ici'].map(
      (form, i) => `${i + 1}\t${form}${'\t_'.repeat(7)}\tSpaceAfter=No\n`,
    );
    const treebank = sandbox.save('dense.conllu', Buffer.from(`${dense.join('')}\n`, 'latin1'));
    const text = sandbox.save('dense.txt', Buffer.from('làétéici\n'.repeat(9), 'latin1'));
    const path = sandbox.path('dense.model');
    const words = ['train', 'tokenizer', '--train', treebank, '--text', text, '--model', path, ...small];
    const outcome = await runHere([...words, '--quiet', '--encoding', 'iso-8859-1']);
    expect(outcome).toMatchObject({ status: 0, stderr: '' });
    expect(readModelFile(path).header).toMatchObject({ options: { text: { file: 'dense.txt' } } });
  });

  test('needs no trees', async () => {
    const text = readFileSync(samplePath('train'), 'utf8').replace(
      /^(\d+(?:\t[^\t]+){5})\t\d+\t/gm,
      '$1\t_\t',
    );
    const bare = sandbox.save('bare.conllu', text);
    const words = [
      'train',
      'tokenizer',
      '--train',
      bare,
      '--model',
      sandbox.path('bare.model'),
      ...small,
      '--quiet',
    ];
    expect((await runInProcess(...words)).exitCode).toBe(0);
  });
});

describe('parliament parse with a tokenizer', () => {
  const text = 'Dogs bark.  Cats sleep all day, said\nthe keeper.\n\nNobody knows why';

  async function parse(...words: readonly string[]) {
    return runHere(['parse', '--model', model, ...words], { input: text });
  }

  test('writes CoNLL-U from which the text can be restored', async () => {
    const { status, stdout, stderr } = await parse();
    expect(status).toBe(0);
    expect(readSentences(stdout).map(textOf).join('')).toBe(text);
    expect(stderr).toMatch(/^parliament: note: \d sentences of \d+ words found in .* words\/s\)\n$/);
  });

  test('reads and writes files without losing any text', async () => {
    const output = sandbox.path('out.conllu');
    const input = sandbox.save('in.txt', text);
    const { status, stdout } = await parse(input, '-o', output, '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ sentences: expect.any(Number), words: 15 });
    expect(readSentences(sandbox.read('out.conllu')).map(textOf).join('')).toBe(text);
  });

  test.each([
    ['lines', [9, 3, 3]],
    ['tokens', [2, 1]],
  ])('--input %s keeps the boundaries that the input already has', async (layout, lengths) => {
    const { stdout } = await parse('--input', layout, '--quiet');
    const sentences = readSentences(stdout);
    expect(sentences.map(({ length }) => length)).toEqual(lengths);
    expect(sentences.map(textOf).join('')).toBe(text);
  });

  test.each([
    [['--input', 'conllu'], '--input conllu: these sentences are already tokenized'],
    [['--format', 'conllu'], '--format conllu: a tokenizer reads text'],
    [['--to', 'brackets'], '--to brackets: a tokenizer writes conllu, spacy or stanza'],
    [['--skip-invalid'], '--skip-invalid: there are no malformed sentences in a text'],
  ])('refuses %j', async (words, message) => {
    const { status, stderr } = await parse(...words);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });

  test('refuses a text of nothing but white space', async () => {
    const { status, stderr } = await runHere(['parse', '--model', model], { input: ' \n\n' });
    expect(status).toBe(2);
    expect(stderr).toContain('-: no text, but white space');
  });
});

test('parse --input text is refused with a parser, which reads tokenized sentences', async () => {
  const parser = sandbox.path('graph.model');
  await trainOnSample(parser);
  const { status, stderr } = await runHere(['parse', '--model', parser, '--input', 'text'], {
    input: 'Dogs bark.',
  });
  expect(status).toBe(2);
  expect(stderr).toContain('--input text: a parser reads tokenized sentences');
});

test('openParser refuses a tokenizer', async () => {
  const { openParser } = await import('../../parsers/registry.ts');
  await expect(openParser(readModelFile(model))).rejects.toThrow('a tokenizer, expected a parser');
});
