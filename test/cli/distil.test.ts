import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readModelFile } from '../../src/model/model-file.ts';
import { quickAnnotators } from '../support/quick-annotators.ts';
import { runHere } from '../support/run-in-process.ts';
import { samplePath, sampleText, trainOnSample } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('distil');
const cwd = sandbox.folder;
const textOf = (part: 'dev' | 'test') =>
  Array.from(sampleText(part).matchAll(/^# text = (.*)$/gm), ([, text]) => `${text}\n`).join('');
const first = (part: 'train' | 'dev', count: number) =>
  `${sampleText(part).split('\n\n').slice(0, count).join('\n\n')}\n\n`;
sandbox.save('train.conllu', first('train', 30));
sandbox.save('dev.conllu', first('dev', 8));
sandbox.save('raw.txt', textOf('test').slice(0, 2000) + textOf('dev').slice(0, 500));

const student = ['--student', 'transition --beam 1 --epochs 2 --bits 12'];
const args = (teacher: string, text: string, model: string) => [
  ...['distil', '--teacher', teacher, '--text', text, '--train', 'train.conllu', '--dev', 'dev.conllu'],
  ...['--model', model, ...student, '--cache', 'kept', '--folds', '2', '--jobs', '1'],
];

test('of a pipeline’s trees of raw text a pipeline learns, whose annotators are the teacher’s', async () => {
  const train = [
    'train',
    'pipeline',
    '--train',
    'train.conllu',
    '--model',
    'teacher.model',
    '--cache',
    'kept',
  ];
  const small = [...quickAnnotators, '--parser', 'graph', '--epochs', '1', '--bits', '14', '--quiet'];
  expect((await runHere([...train, ...small], { cwd })).stderr).toBe('');
  const { status, stderr, stdout } = await runHere(args('teacher.model', 'raw.txt', 'a.model'), { cwd });
  expect(status).toBe(0);
  expect(stderr).toMatch(/note: \d+ sentences of \d+ words parsed, \d+ to learn from\n/);
  expect(stderr).toMatch(/note: \d+ sentences left out of the text: they are also in the treebank or/);
  expect(stdout).toMatch(/^dev, from text: .* LAS [\d.]+$/m);
  const [teacher, learnt] = ['teacher.model', 'a.model'].map((name) => readModelFile(sandbox.path(name)));
  expect(learnt.partNames).toEqual(['tokenizer', 'tagger', 'parser']);
  expect(learnt.part('tagger').header).toEqual(teacher.part('tagger').header);
  expect(learnt.part('parser').header.silver).toMatchObject({ treebank: { file: 'raw.txt' } });

  // Of what is kept the same student is made.
  const again = await runHere(args('teacher.model', 'raw.txt', 'b.model'), { cwd });
  expect(again.stderr).toMatch(/^folds {7}kept from before$/m);
  const bytes = (name: string) => readFileSync(sandbox.path(name));
  expect(bytes('b.model').equals(bytes('a.model'))).toBe(true);
});

test('of parsers that vote a parser learns, from the sentences of which they are surest', async () => {
  await trainOnSample(sandbox.path('one.model'));
  await trainOnSample(sandbox.path('two.model'), '--seed', '2', '--epochs', '1');
  const [distil, teacher, one, ...rest] = args(sandbox.path('one.model'), samplePath('test'), 'c.model');
  const voting = [distil!, teacher!, one!, sandbox.path('two.model'), ...rest, '--least', '0.95'];
  const { status, stderr } = await runHere(voting, { cwd });
  expect(status).toBe(0);
  const [, parsed, chosen] = /note: (\d+) sentences of \d+ words parsed, (\d+) to/.exec(stderr)!.map(Number);
  expect(chosen).toBeGreaterThan(0);
  expect(chosen).toBeLessThan(parsed!);
  expect(readModelFile(sandbox.path('c.model')).content).toBe('parser');

  const stray = await runHere([...args('one.model', samplePath('test'), 'd.model'), '--tags', 'gold'], {
    cwd,
  });
  expect(stray).toMatchObject({
    status: 2,
    stderr: 'parliament: error: --tags gold: the teacher has no annotators\n',
  });
});
