import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { readModelFile } from '../../../src/model/model-file.ts';
import { packageFolder } from '../../../src/platform/package.ts';
import { cliPath, runCli } from '../../support/run-cli.ts';
import { runHere } from '../../support/run-in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'parliament-bayes-point-'));
afterAll(() => rmSync(folder, { recursive: true }));

const model = (name: string) => join(folder, name);

const small = ['--limit', '60', '--epochs', '2', '--bits', '16'];

function args(name: string, ...more: string[]): string[] {
  const sample = (part: string) => join(packageFolder, 'data', 'sample', `${part}.conllu`);
  const files = ['--train', sample('train'), '--dev', sample('dev'), '--model', model(name)];
  return ['train', 'graph', ...files, ...small, ...more];
}

/** Trains in a process of its own, as members are trained by threads. */
function train(name: string, ...more: string[]) {
  const run = runCli(args(name, ...more));
  expect(run.stderr).not.toMatch(/error/);
  expect(run.status).toBe(0);
  return run;
}

async function trainPerceptron(name: string, seed: string): Promise<void> {
  const options = ['--learner', 'averaged-perceptron', '--seed', seed, '--quiet'];
  expect(await runHere(args(name, ...options))).toEqual({ status: 0, stdout: '', stderr: '' });
}

/** The bytes of a model’s weights, without the header, which says how it was made. */
function weights(name: string): Buffer {
  const reader = readModelFile(model(name));
  const sections = ['arcs', 'labels'].map((section) => reader.section(section, 'int16'));
  return Buffer.concat(sections.map((of) => Buffer.from(of.buffer, of.byteOffset, of.byteLength)));
}

const point = ['--learner', 'bayes-point', '--members', '3'];

describe('a Bayes Point Machine', () => {
  test('of one member has the weights of that member trained alone', async () => {
    await trainPerceptron('alone', '5');
    train('one-member', '--learner', 'bayes-point', '--members', '1', '--seed', '5', '--quiet');
    expect(weights('one-member').equals(weights('alone'))).toBe(true);
  });

  test('trains its members with consecutive seeds, and can keep each of them', async () => {
    train('kept', ...point, '--seed', '5', '--keep-members', '--quiet');
    await trainPerceptron('second', '6');
    expect(weights('kept.member-2').equals(weights('second'))).toBe(true);
    expect(existsSync(model('kept.member-3'))).toBe(true);
  });

  test('reports the scores of each member and of the mean of the members so far', () => {
    const { stdout } = train('scored', ...point, '--member-learner', 'mira', '--json');
    const { epochs } = JSON.parse(stdout);
    expect(epochs).toHaveLength(3);
    for (const { member, dev } of epochs) {
      expect(member.uas).toBeGreaterThan(50);
      expect(dev.uas).toBeGreaterThan(50);
    }
    expect(epochs[0].dev).toEqual(epochs[0].member);
  });

  test('that is killed resumes with --resume to the same bytes', async () => {
    const many = ['--learner', 'bayes-point', '--members', '4', '--quiet'];
    train('whole', ...many);
    const child = spawn(process.execPath, [cliPath, ...args('killed', ...many)], { stdio: 'ignore' });
    const closed = once(child, 'close');
    while (!existsSync(model('killed.checkpoint')) && child.exitCode === null) await setTimeout(2);
    child.kill('SIGKILL');
    expect(await closed).toEqual([null, 'SIGKILL']);
    train('killed', ...many, '--resume');
    expect(readFileSync(model('killed')).equals(readFileSync(model('whole')))).toBe(true);
  });

  test.each([['--members', '3'], ['--member-learner', 'mira'], ['--keep-members']])(
    'is the only learner that accepts %s',
    async (...option) => {
      const { status, stderr } = await runHere(args('none', ...option));
      expect(status).toBe(2);
      const problem = `${option[0]} goes with --learner bayes-point, not with mira`;
      expect(stderr).toBe(`parliament: error: ${problem}\n`);
    },
  );
});
