import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../src/learn/random.ts';
import { cliPath, runCli } from '../support/run-cli.ts';
import { samplePath } from '../support/sample.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('resume');
const seed = Date.now() & 0xffff;

/** One training of each kind that keeps its state. */
const kinds = {
  graph: ['graph', '--epochs', '12'],
  beam: ['transition', '--epochs', '4', '--beam', '2'],
  'dynamic oracle': ['transition', '--epochs', '8', '--beam', '1', '--oracle', 'dynamic'],
} as const;
type Kind = keyof typeof kinds;

function trainArgs(kind: Kind, model: string): string[] {
  const files = ['--train', samplePath('train'), '--dev', samplePath('dev'), '--model', sandbox.path(model)];
  return ['train', ...kinds[kind], ...files, '--bits', '18', '--seed', '3', '--quiet'];
}

interface Ending {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** Runs the command line, and sends it a signal when `moment` has come. */
async function runAndSend(
  signal: NodeJS.Signals,
  moment: () => Promise<unknown>,
  args: readonly string[],
): Promise<Ending> {
  const child = spawn(process.execPath, [cliPath, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const closed = once(child, 'close');
  await moment();
  child.kill(signal);
  const [status, by] = await closed;
  return { status, signal: by, stderr };
}

/** A training that nothing stops: its model, and how many milliseconds it takes. */
interface Whole {
  readonly model: Buffer;
  readonly duration: number;
}

function trainWhole(kind: Kind): Whole {
  const begun = performance.now();
  expect(runCli(trainArgs(kind, 'whole.model'))).toMatchObject({ status: 0, stderr: '' });
  return { model: readFileSync(sandbox.path('whole.model')), duration: performance.now() - begun };
}

/** Stops a training again and again, at random moments, and resumes it; then lets it end. */
async function stopAndResume(
  kind: Kind,
  { model: whole, duration }: Whole,
  signal: NodeJS.Signals,
  check: (ending: Ending) => void,
) {
  const model = `${signal} ${kind}.model`;
  const random = new Random(seed, signal.length);
  const delays = Array.from({ length: 4 }, () => Math.round(duration * (0.1 + random.below(700) / 1000)));
  console.log(`seed ${seed}: ${signal} after ${delays.join(', ')} of about ${Math.round(duration)} ms`);
  for (const delay of delays) {
    const resume = existsSync(sandbox.path(`${model}.checkpoint`)) ? ['--resume'] : [];
    const ending = await runAndSend(signal, () => setTimeout(delay), [...trainArgs(kind, model), ...resume]);
    if (ending.status === 0) break;
    check(ending);
    // There is no model yet, or, where the signal came between its last byte and the end, all of it.
    if (!existsSync(sandbox.path(model))) continue;
    expect(readFileSync(sandbox.path(model)).equals(whole)).toBe(true);
    break;
  }
  const resumed = runCli([...trainArgs(kind, model), '--resume']);
  expect(resumed.status).toBe(0);
  expect(readFileSync(sandbox.path(model)).equals(whole)).toBe(true);
  expect(sandbox.list().filter((name) => name.startsWith(model))).toEqual([model]);
}

describe.each(Object.keys(kinds) as Kind[])(
  'a training (%s) that is stopped at random moments, and resumed, gives the same bytes as an uninterrupted one',
  (kind) => {
    let whole: Whole;
    beforeAll(() => {
      whole = trainWhole(kind);
    });

    it('after kill -9', async () => {
      await stopAndResume(kind, whole, 'SIGKILL', ({ status, signal }) => {
        expect({ status, signal }).toEqual({ status: null, signal: 'SIGKILL' });
      });
    });

    it('after Ctrl-C, which exits with 130 and says how to go on', async () => {
      await stopAndResume(kind, whole, 'SIGINT', ({ status, signal, stderr }) => {
        // Before the program has begun, the signal ends the process as it ends any.
        if (signal === null) expect(status).toBe(130);
        if (status === 130 && stderr !== '') {
          expect(stderr).toMatch(
            /^parliament: stopped; (continue with --resume|there was no state to keep)\n$/,
          );
        }
      });
    });
  },
);

describe('a training that is stopped by Ctrl-C after its first epoch', () => {
  it('leaves its checkpoint and no model, exits with 130, and says how to go on', async () => {
    const args = [...trainArgs('graph', 'endless.model'), '--epochs', '1000'];
    const firstCheckpoint = async () => {
      while (!sandbox.list().includes('endless.model.checkpoint')) await setTimeout(5);
    };
    expect(await runAndSend('SIGINT', firstCheckpoint, args)).toEqual({
      status: 130,
      signal: null,
      stderr: 'parliament: stopped; continue with --resume\n',
    });
    expect(sandbox.list().filter((name) => name.startsWith('endless'))).toEqual(['endless.model.checkpoint']);
  });
});
