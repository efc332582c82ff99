import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { BATCHES_BEFORE_WORKERS } from '../../parsers/run/parse-batches.ts';
import { confidenceIn } from '../../src/treebank/columns/confidence.ts';
import { DEFAULT_BATCH } from '../../src/treebank/reading/batches.ts';
import { readSentences } from '../../src/treebank/reading/treebank-file.ts';
import { padded } from '../support/padded.ts';
import { runCli, runCountingThreads } from '../support/run-cli.ts';
import { runHere } from '../support/run-in-process.ts';
import { samplePath, sampleText, trainOnSample } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('confidence');
const model = sandbox.path('graph.model');

beforeAll(async () => {
  await trainOnSample(model, '--dev', samplePath('dev'), '--decoder', 'eisner');
});

const withoutConfidences = (text: string) =>
  text.replace(/\|?Confidence=\d\.\d{3}/g, '').replace(/\t$/gm, '\t_');

async function parsed(...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await runHere(['parse', '--model', model, '--quiet', ...args]);
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

describe('parse --confidence', () => {
  test('changes nothing but MISC, where every word gets a figure from 0 to 1', async () => {
    const [plain, sure] = [
      await parsed(samplePath('test')),
      await parsed(samplePath('test'), '--confidence'),
    ];
    expect(withoutConfidences(sure)).toBe(plain);
    const figures = readSentences(sure).flatMap(({ misc }) => misc.slice(1).map((one) => confidenceIn(one)));
    expect(figures.length).toBeGreaterThan(500);
    expect(figures.every((figure) => figure !== undefined)).toBe(true);
  });

  test('writes figures that parse and vote remove when they replace the trees', async () => {
    const sure = sandbox.save('sure.conllu', await parsed(samplePath('test'), '--confidence'));
    expect(await parsed(sure)).toBe(await parsed(samplePath('test')));
    const voted = await runHere(['vote', sure, sure, sure, '-o', '-', '--quiet']);
    expect(voted.stdout).toBe(await parsed(samplePath('test')));
  });

  test('gives the same figures with any number of threads', () => {
    const text = padded(sampleText('test'), 5000);
    const copies = Math.ceil(((BATCHES_BEFORE_WORKERS + 8) * DEFAULT_BATCH) / text.length);
    const input = sandbox.save('long.conllu', text.repeat(copies));
    const [one, three] = ['1', '3'].map((jobs) => {
      const output = sandbox.path(`out-${jobs}.conllu`);
      const args = [
        'parse',
        '--model',
        model,
        input,
        '-o',
        output,
        '--jobs',
        jobs,
        '--quiet',
        '--confidence',
      ];
      const { status, threads } = runCountingThreads(args);
      expect([status, threads]).toEqual([0, Number(jobs) - 1]);
      return readFileSync(output, 'utf8');
    });
    expect(three === one).toBe(true);
    const once = sandbox.save('once.conllu', text);
    expect(runCli(['parse', '--model', model, once, '--confidence', '--quiet']).stdout).toBe(
      one.slice(0, one.length / copies),
    );
  });

  test('is refused for a format that has no MISC', async () => {
    const args = ['parse', '--model', model, samplePath('test'), '--to', 'conllx', '--confidence'];
    const { status, stderr } = await runHere(args);
    expect(status).toBe(2);
    expect(stderr).toContain('--confidence goes into MISC, which conllx does not have: add --to conllu');
  });
});

describe('vote --confidence', () => {
  test('writes the share of the votes, calibrated if gold trees are given', async () => {
    const [a, b] = [sandbox.save('a.conllu', sampleText('dev')), sandbox.path('b.conllu')];
    sandbox.save('b.conllu', await parsed(samplePath('dev')));
    const vote = async (...args: readonly string[]) => {
      const { status, stdout, stderr } = await runHere(['vote', ...args, '--quiet']);
      const others = stderr.replace(
        /^parliament: warning: .*: a parser that votes twice counts double\n/gm,
        '',
      );
      expect([status, others]).toEqual([0, '']);
      return stdout;
    };
    const sure = await vote(a, b, b, '--weighting', 'equal', '--confidence');
    expect(withoutConfidences(sure)).toBe(await vote(a, b, b, '--weighting', 'equal'));
    const figures = readSentences(sure).flatMap(({ misc }) => misc.slice(1).map((one) => confidenceIn(one)));
    expect(new Set(figures)).toEqual(new Set([1, 0.667]));
    const gold = samplePath('dev');
    const known = ['--dev-gold', gold, '--cross-validate', '5', '--weighting', 'las', '--confidence'];
    const calibrated = await vote(b, b, b, ...known);
    const right = readSentences(calibrated).flatMap(({ misc }) =>
      misc.slice(1).map((one) => confidenceIn(one)),
    );
    expect(Math.max(...right.map((figure) => figure!))).toBeLessThan(1);
  });

  test('is refused with --explain, which writes no trees', async () => {
    const args = ['vote', samplePath('dev'), '--explain', '--gold', samplePath('dev'), '--confidence'];
    expect((await runHere(args)).stderr).toContain('--confidence is for the trees voted on');
  });
});

describe('evaluate --by confidence', () => {
  const evaluated = (...args: readonly string[]) => runHere(['evaluate', samplePath('dev'), ...args]);

  test('prints a table, the calibration error, and UAS without the least certain 10% of arcs, also as JSON', async () => {
    const sure = sandbox.save('sure.conllu', await parsed(samplePath('dev'), '--confidence'));
    const { status, stdout } = await evaluated(sure, '--by', 'confidence');
    expect(status).toBe(0);
    expect(stdout).toMatch(/sure.conllu by confidence:\n\nconfidence +arcs +mean +UAS\n/);
    expect(stdout).toMatch(/Expected calibration error: \d+\.\d\d points\. UAS without the 10% of arcs/);
    const [{ reliability, uas }] = JSON.parse((await evaluated(sure, '--by', 'confidence', '--json')).stdout);
    expect(reliability.uas).toBeCloseTo(uas, 10);
    expect(reliability.uasWithoutLeast).toBeGreaterThan(uas + 1);
  });

  test('says in CSV whether a confidence is of arcs or tags, if there are both', async () => {
    const arcs = await parsed(samplePath('dev'), '--confidence');
    const both = sandbox.save('both.conllu', arcs.replace(/(Confidence=[\d.]+)/g, '$1|TagConfidence=1.000'));
    const { stdout } = await evaluated(both, '--by', 'confidence', '--to', 'csv');
    expect(stdout).toMatch(/^file,of,confidence,count,mean,accuracy\r\n/);
    expect(stdout).toMatch(/both\.conllu,arcs,0\.9-1\.0,\d+,[\d.]+,[\d.]+\r\n/);
    expect(stdout).toMatch(/both\.conllu,tags,0\.9-1\.0,\d+,100,100\r\n/);
  });

  test('warns if the file has no confidences, and refuses to print them as CSV', async () => {
    const { status, stderr } = await evaluated(samplePath('dev'), '--by', 'confidence');
    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining('no confidences in MISC; parse --confidence and vote --confidence write them'),
    ]);
    const csv = await evaluated(samplePath('dev'), '--by', 'confidence', '--to', 'csv');
    expect([csv.status, csv.stdout]).toEqual([2, '']);
    expect(csv.stderr).toMatch(/error: no confidences to print in \S*dev\.conllu\n$/);
  });

  test('has a counterpart in compare, with a table and a plot of the calibration', async () => {
    const sure = sandbox.save('sure.conllu', await parsed(samplePath('dev'), '--confidence'));
    const page = sandbox.path('page.html');
    const args = ['compare', samplePath('dev'), sure, samplePath('dev'), '--html', page, '--all', '--quiet'];
    const { status, stdout } = await runHere(args);
    expect(status).toBe(0);
    expect(stdout).toContain('UAS by confidence: sure');
    const html = readFileSync(page, 'utf8');
    expect(html).toContain('How sure the parsers are');
    expect(html).toContain('perfect calibration');
  });
});
