import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';
import { parseBrackets } from '../../src/treebank/phrases/brackets.ts';
import { runCountingThreads } from '../support/run-cli.ts';
import { runHere } from '../support/run-in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'parliament-phrases-'));
afterAll(() => rmSync(folder, { recursive: true }));

const model = join(folder, 'phrases.model');
const sample = (name: string) => join(packageFolder, 'data', 'sample', name);

/** Parses in this thread; returns what is written. */
async function output(name: string, ...args: readonly string[]): Promise<string> {
  const path = join(folder, name);
  const parse = ['parse', '--model', model, '-o', path, '--quiet', '--jobs', '1', ...args];
  const { status, stdout, stderr } = await runHere(parse);
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  return readFileSync(path, 'utf8');
}

/** The parsed test part, in brackets and in columns. */
const parsed = { brackets: '', columns: '' };

beforeAll(async () => {
  const { status, stderr } = await runHere([
    'train',
    'pcfg',
    '--train',
    sample('train.mrg'),
    '--limit',
    '120',
    '--model',
    model,
  ]);
  expect(stderr).toMatch(/^parliament: note: [\d]+ symbols, \d+ binary rules, \d+ unary chains\n$/);
  expect(status).toBe(0);
  parsed.brackets = await output('parsed.mrg', sample('test.mrg'));
  parsed.columns = await output('parsed.conllu', sample('test.conllu'));
});

describe('a phrase parser on the command line', () => {
  it('turns brackets into brackets, with one tree per sentence and the same words', async () => {
    const words = (text: string) =>
      [...parseBrackets(text, { file: 'x', line: 1 })].map(({ source }) =>
        source.text
          .match(/\([^ ()]+ [^ ()]+\)/g)!
          .filter((leaf) => !leaf.startsWith('(-NONE-'))
          .map((leaf) => leaf.split(' ')[1]),
      );
    expect(words(parsed.brackets)).toEqual(words(readFileSync(sample('test.mrg'), 'utf8')));
    expect(parsed.brackets.split('\n')).toHaveLength(67);
  });

  it('gives the same brackets for the same words in columns, and writes their dependencies as columns', async () => {
    const fromColumns = await output('from-columns.mrg', sample('test.conllu'), '--to', 'brackets');
    expect(fromColumns).toBe(parsed.brackets);
    const converted = join(folder, 'converted.conllu');
    expect((await runHere(['convert', join(folder, 'parsed.mrg'), converted, '--quiet'])).status).toBe(0);
    const arcs = (text: string) =>
      text.match(/^\d+\t[^\n]*/gm)!.map((line) => line.split('\t').filter((_, i) => [1, 6, 7].includes(i)));
    const expected = arcs(readFileSync(converted, 'utf8'));
    expect(arcs(parsed.columns)).toEqual(expected);
    expect(arcs(await output('to.conllu', sample('test.mrg'), '--to', 'conllu'))).toEqual(expected);
  });

  it('gives the same output for any number of jobs', async () => {
    const large = join(folder, 'large.mrg');
    // Blanks make more batches of the same trees.
    writeFileSync(large, readFileSync(sample('test.mrg'), 'utf8').replaceAll(' (', `${' '.repeat(250)}(`));
    const [single, parallel] = ['1', '2'].map((jobs) =>
      runCountingThreads(['parse', '--model', model, large, '--jobs', jobs, '--quiet']),
    );
    expect([single!.threads, parallel!.threads]).toEqual([0, 1]);
    expect(parallel!.stdout).toBe(single!.stdout);
    expect(single!.stdout.split('\n')).toHaveLength(66 + 1);
  });

  it('describes the first five sentences without a parse, and says how many there are', async () => {
    const strict = join(folder, 'strict.model');
    const train = ['train', 'pcfg', '--train', sample('train.mrg'), '--model', strict, '--quiet'];
    expect((await runHere([...train, '--limit', '5', '--smoothing', '0', '--frequent', '0'])).status).toBe(0);
    const path = join(folder, 'strict.mrg');
    const parse = ['parse', '--model', strict, '--jobs', '1'];
    const { stderr } = await runHere([...parse, sample('test.mrg'), '-o', path]);
    const [, total] = /… and more: (\d+) sentences with notices/.exec(stderr)!;
    expect(Number(total)).toBeGreaterThan(5);
    expect(stderr.match(/note: .*test\.mrg:\d+: no parse, put together from \d+ parts?/g)).toHaveLength(5);
    const counted = await runHere([...parse, sample('test.mrg'), '-o', path, '--json', '--quiet']);
    expect(JSON.parse(counted.stdout)).toMatchObject({ sentences: 66, notices: Number(total) });
  });

  it('reports the F1 of brackets on held-out trees, as a line and in JSON', async () => {
    const files = ['--train', sample('train.mrg'), '--dev', sample('dev.mrg')];
    const learn = ['train', 'pcfg', ...files, '--limit', '20', '--model', join(folder, 'scored.model')];
    const { stdout, stderr } = await runHere([...learn, '--json']);
    const [{ dev, sentencesPerSecond }] = JSON.parse(stdout).epochs;
    // A grammar is read off the trees at once: there is no training time from which to compute a speed.
    expect(sentencesPerSecond).toBeUndefined();
    expect(stderr).toContain(
      `epoch 1/1  dev UAS ${dev.uas.toFixed(2)} LAS ${dev.las.toFixed(2)} F1 ${dev.f1.toFixed(2)}\n`,
    );
  });

  it('with --skip-invalid, learns from all trees but the one with a missing bracket', async () => {
    const text = readFileSync(sample('train.mrg'), 'utf8');
    const trees = Array.from(parseBrackets(text, { file: 'x', line: 1 }), ({ source }) => source.text);
    const whole = join(folder, 'whole.mrg');
    const damaged = join(folder, 'damaged.mrg');
    writeFileSync(whole, trees.slice(1).join(''));
    writeFileSync(damaged, trees.with(0, trees[0].replace(/\)\s*$/, '\n')).join(''));
    const learn = async (train: string, ...more: string[]) =>
      (await runHere(['train', 'pcfg', '--train', train, '--model', `${train}.model`, ...more])).stderr.split(
        '\n',
      );
    const [first, ...rest] = await learn(damaged, '--skip-invalid');
    expect(first).toMatch(/left out: .*damaged\.mrg:1: tree without an end: one “\)” is missing$/);
    expect(rest).toEqual([(await learn(whole))[0], 'parliament: warning: 1 malformed sentence left out', '']);
  });

  it('gives trees that evaluate accepts, as brackets and as dependencies', async () => {
    const phrases = await runHere([
      'evaluate',
      sample('test.mrg'),
      join(folder, 'parsed.mrg'),
      '--json',
      '--quiet',
    ]);
    expect(JSON.parse(phrases.stdout)[0].f1).toBeGreaterThan(50);
    const arcs = await runHere([
      'evaluate',
      sample('test.conllu'),
      join(folder, 'parsed.conllu'),
      '--json',
      '--quiet',
    ]);
    expect(JSON.parse(arcs.stdout)[0].uas).toBeGreaterThan(50);
  });

  it.each([
    [
      'dependencies to learn from',
      ['train', 'pcfg', '--train', sample('train.conllu'), '--model', join(folder, 'none.model')],
      /train\.conllu: has dependencies but no phrases to learn from: expected bracketed trees/,
    ],
    [
      'an unknown split',
      [
        'train',
        'pcfg',
        '--train',
        sample('train.mrg'),
        '--model',
        join(folder, 'none.model'),
        '--splits',
        'x',
      ],
      /'x' is not one of all, unary-internal/,
    ],
    [
      'a vertical order of 4',
      [
        'train',
        'pcfg',
        '--train',
        sample('train.mrg'),
        '--model',
        join(folder, 'none.model'),
        '--vertical',
        '4',
      ],
      /Expected a whole number from 1 to 3/,
    ],
  ])('refuses %s in one line', async (_, args, message) => {
    const { status, stdout, stderr } = await runHere(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^parliament: error: [^\n]*\n$/);
    expect(stderr).toMatch(message);
  });
});
