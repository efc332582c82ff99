import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, test } from 'vitest';
import { Random } from '../../src/learn/random.ts';
import { lastOf } from '../support/last-of.ts';
import { cliPath } from '../support/run-cli.ts';
import { runHere } from '../support/run-in-process.ts';
import { samplePath } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('resume');

/** One training of each kind that saves checkpoints. */
const kinds = {
  graph: ['graph', '--epochs', '40'],
  'best epoch': ['graph', '--epochs', '40', '--keep', 'best'],
  shards: ['graph', '--epochs', '40', '--shards', '3', '--jobs', '1'],
  beam: ['transition', '--epochs', '16', '--beam', '2'],
  'dynamic oracle and silver trees': [
    ...['transition', '--epochs', '24', '--beam', '1', '--oracle', 'dynamic'],
    ...['--silver', samplePath('test'), '--silver-weight', '0.3', '--gold-epochs', '4'],
  ],
} as const;
const small = ['--limit', '80', '--bits', '16', '--seed', '3', '--quiet'];
type Kind = keyof typeof kinds;

function trainArgs(kind: Kind, model: string): string[] {
  const files = ['--train', samplePath('train'), '--dev', samplePath('dev'), '--model', sandbox.path(model)];
  return ['train', ...kinds[kind], ...files, ...small];
}

interface Ending {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** Runs the command line, and sends it a signal once `moment` has passed. */
async function runAndSend(
  signal: NodeJS.Signals,
  moment: (child: ChildProcess) => Promise<unknown>,
  args: readonly string[],
): Promise<Ending> {
  const child = spawn(process.execPath, [cliPath, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const closed = once(child, 'close');
  await moment(child);
  child.kill(signal);
  const [status, by] = await closed;
  return { status, signal: by, stderr };
}

/** The model of an uninterrupted training, and how many milliseconds the training took. */
interface Whole {
  readonly model: Buffer;
  readonly duration: number;
}

async function trainWhole(kind: Kind): Promise<Whole> {
  const begun = performance.now();
  expect(await runHere(trainArgs(kind, 'whole.model'))).toMatchObject({ status: 0, stderr: '' });
  return { model: readFileSync(sandbox.path('whole.model')), duration: performance.now() - begun };
}

/** When the last checkpoint was saved. */
function checkpointOf(model: string): bigint | undefined {
  return statSync(sandbox.path(`${model}.checkpoint`), { throwIfNoEntry: false, bigint: true })?.mtimeNs;
}

/** Waits until a new checkpoint has been saved, or until the training has ended. */
async function nextCheckpoint(model: string, training: ChildProcess): Promise<void> {
  const before = checkpointOf(model);
  while (training.exitCode === null && [undefined, before].includes(checkpointOf(model))) await setTimeout(5);
}

/** Checks the messages and the exit code of a training that was stopped by the signal. */
const checks: Readonly<Partial<Record<NodeJS.Signals, (ending: Ending) => void>>> = {
  SIGKILL: ({ status, signal }) => expect({ status, signal }).toEqual({ status: null, signal: 'SIGKILL' }),
  SIGINT: ({ status, signal, stderr }) => {
    // Before the program has begun, the signal ends the process as it would end any other.
    if (signal === null) expect(status).toBe(130);
    if (status === 130 && stderr !== '') {
      expect(stderr).toMatch(/^parliament: stopped; (continue with --resume|no checkpoint was saved yet)\n$/);
    }
  },
};

/**
 * Stops a training at random moments, by one signal and by the other, and resumes it; then lets it end. The first
 * moment is arbitrary; the others come soon after a checkpoint, while there is still much to do. If the training ends
 * before the signal, as it may on a busy machine, it begins again.
 */
async function stopAndResume(kind: Kind, { model: whole, duration }: Whole) {
  const model = `${kind}.model`;
  const random = new Random(11, kind.length);
  const soon = async (training: ChildProcess) => {
    await nextCheckpoint(model, training);
    await setTimeout(random.below(40));
  };
  const stopped = new Set<NodeJS.Signals>();
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const signal = attempt % 2 === 0 ? 'SIGKILL' : 'SIGINT';
    const moment = attempt === 0 ? () => setTimeout((duration * random.below(800)) / 1000) : soon;
    if (stopped.has(signal)) continue;
    const resume = checkpointOf(model) === undefined ? [] : ['--resume'];
    const ending = await runAndSend(signal, moment, [...trainArgs(kind, model), ...resume]);
    if (ending.status !== 0) {
      checks[signal]!(ending);
      if (checkpointOf(model) !== undefined) stopped.add(signal);
    }
    // There is no model yet, or a complete one if the training was over before the signal took effect.
    if (!existsSync(sandbox.path(model))) continue;
    expect(readFileSync(sandbox.path(model)).equals(whole)).toBe(true);
    // The training ended before the signal: the next signal comes after the first checkpoint.
    rmSync(sandbox.path(model));
  }
  expect([...stopped].sort()).toEqual(['SIGINT', 'SIGKILL']);
  const last = await runHere([...trainArgs(kind, model), '--resume']);
  expect(last.status).toBe(0);
  expect(readFileSync(sandbox.path(model)).equals(whole)).toBe(true);
  expect(sandbox.list().filter((name) => name.startsWith(model))).toEqual([model]);
}

test.each(Object.keys(kinds) as Kind[])(
  'a training (%s) stopped by kill -9 and by Ctrl-C and resumed gives the same bytes as without a stop',
  async (kind) => {
    await stopAndResume(kind, await trainWhole(kind));
  },
);

describe('a training that is stopped by Ctrl-C after its first epoch', () => {
  it('leaves a checkpoint but no model, exits with 130, and says how to resume', async () => {
    const args = lastOf(...trainArgs('graph', 'endless.model'), '--epochs', '1000');
    expect(await runAndSend('SIGINT', (training) => nextCheckpoint('endless.model', training), args)).toEqual(
      {
        status: 130,
        signal: null,
        stderr: 'parliament: stopped; continue with --resume\n',
      },
    );
    expect(sandbox.list().filter((name) => name.startsWith('endless'))).toEqual(['endless.model.checkpoint']);
  });
});
