import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { readModelFile } from '../../src/model/model-file.ts';
import { runHere } from '../support/run-in-process.ts';
import { samplePath, sampleText } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('tagger');
const model = sandbox.path('tagger.model');

beforeAll(async () => {
  const files = ['--train', samplePath('train'), '--dev', samplePath('dev'), '--model', model];
  const { status, stdout, stderr } = await runHere([
    'train',
    'tagger',
    ...files,
    '--epochs',
    '1',
    '--network-epochs',
    '2',
    '--bits',
    '14',
  ]);
  expect(stderr).toMatch(/epoch 2\/2 .* dev UPOS [\d.]+ XPOS [\d.]+\n/);
  expect(stdout).toMatch(/dev UPOS [\d.]+ XPOS [\d.]+\n$/);
  expect(status).toBe(0);
});

describe('parliament parse --model tagger.model', () => {
  test('fills in the tags of the bundled treebank, and changes nothing else', async () => {
    const out = sandbox.path('tagged.conllu');
    const { status, stderr } = await runHere(['parse', '--model', model, samplePath('dev'), '-o', out]);
    expect([status, stderr]).toEqual([0, expect.stringMatching(/sentences of [\d,]+ words annotated in /)]);
    const [gold, found] = [sampleText('dev'), readFileSync(out, 'utf8')];
    expect(withoutTags(found)).toEqual(withoutTags(gold));
    expect(found).not.toBe(gold);
    const { scores } = readModelFile(model).header as { scores: Record<string, number> };
    expect(scores.UPOS).toBeGreaterThan(85);
    expect(tagsRight(gold, found)).toBeCloseTo(scores.UPOS, 9);
  });

  test('prints figures as JSON', async () => {
    const out = sandbox.path('json.conllu');
    const words = ['parse', '--model', model, samplePath('dev'), '-o', out, '--json', '--quiet'];
    const figures = JSON.parse((await runHere(words)).stdout);
    expect(figures).toMatchObject({ skipped: 0, sentences: expect.any(Number), words: expect.any(Number) });
  });

  test('refuses text that is not tokenized', async () => {
    const { status, stderr } = await runHere([
      'parse',
      '--model',
      model,
      samplePath('dev'),
      '--input',
      'text',
    ]);
    expect(status).toBe(2);
    expect(stderr).toContain('--input text: a tagger reads tokenized sentences');
  });
});

test('train lemmatizer refuses a treebank without lemmas, and names it', async () => {
  const files = ['--train', samplePath('train'), '--model', sandbox.path('lemmatizer.model')];
  const { status, stderr } = await runHere(['train', 'lemmatizer', ...files, '--quiet']);
  expect(status).toBe(2);
  expect(stderr).toMatch(/train\.conllu: no lemmas to learn from/);
});

test('train lemmatizer computes the dev scores with the lexicon', async () => {
  const words = ['a', 'b', 'c'].map((form, i) => `${i + 1}\t${form}\t${form}\tX${'\t_'.repeat(6)}\n`);
  const train = sandbox.save('lemmas.conllu', `${words.join('')}\n`);
  const dev = sandbox.save('lemmas-dev.conllu', `${words.join('').replace('a\ta', 'a\todd')}\n`);
  const lexicon = sandbox.save('lexicon.tsv', 'a\tX\todd\n');
  const files = ['--train', train, '--dev', dev, '--model', sandbox.path('lexicon.model')];
  const scores = async (...more: readonly string[]) => {
    const { stdout } = await runHere(['train', 'lemmatizer', ...files, ...more, '--json', '--quiet']);
    return JSON.parse(stdout).scores;
  };
  expect((await scores()).Lemmas).toBeCloseTo(200 / 3);
  expect(await scores('--lexicon', lexicon)).toEqual({ Lemmas: 100 });
});

const rows = (text: string) => text.split('\n').map((line) => line.split('\t'));

function withoutTags(text: string): string[] {
  return rows(text).map((cells) => cells.filter((_, i) => i !== 3 && i !== 4).join('\t'));
}

/** The share of universal tags that are right, in percent. */
function tagsRight(gold: string, found: string): number {
  const [right, given] = [gold, found].map((text) => rows(text).filter((cells) => /^\d+$/.test(cells[0])));
  return (100 * right.filter((cells, i) => cells[3] === given[i][3]).length) / right.length;
}
