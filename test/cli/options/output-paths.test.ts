import { linkSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkOutputs } from '../../../cli/options/output-paths.ts';
import { runHere } from '../../support/run-in-process.ts';
import { samplePath, sampleText, trainOnSample } from '../../support/sample.ts';
import { Sandbox } from '../../support/sandbox.ts';

const sandbox = new Sandbox('outputs');
const cwd = sandbox.folder;

const names = [
  'gold',
  'a',
  'b',
  'hard',
  'folder/inner',
  'm.checkpoint',
  'm.member-2',
  'n.partial',
  'x.json',
  'parser',
  'vm',
];
const experiment = {
  title: 't',
  description: 'd',
  report: ['uas'],
  defaults: { treebank: { train: sandbox.path('a'), dev: sandbox.path('b') }, options: { bits: 10 } },
  sweep: { option: 'epochs', values: [1, 2] },
};

beforeAll(async () => {
  mkdirSync(sandbox.path('folder'));
  await trainOnSample(sandbox.path('trained'));
  symlinkSync('gold', sandbox.path('link'));
  symlinkSync('folder', sandbox.path('also'));
  symlinkSync('folder/new', sandbox.path('later'));
  symlinkSync('nowhere/new', sandbox.path('astray'));
});

beforeEach(() => {
  const dev = sampleText('dev');
  for (const name of ['gold', 'a', 'b', 'folder/inner', 'm.checkpoint', 'm.member-2', 'n.partial'])
    sandbox.save(name, dev);
  for (const name of ['parser', 'vm']) sandbox.save(name, readFileSync(sandbox.path('trained')));
  sandbox.save('x.json', JSON.stringify(experiment));
  rmSync(sandbox.path('hard'), { force: true });
  linkSync(sandbox.path('b'), sandbox.path('hard'));
});

/** The command, the output that it names, and the input that this would replace. */
const cases: readonly (readonly [command: string, output: string, input: string])[] = [
  ['parse --model parser a -o a', '--output a', 'a'],
  ['parse --model parser a -o ./folder/../a', '--output ./folder/../a', 'a'],
  ['parse --model parser also/inner -o folder/inner', '--output folder/inner', 'also/inner'],
  ['parse --model parser a -o parser', '--output parser', 'parser'],
  ['vote --model parser --model vm a -o vm', '--output vm', 'vm'],
  ['vote --model parser --model vm a --dev-gold gold -o gold', '--output gold', 'gold'],
  ['vote a b b --dev-gold gold --dev a b b -o gold', '--output gold', 'gold'],
  ['vote a b b --dev-gold gold --dev a b b -o link', '--output link', 'gold'],
  ['vote a b --dev-gold gold --dev also/inner b -o folder/inner', '--output folder/inner', 'also/inner'],
  ['vote b a a -o b', '--output b', 'b'],
  ['vote a a b -o hard', '--output hard', 'b'],
  ['vote --search --dev-gold gold --dev a b -o gold', '--output gold', 'gold'],
  ['draw a --svg a', '--svg a', 'a'],
  ['draw a --gold gold --svg gold', '--svg gold', 'gold'],
  ['draw a --gold gold --svg link', '--svg link', 'gold'],
  ['compare gold a b --html gold', '--html gold', 'gold'],
  ['compare gold a b --html link', '--html link', 'gold'],
  ['convert a a --to conllx', '<output> a', 'a'],
  ['convert b hard --to conllx', '<output> hard', 'b'],
  ['train graph --train a --dev b --model b', '--model b', 'b'],
  ['train graph --train a --train b --model hard', '--model hard', 'b'],
  ['train bigram --train a --model a', '--model a', 'a'],
  ['train tagger --train a --encoder b --model b', '--model b', 'b'],
  ['train pipeline --train a --tagger=--vectors=b --model b', '--model b', 'b'],
  ['train graph --train a --guide=network\xa0--vectors\xa0b --model b', '--model b', 'b'],
  ['train graph --train m.checkpoint --model m', 'beside --model, m.checkpoint', 'm.checkpoint'],
  ['train graph --train a --dev m.checkpoint --model m', 'beside --model, m.checkpoint', 'm.checkpoint'],
  [
    'train graph --train m.member-2 --model m --learner bayes-point --keep-members',
    'beside --model, m.member-2',
    'm.member-2',
  ],
  ['experiment x.json --plot x.json', '--plot x.json', 'x.json'],
  ['experiment x.json --plot a --cache cache', '--plot a', sandbox.path('a')],
  ['experiment x.json --plot hard --cache cache', '--plot hard', sandbox.path('b')],
];

describe('conflicting output paths', () => {
  test.each(cases)('are refused, and the input stays unchanged: %s', async (command, output, input) => {
    const before = names.map((name) => sandbox.read(name));
    const { status, stderr } = await runHere(
      command.split(' ').map((word) => word.replaceAll('\xa0', ' ')),
      { cwd },
    );
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `parliament: error: ${output} would replace the input ${input}\n`,
    });
    expect(names.map((name) => sandbox.read(name))).toEqual(before);
  });

  test.each(['also/new', 'later'])('are noticed through the link %s, even before the file exists', (link) => {
    expect(() =>
      checkOutputs(
        [
          { name: '--plot', path: sandbox.path('folder/new') },
          { name: '--html', path: sandbox.path(link) },
        ],
        [],
      ),
    ).toThrow(/--plot \S+ and --html \S+ are one file$/);
  });
});

test('training keeps a file that is named like a temporary file of older versions', async () => {
  const args = 'train graph --train n.partial --model n --bits 10 --epochs 1 --quiet';
  const before = sandbox.read('n.partial');
  expect(await runHere(args.split(' '), { cwd })).toMatchObject({ status: 0 });
  expect(sandbox.read('n.partial')).toBe(before);
});

test('a device may be both input and output', async () => {
  expect(await runHere(['convert', samplePath('dev'), '/dev/null', '--to', 'conllx'], { cwd })).toMatchObject(
    { status: 0 },
  );
  expect(() => checkOutputs([{ name: '--output', path: '/dev/null' }], ['/dev/null'])).not.toThrow();
});

describe('an output', () => {
  const long = 'n'.repeat(250);
  test.each([
    [
      'if its name is too long',
      `train bigram --train a --model ${long}nnnnnn`,
      /cannot be written: name too long/,
    ],
    [
      'if the name of its checkpoint would be too long',
      `train graph --train a --model ${long}`,
      /checkpoint: cannot be written: name too long/,
    ],
    [
      'if its folder does not exist',
      'vote a b -o nowhere/out',
      /nowhere\/out: cannot be written: no such file or folder/,
    ],
    [
      'if it is a link into a folder that does not exist',
      'vote a b -o astray',
      /astray: cannot be written: no such file or folder/,
    ],
    ['if it is a folder', 'draw a --svg folder', /folder: cannot be written: is a folder, expected a file/],
    ['if it has no name', ['parse', '--model', 'parser', 'a', '-o', ''], /--output has no name/],
  ] as const)('is refused before any work %s', async (_, command, message) => {
    const args = typeof command === 'string' ? command.split(' ') : command;
    const { status, stdout, stderr } = await runHere(args, { cwd });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^parliament: error: [^\n]*\n$/);
    expect(stderr).toMatch(message);
  });
});
