import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { explanationSchema } from '../../src/explain/explanation.ts';
import { displayWidth } from '../../src/report/tables/text-width.ts';
import { runHere } from '../support/run-in-process.ts';
import { sampleBrackets, samplePath, trainOnSample } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('explain');
const dev = samplePath('dev');
const graph = sandbox.path('graph.model');
const steps = sandbox.path('steps.model');

beforeAll(async () => {
  await trainOnSample(graph, '--limit', '60', '--epochs', '1');
  const small = ['--limit', '60', '--epochs', '1', '--bits', '14', '--beam', '2', '--quiet'];
  await runHere(['train', 'transition', '--train', samplePath('train'), '--model', steps, ...small]);
});

const explain = (...args: readonly string[]) => runHere(['explain', ...args]);

describe('parliament explain', () => {
  test('prints the tree, its arcs, the search, and a heat map', async () => {
    const { status, stdout, stderr } = await explain('--model', graph, dev, '--sentence', '3');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^sentence 3 \(sample-dev-0003\), graph\n/);
    for (const part of ['Arcs', 'Chu–Liu–Edmonds', 'Heat map']) expect(stdout).toContain(`\n${part}\n`);
  });

  test('with --arc, first explains the head and the label of that arc, by template and by feature', async () => {
    const { stdout } = await explain('--model', graph, dev, '--sentence', '3', '--arc', '5', '--gold', dev);
    expect(stdout).toMatch(/\nThe arc to \S+ \(5\)\n[\s\S]*\nArcs\n/);
    expect(stdout).not.toContain('Heat map');
    expect(stdout).toMatch(/\nHead: .* by template\n/);
    expect(stdout).toMatch(/\nLabel: .* by feature\n/);
    expect(stdout).toMatch(/d\.upos=/);
  });

  test('with --step, shows what decided the action of that step', async () => {
    const { stdout } = await explain('--model', steps, dev, '--step', '2', '--gold', dev);
    expect(stdout).toMatch(/\nStep 2\n/);
    expect(stdout).toMatch(/\nAction: .* by template\n/);
    expect(stdout).toContain('The beam after each step');
  });

  test('marks the wrong arcs of a phrase parser against gold', async () => {
    const phrases = sandbox.path('phrases.model');
    const train = sandbox.save('train.mrg', sampleBrackets('train'));
    await runHere(['train', 'pcfg', '--train', train, '--limit', '60', '--model', phrases, '--quiet']);
    const { stdout } = await explain('--model', phrases, dev, '--sentence', '3', '--gold', dev);
    expect(stdout).toMatch(/\nTOP\n/);
    expect(stdout).toMatch(/ ✗ \S+ of \d+\n/);
  });

  test('keeps tables within the width of the terminal', async () => {
    const columns = Object.getOwnPropertyDescriptor(process.stdout, 'columns');
    Object.defineProperty(process.stdout, 'columns', { value: 80, configurable: true });
    try {
      const { stdout } = await explain('--model', graph, dev, '--sentence', '2', '--arc', '3');
      const tooWide = stdout.split('\n').filter((line) => displayWidth(line) > 80 && !/[.;]$|: /.test(line));
      expect(tooWide).toEqual([]);
    } finally {
      if (columns === undefined) Reflect.deleteProperty(process.stdout, 'columns');
      else Object.defineProperty(process.stdout, 'columns', columns);
    }
  });

  test('prints JSON that matches the schema', async () => {
    for (const model of [graph, steps]) {
      const { stdout } = await explain('--model', model, dev, '--id', 'sample-dev-0002', '--json');
      const { explanation, ...about } = JSON.parse(stdout);
      expect(about).toEqual({ model, file: dev, sentence: 2 });
      expect(() => explanationSchema.parse(explanation)).not.toThrow();
    }
  });

  test('with --wrong, explains the errors on words with a label, and lists where they occur', async () => {
    const wrong = ['--wrong', 'label=nmod', '--gold', dev, '--quiet'];
    const { status, stdout } = await explain('--model', graph, dev, ...wrong);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^label nmod: \d+ errors in \d+ words\n/);
    const means = [...stdout.matchAll(/^\S.*? {2,}([−\d.,]+) +\d+$/gm)].map(([, mean]) => mean);
    expect(means.length).toBeGreaterThan(3);
    expect(means.filter((mean) => mean.startsWith('−'))).toEqual([]);
    expect(stdout).toMatch(
      /\n(label \S+ instead of \S+|head with tag \S+ instead of \S+|another \S+ as head): \d+ times?\nSentence and token: .*\(\d+:\d+\)/,
    );
    const json = JSON.parse((await explain('--model', graph, dev, ...wrong, '--json')).stdout);
    const total = json.kinds.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
    expect(total).toBe(json.errors);
    for (const { margin, templates } of json.kinds) {
      const sum = templates.reduce(
        (all: number, { difference }: { difference: number }) => all + difference,
        0,
      );
      expect(sum).toBeCloseTo(margin, 3);
    }
    const other = await explain('--model', steps, dev, ...wrong);
    expect(other.status).toBe(2);
    expect(other.stderr).toContain('--wrong goes with parsers that score arcs');
    const absent = await explain('--model', graph, dev, '--wrong', 'label=nmdo', '--gold', dev, '--quiet');
    expect(absent).toMatchObject({ status: 2, stdout: '' });
    expect(absent.stderr).toContain('dev.conllu has the gold label nmdo\n');
  });

  test('with --wrong, requires the columns that the parser reads, and leaves out sentences parsed in chunks', async () => {
    const bare = readFileSync(dev, 'utf8').replace(/^(\d+\t\S+\t\S+)\t\S+\t\S+/gm, '$1\t_\t_');
    const input = sandbox.save('bare.conllu', bare);
    const wrong = ['--wrong', 'label=nmod', '--gold', dev, '--quiet'];
    const refused = await explain('--model', graph, input, ...wrong);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toMatch(/bare\.conllu:1: no UPOS and XPOS, which the model was trained to read: /);
    const allowed = await explain('--model', graph, input, ...wrong, '--allow-missing');
    expect([allowed.status, allowed.stderr]).toEqual([0, expect.stringMatching(/expect worse trees\n$/)]);

    const short = sandbox.path('short.model');
    await trainOnSample(short, '--limit', '60', '--epochs', '1', '--max-length', '12');
    const some = await explain('--model', short, dev, ...wrong, '--json');
    expect(some.stderr).toMatch(
      /warning: \d+ sentences left out, the first: .*dev\.conllu:\d+: \d+ tokens, parsed/,
    );
    const { leftOut, words, errors } = JSON.parse(some.stdout);
    expect(leftOut).toBeGreaterThan(1);
    expect(words).toBeGreaterThanOrEqual(errors);
  });

  test('writes a page with --html', async () => {
    const page = sandbox.path('steps.html');
    const { status, stdout, stderr } = await explain('--model', steps, dev, '--html', page);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(stderr).toContain('steps.html: written');
    expect(readFileSync(page, 'utf8')).toMatch(/^<!DOCTYPE html>/);
  });

  test('refuses to write the page over one of its inputs', async () => {
    const copy = sandbox.save('copy.conllu', readFileSync(dev, 'utf8'));
    for (const target of [copy, graph]) {
      const { status, stderr } = await explain('--model', graph, copy, '--html', target);
      expect(status).toBe(2);
      expect(stderr).toContain('--html');
    }
    expect(readFileSync(copy, 'utf8')).toBe(readFileSync(dev, 'utf8'));
  });

  test.each([
    [['--sentence', '9999'], /no sentence 9999/],
    [['--arc', '500'], /--arc 500: the sentence has the tokens 1 to/],
    [['--html', '-', '--json'], /--html - writes the page to standard output: expected no --json/],
    [['--step', '1'], /--step 1: this parser has no steps; try --arc$/m],
    [['--gold', 'other'], /the gold sentence has other words/],
  ])('refuses %j in one line', async (args, message) => {
    const other = sandbox.save('other.conllu', '1\tword\t_\tX\t_\t_\t0\troot\t_\t_\n\n');
    const given = args.map((word) => (word === 'other' ? other : word));
    const { status, stderr } = await explain('--model', graph, dev, ...given);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
