import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { transitionOptions } from '../../../parsers/transition/options.ts';
import { linear } from '../../../parsers/transition/paradigm.ts';
import { readModelFile } from '../../../src/model/model-file.ts';
import { packageFolder } from '../../../src/platform/package.ts';
import { openTreebank } from '../../../src/treebank/reading/treebank-file.ts';
import { FirstSentences } from '../../../src/treebank/treebanks.ts';
import { lastOf } from '../../support/last-of.ts';
import { cliPath, runCli } from '../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'parliament-transition-point-'));
afterAll(() => rmSync(folder, { recursive: true }));

const model = (name: string) => join(folder, name);
const sample = join(packageFolder, 'data', 'sample', 'train.conllu');
const LIMIT = 25;

function args(name: string, ...more: string[]): string[] {
  const files = ['--train', sample, '--model', model(name)];
  const point = [
    '--learner',
    'bayes-point',
    '--members',
    '3',
    '--bits',
    '14',
    '--epochs',
    '1',
    '--beam',
    '2',
  ];
  return ['train', 'transition', ...lastOf(...files, ...point, '--quiet', ...more)];
}

function train(name: string, ...more: string[]): void {
  const { status, stderr } = runCli(args(name, ...more));
  expect(stderr).toBe('');
  expect(status).toBe(0);
}

/** The mean weights of the members, actions before labels, as the whole numbers of a model. */
async function meanOfMembers(learner: string, seeds: readonly number[]): Promise<number[]> {
  const options = transitionOptions.parse({ learner, bits: 14, epochs: 1, beam: 2 });
  const treebank = new FirstSentences(await openTreebank(sample, { expect: 'trees' }), LIMIT);
  const shared = await linear.share(treebank, options, { seed: 1, jobs: 1 });
  const members: number[][] = [];
  for (const seed of seeds) {
    const { weights } = await linear.trainMember(shared, { seed, jobs: 1 });
    members.push(weights.flatMap((vector) => [...vector]));
  }
  const mean = members[0]!.map((_, i) =>
    Math.fround(members.reduce((sum, member) => sum + member[i]!, 0) / members.length),
  );
  const largest = mean.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
  return mean.map((weight) => Math.round(weight * Math.floor(32_767 / largest)) || 0);
}

describe('a Bayes Point Machine of transition-based parsers', () => {
  test('is the same, byte for byte, for any number of threads', () => {
    train('one-thread', '--limit', `${LIMIT}`, '--jobs', '1');
    train('two-threads', '--limit', `${LIMIT}`, '--jobs', '2');
    expect(readFileSync(model('one-thread')).equals(readFileSync(model('two-threads')))).toBe(true);
  });

  test.each(['averaged-perceptron', 'perceptron', 'mira'])(
    'has the mean weights of its members (%s), which are trained with consecutive seeds',
    async (learner) => {
      train(learner, '--limit', `${LIMIT}`, '--member-learner', learner, '--seed', '5', '--jobs', '2');
      const reader = readModelFile(model(learner));
      const point = [...reader.section('actions', 'int16'), ...reader.section('labels', 'int16')];
      expect(point).toEqual(await meanOfMembers(learner, [5, 6, 7]));
      expect(point).not.toEqual(await meanOfMembers(learner, [5]));
    },
  );

  test('that is killed resumes with --resume to the same bytes', async () => {
    const many = ['--members', '4', '--limit', '60'];
    train('whole', ...many);
    const child = spawn(process.execPath, [cliPath, ...args('killed', ...many)], {
      stdio: 'ignore',
    });
    const closed = once(child, 'close');
    while (!existsSync(model('killed.checkpoint')) && child.exitCode === null) await setTimeout(2);
    child.kill('SIGKILL');
    await closed;
    train('killed', ...many, '--resume');
    expect(readFileSync(model('killed')).equals(readFileSync(model('whole')))).toBe(true);
  });
});
