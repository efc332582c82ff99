import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readModelFile } from '../../src/model/model-file.ts';
import { quickAnnotators } from '../support/quick-annotators.ts';
import { runHere } from '../support/run-in-process.ts';
import { sampleText, trainOnSample } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('distil');
const cwd = sandbox.folder;
const textOf = (part: 'dev' | 'test') =>
  Array.from(sampleText(part).matchAll(/^# text = (.*)$/gm), ([, text]) => `${text}\n`).join('');
const first = (part: 'train' | 'dev' | 'test', count: number) =>
  `${sampleText(part).split('\n\n').slice(0, count).join('\n\n')}\n\n`;
sandbox.save('train.conllu', first('train', 20));
sandbox.save('dev.conllu', first('dev', 8));
sandbox.save('test.conllu', first('test', 30));
sandbox.save('raw.txt', textOf('test').slice(0, 2000) + textOf('dev').slice(0, 500));

const args = (
  teacher: string,
  text: string,
  model: string,
  student = 'transition --beam 1 --epochs 2 --bits 12',
) => [
  ...['distil', '--teacher', teacher, '--text', text, '--train', 'train.conllu', '--dev', 'dev.conllu'],
  ...['--model', model, '--student', student, '--cache', 'kept', '--jobs', '1'],
];
const folds = ['--folds', '2'];

test('a pipeline learns from a pipeline’s trees of raw text, and has the annotators of this teacher', async () => {
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
  const distil = (model: string) => runHere([...args('teacher.model', 'raw.txt', model), ...folds], { cwd });
  const { status, stderr, stdout } = await distil('a.model');
  expect(status).toBe(0);
  expect(stderr).toMatch(/note: parsed \d+ sentences \(\d+ words\), \d+ of them to learn from\n/);
  expect(stderr).toMatch(/note: \d+ sentences left out of the text: they are also in the treebank or/);
  expect(stdout).toMatch(/^dev, from text: .* LAS [\d.]+$/m);
  const [teacher, learnt] = ['teacher.model', 'a.model'].map((name) => readModelFile(sandbox.path(name)));
  expect(learnt.partNames).toEqual(['tokenizer', 'tagger', 'parser']);
  expect(learnt.part('tagger').header).toEqual(teacher.part('tagger').header);
  expect(learnt.header.options).toMatchObject({ tagger: teacher.part('tagger').header.options });
  expect(learnt.part('parser').header.silver).toMatchObject({ treebank: { file: 'raw.txt' } });

  // What is kept in the cache gives the same student.
  const again = await distil('b.model');
  expect(again.stderr).toMatch(/^folds {7}reused$/m);
  const bytes = (name: string) => readFileSync(sandbox.path(name));
  expect(bytes('b.model').equals(bytes('a.model'))).toBe(true);

  // With gold tags no folds are needed: nothing is left to train in threads.
  const gold = await runHere([...args('teacher.model', 'raw.txt', 'c.model'), '--tags', 'gold'], { cwd });
  expect([gold.status, gold.stderr]).toEqual([0, expect.not.stringContaining('folds')]);

  const refused = async (...more: string[]) =>
    (await runHere([...args('teacher.model', 'raw.txt', 'e.model'), ...more], { cwd })).stderr;
  expect(await refused('--tags', 'gold', ...folds)).toMatch(/error: --folds does not go with --tags gold\n$/);
  sandbox.save('unread.vec', 'the 1 0\n');
  expect(await refused('--vectors', 'unread.vec')).toBe(
    'parliament: error: --vectors unread.vec: the student does not read it\n',
  );

  // The same files in another encoding give the same trees.
  const other = sandbox.path('utf-16');
  mkdirSync(other);
  for (const name of ['train.conllu', 'dev.conllu', 'raw.txt'])
    writeFileSync(join(other, name), sandbox.read(name), 'utf16le');
  const encoded = [...args('../teacher.model', 'raw.txt', 'd.model'), '--tags', 'gold'];
  const read = await runHere([...encoded, '--encoding', 'utf-16le', '--quiet'], { cwd: other });
  expect(read).toMatchObject({ status: 0, stderr: '' });
  const silverOf = (path: string) => readModelFile(sandbox.path(path)).part('parser').header.silver;
  expect(silverOf('utf-16/d.model')).toEqual(silverOf('c.model'));
});

test('a parser learns from parsers that vote, on the sentences of which they are most certain', async () => {
  await trainOnSample(sandbox.path('one.model'));
  await trainOnSample(sandbox.path('two.model'), '--seed', '2', '--epochs', '1');
  const [distil, teacher, one, ...rest] = args(sandbox.path('one.model'), 'test.conllu', 'c.model');
  const voting = [distil!, teacher!, one!, sandbox.path('two.model'), ...rest, '--least', '0.95'];
  const { status, stderr } = await runHere(voting, { cwd });
  expect(status).toBe(0);
  const [, parsed, chosen] = /note: parsed (\d+) sentences \(\d+ words\), (\d+) of/.exec(stderr)!.map(Number);
  expect(chosen).toBeGreaterThan(0);
  expect(chosen).toBeLessThan(parsed!);
  expect(readModelFile(sandbox.path('c.model')).content).toBe('parser');

  const surest = [...args('one.model', 'test.conllu', 'd.model'), '--least', '1'];
  const none = await runHere(surest, { cwd });
  expect([none.status, none.stderr]).toEqual([
    2,
    expect.stringMatching(/error: --least 1 leaves none of \d+ sentences\n$/),
  ]);

  const stray = await runHere([...args('one.model', 'test.conllu', 'd.model'), '--tags', 'gold'], {
    cwd,
  });
  expect(stray).toMatchObject({
    status: 2,
    stderr: 'parliament: error: --tags gold: the teacher has no annotators\n',
  });
  const folded = await runHere([...args('one.model', 'test.conllu', 'd.model'), ...folds], { cwd });
  expect(folded.stderr).toBe('parliament: error: --folds 2: the teacher has no annotators\n');
  const vectors = ['--vectors', sandbox.save('unread.vec', 'the 1 0\n')];
  const unread = await runHere([...args('one.model', 'test.conllu', 'd.model'), ...vectors], { cwd });
  expect(unread.stderr).toBe(
    `parliament: error: --vectors ${sandbox.path('unread.vec')}: the teacher has no annotators\n`,
  );
});

test.each([
  ['spans', 'spans: it learns from phrases, which it takes as --silver in training'],
  ['bigram', 'bigram: it does not weigh trees with these options'],
  ['transition --learner svm', 'transition: it does not weigh trees with these options'],
  [
    'transition --beam 8 --oracle dynamic',
    'transition: --oracle dynamic goes with --system arc-eager and --beam 1',
  ],
  [
    'graph --mira-trees 5 --decoder eisner --order 2',
    'graph: --mira-trees 5 goes with --order 1, not with 2',
  ],
])('the student %s is refused before the teacher is read', async (student, problem) => {
  const { status, stderr } = await runHere(args('nowhere.model', 'raw.txt', 'x.model', student), { cwd });
  expect([status, stderr]).toEqual([2, `parliament: error: --student ${problem}\n`]);
});

test('--gold-epochs is refused if it covers all epochs, before the teacher is read', async () => {
  const words = [...args('nowhere.model', 'raw.txt', 'x.model'), '--gold-epochs', '2'];
  const { status, stderr } = await runHere(words, { cwd });
  const problem = '--gold-epochs 2: fewer than all epochs, which are 2';
  expect([status, stderr]).toEqual([2, `parliament: error: --student transition: ${problem}\n`]);
});

test('with --stages, the parsers of a vote first learn from each other, then vote or teach a student', async () => {
  const members = [
    'graph --epochs 1 --bits 14',
    'transition --beam 1 --epochs 1 --bits 12',
    'transition --system arc-swap --learner svm --bits 12',
  ];
  const train = ['train', 'pipeline', '--train', 'train.conllu', '--model', 'vote.model', '--cache', 'kept'];
  const voting = ['--parser', 'vote', '--members', ...members, ...quickAnnotators, '--quiet'];
  expect((await runHere([...train, ...voting], { cwd })).stderr).toBe('');

  const distil = (model: string, student?: string) =>
    runHere([...args('vote.model', 'raw.txt', model, student), ...folds, '--stages', '1'], { cwd });
  const { status, stderr } = await distil('voted.model', 'vote');
  expect(status).toBe(0);
  expect(stderr).toMatch(/note: stage 1, parser 1: graph learns from the \d+ of \d+ sentences for which/);
  expect(stderr).toMatch(/note: stage 1, parser 2: transition learns from the \d+ of \d+ sentences/);
  expect(stderr).toMatch(/note: stage 1, parser 3: transition cannot learn from silver trees/);
  const voted = readModelFile(sandbox.path('voted.model'));
  expect(voted.partNames).toEqual(['tokenizer', 'tagger', 'parser-1', 'parser-2', 'parser-3']);
  expect(voted.part('parser-1').header).toMatchObject({
    paradigm: 'graph',
    options: { epochs: 1, bits: 14 },
    silver: { treebank: { file: 'raw.txt' } },
  });
  expect(voted.part('parser-3').header).toEqual(
    readModelFile(sandbox.path('vote.model')).part('parser-3').header,
  );

  // A student learns from that vote; what is kept in the cache gives the same vote again.
  const taught = await distil('taught.model');
  expect(taught.stderr).toMatch(/^stage 1, parser 1 +reused$/m);
  expect(readModelFile(sandbox.path('taught.model')).part('parser').header).toMatchObject({
    paradigm: 'transition',
    silver: { treebank: { file: 'raw.txt' } },
  });
  await distil('again.model', 'vote');
  const bytes = (name: string) => readFileSync(sandbox.path(name));
  expect(bytes('again.model').equals(bytes('voted.model'))).toBe(true);
});

test('--stages needs three parsers, and --student vote needs --stages', async () => {
  const vote = await runHere(args('one.model', 'raw.txt', 'e.model', 'vote'), { cwd });
  expect(vote).toMatchObject({
    status: 2,
    stderr: 'parliament: error: --student vote goes with --stages\n',
  });
  const least = [...args('one.model', 'raw.txt', 'e.model', 'vote'), '--stages', '1', '--least', '0.9'];
  expect((await runHere(least, { cwd })).stderr).toBe(
    'parliament: error: --least 0.9 does not go with --student vote\n',
  );
  const negative = [...args('one.model', 'raw.txt', 'e.model', 'vote'), '--stages', '-1'];
  expect((await runHere(negative, { cwd })).stderr).toMatch(
    /--stages <n>.*a whole number of at least 0\.\n$/,
  );
  const two = args('one.model', 'test.conllu', 'e.model');
  two.splice(3, 0, 'two.model');
  expect(await runHere([...two, '--stages', '1'], { cwd })).toMatchObject({
    status: 2,
    stderr: 'parliament: error: --stages: tri-training needs at least 3 parsers, the teacher has 2\n',
  });
});

test('--stages works without annotators, too, reuses trained parsers, and asks for the files they need', async () => {
  await trainOnSample(sandbox.path('three.model'), '--decoder', 'eisner');
  const three = (model: string, student?: string) => {
    const [distil, teacher, one, ...rest] = args('one.model', 'test.conllu', model, student);
    return [distil!, teacher!, one!, 'two.model', 'three.model', ...rest, '--stages', '1'];
  };
  const { status, stderr } = await runHere(three('f.model', 'vote'), { cwd });
  expect({ status, learnt: stderr.match(/graph learns from/g)?.length }).toEqual({ status: 0, learnt: 3 });
  expect(readModelFile(sandbox.path('f.model')).partNames).toEqual(['parser-1', 'parser-2', 'parser-3']);
  const again = await runHere(three('g.model', 'vote'), { cwd });
  expect(again.stderr.match(/^stage 1, parser \d +reused$/gm)).toHaveLength(3);
  const bytes = (name: string) => readFileSync(sandbox.path(name));
  expect(bytes('g.model').equals(bytes('f.model'))).toBe(true);

  sandbox.save('tiny.vec', 'the 1 0 0 0\nof 0 1 0 0\n');
  const network = ['--vectors', 'tiny.vec', '--units', '4', '--epochs', '1', '--limit', '20'];
  const train = ['train', 'network', '--train', 'train.conllu', '--model', 'three.model', '--quiet'];
  expect((await runHere([...train, ...network], { cwd })).status).toBe(0);
  expect(await runHere(three('h.model', 'vote'), { cwd })).toMatchObject({
    status: 2,
    stderr:
      'parliament: error: --stages: a parser was trained with tiny.vec: give this file with --vectors\n',
  });
  const given = await runHere([...three('h.model', 'vote'), '--vectors', 'tiny.vec'], { cwd });
  expect(given.status).toBe(0);
  expect(readModelFile(sandbox.path('h.model')).part('parser-3').header).toMatchObject({
    paradigm: 'network',
    options: { units: 4, vectors: { file: 'tiny.vec' } },
    silver: { treebank: { file: 'test.conllu' } },
  });
});
