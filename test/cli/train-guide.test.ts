import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { readModelFile } from '../../src/model/model-file.ts';
import { quickAnnotators } from '../support/quick-annotators.ts';
import { cliPath, runCli } from '../support/run-cli.ts';
import { runHere } from '../support/run-in-process.ts';
import { sampleText } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('train-guide');
const cwd = sandbox.folder;
for (const [part, count] of [
  ['train', 40],
  ['dev', 15],
] as const) {
  const blocks = sampleText(part).split('\n\n').slice(0, count);
  sandbox.save(`${part}.conllu`, `${blocks.join('\n\n')}\n\n`);
}

const quick = ['--epochs', '2', '--bits', '12', '--templates', 'mcdonald'];
const guides = ['--guide', `graph ${quick.join(' ')} --decoder eisner`, '--guide', 'bigram'];
const args = (model: string, cache: string, ...more: string[]) => [
  ...['train', 'graph', '--train', 'train.conllu', '--dev', 'dev.conllu', '--model', model],
  ...[...quick, ...guides, '--folds', '2', '--cache', cache, ...more],
];
const bytesOf = (name: string) => readFileSync(sandbox.path(name));

describe('parliament train with --guide', () => {
  test('writes one model with its guides, which parses with the scores that training reported', async () => {
    const { status, stdout, stderr } = await runHere(args('one.model', 'one'), { cwd });
    expect(status).toBe(0);
    expect(stderr).toMatch(/^guide-1 {5}\d.*\n/m);
    expect(stderr).toMatch(/^guide-2 {5}\d.*\n/m);
    expect(readModelFile(sandbox.path('one.model')).partNames).toEqual(['guide-1', 'guide-2']);
    const parsed = await runHere(
      ['parse', '--model', 'one.model', 'dev.conllu', '-o', 'dev.out', '--quiet'],
      { cwd },
    );
    expect(parsed).toMatchObject({ status: 0, stderr: '' });
    const scored = await runHere(['evaluate', 'dev.conllu', 'dev.out', '--json'], { cwd });
    const [{ uas, las }] = JSON.parse(scored.stdout);
    expect(stdout).toContain(`dev UAS ${uas.toFixed(2)} LAS ${las.toFixed(2)}`);
  });

  test('writes a model that explain can open', async () => {
    const { status, stderr } = await runHere(['explain', '--model', 'one.model', 'dev.conllu'], { cwd });
    expect({ status, stderr }).toMatchObject({ status: 0 });
  });

  test('gives the same bytes after it was killed between folds and resumed, also with two threads', async () => {
    mkdirSync(sandbox.path('killed'));
    const given = args('killed.model', 'killed', '--quiet', '--jobs', '2');
    const child = spawn(process.execPath, [cliPath, ...given], { cwd, stdio: 'ignore' });
    const closed = once(child, 'close');
    const folds = () => readdirSync(sandbox.path('killed')).filter((name) => name.endsWith('.conllu'));
    while (folds().length === 0 && child.exitCode === null) await setTimeout(2);
    child.kill('SIGKILL');
    expect(await closed).toEqual([null, 'SIGKILL']);
    const { status, stderr } = runCli([...given, '--resume'], { cwd });
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringMatching(/^$|to resume from/) });
    expect(bytesOf('killed.model').equals(bytesOf('one.model'))).toBe(true);
  });

  test('refuses contradictory options of a guide in one line, also in threads', () => {
    const guide = ['--guide', 'transition --epochs 1 --oracle dynamic --beam 8', '--jobs', '2', '--quiet'];
    const given = ['train', 'graph', '--train', 'train.conllu', '--model', 'z.model', '--epochs', '1'];
    const { status, stderr } = runCli([...given, ...guide], { cwd });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/^parliament: error: .*--oracle dynamic.*--beam.*\n$/),
    });
  });

  test('also averages parsers with guides by --learner bayes-point', async () => {
    const options = [
      '--learner',
      'bayes-point',
      '--members',
      '2',
      '--keep-members',
      '--jobs',
      '2',
      '--quiet',
    ];
    const { status, stderr } = runCli(args('point.model', 'one', ...options), { cwd });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const name of ['point.model', 'point.model.member-2']) {
      expect(readModelFile(sandbox.path(name)).header.guides).toEqual(['guide-1', 'guide-2']);
    }
  });

  test('works in train pipeline, whose model holds the guides of its parser', async () => {
    const { status } = await runHere(
      [
        ...['train', 'pipeline', '--train', 'train.conllu', '--model', 'pipeline.model', '--cache', 'pipe'],
        ...[...quickAnnotators, '--parser', 'graph', ...quick, ...guides],
      ],
      { cwd },
    );
    expect(status).toBe(0);
    const { header } = readModelFile(sandbox.path('pipeline.model'));
    expect(header).toMatchObject({
      options: { guides: [{ parser: 'graph' }, { parser: 'bigram' }] },
      parts: { parser: { guides: ['guide-1', 'guide-2'] } },
    });
    const input = 'The dogs bark all night.';
    const parsed = await runHere(['parse', '--model', 'pipeline.model', '-', '--quiet'], { cwd, input });
    expect(parsed.stdout).toMatch(/^1\tThe\tthe\t\w+\t|^1\tThe\t_\t\w+\t/m);
  });

  test.each([
    [['graph', '--guide', 'prophet'], "option '--guide': prophet: 'prophet' is not one of graph, "],
    [['graph', '--guide', 'graph --beam 3'], "option '--guide': graph --beam 3: unknown option '--beam'"],
    [['bigram', '--guide', 'graph'], "unknown option '--guide'"],
    [['graph', '--guide', 'pcfg'], '--guide pcfg learns from brackets'],
    [['graph', '--guide', 'graph --patience 2'], '--guide graph: guides have no held-out data'],
    [['graph', '--folds', '5'], '--folds 5 goes with --guide'],
    [['graph', '--cache', 'store'], '--cache store goes with --guide'],
    [['pipeline', '--parser', 'vote', '--guide', 'graph'], "unknown option '--guide'"],
  ])('refuses %j', async ([name, ...more], message) => {
    const given = ['train', name, '--train', 'train.conllu', '--model', 'none.model', ...more];
    const { status, stderr } = await runHere(given, { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });
});
