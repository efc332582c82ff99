import { beforeAll, expect, test } from 'vitest';
import { makePipeline } from '../../../combine/pipeline/make-pipeline.ts';
import { savePipeline } from '../../../combine/pipeline/saved-pipeline.ts';
import { trainParser } from '../../../combine/train-parser.ts';
import { saveParser } from '../../../parsers/registry.ts';
import { readModels } from '../../../serve/tasks/served-models.ts';
import { TaskRunner } from '../../../serve/tasks/task-runner.ts';
import type { ComparedSentence } from '../../../src/report/workbench/backend.ts';
import { readSentences } from '../../../src/treebank/reading/treebank-file.ts';
import { inMemory } from '../../../src/treebank/treebanks.ts';
import { Sandbox } from '../../support/sandbox.ts';
import { inflected, smallModels } from '../../support/small-pipeline.ts';

const brackets = '(S (NP (DT The) (NN dog)) (VP (VBD barked)))\n';
const row = (id: number, form: string, tag: string) =>
  `${id}\t${form}\t_\t${tag}\t${tag}${'\t_'.repeat(5)}\n`;
const ofTags = (...tags: readonly string[]) =>
  `${['The', 'dog', 'barked'].map((form, d) => row(d + 1, form, tags[d])).join('')}\n`;
const input = (text: string) => ({ batch: { file: 'a', line: 1, text }, format: 'conllu' as const });

let runner: TaskRunner;

beforeAll(async () => {
  const sandbox = new Sandbox('tagging-parsers');
  const treebank = inMemory(readSentences(brackets.repeat(5)), 'trees');
  const files = [];
  for (const name of ['pcfg', 'bigram'] as const) {
    const { parser, about } = await trainParser(name, treebank);
    files.push({ name, file: sandbox.path(`${name}.model`) });
    saveParser(sandbox.path(`${name}.model`), parser, about);
  }
  const models = await readModels(files, [{ name: 'both', members: ['pcfg', 'bigram'] }]);
  runner = await TaskRunner.open({ models, mostWords: 100 });
});

const given = ['ART', 'NCOM', 'VFIN'];

test('models read the tags of the sentence, not the tags that a parser before them predicts', () => {
  const models = ['pcfg', 'bigram'];
  const { text } = runner.run({ kind: 'compare', models, input: input(ofTags(...given)), vote: true });
  const { trees, vote } = JSON.parse(text) as ComparedSentence;
  expect(trees.map(({ xpos }) => xpos)).toEqual([['DT', 'NN', 'VBD'], given]);
  for (const tag of given) expect(vote!.conllu).toContain(`\t${tag}\t${tag}\t`);
});

test('a vote keeps the tags of the sentence, and reports if it has none', () => {
  const parse = (text: string) =>
    runner.run({ kind: 'parse', model: 'both', input: input(text), steps: {}, output: 'conllu' });
  for (const tag of given) expect(parse(ofTags(...given)).text).toContain(`\t${tag}\t${tag}\t`);
  expect(parse(ofTags(...given)).missing).toEqual([]);
  expect(parse(ofTags('_', '_', '_')).missing).toEqual([expect.stringMatching(/^no UPOS and XPOS/)]);
});

test('a pipeline whose parser tags has the ability of a tagger', async () => {
  const sandbox = new Sandbox('tagging-pipeline');
  const options = { units: 8, epochs: 1, tagTask: ['upos' as const] };
  const network = await trainParser('network', inflected('dev'), { options });
  const { tokenizer } = await smallModels();
  savePipeline(sandbox.path('small.model'), await makePipeline([tokenizer, network]));
  const [small] = await readModels([{ name: 'small', file: sandbox.path('small.model') }], []);
  expect(small.abilities).toEqual(['tokenizer', 'tagger', 'parser']);
});
