import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { cliPath, runCli } from '../support/run-cli.ts';
import { env, results, rows, sandbox, save } from '../support/small-experiment.ts';

describe('an experiment that is ended before it is done', () => {
  const args = (cache: string) => ['experiment', file, '--cache', cache, '--jobs', '1'];
  const jobs = 3;
  const file = save('ended', {
    rows: [
      { name: 'members', seeds: [...Array(jobs - 1).keys()] },
      { name: 'vote', vote: { method: 'superparser' } },
    ],
    baseline: undefined,
  });

  /** Ends an experiment by a signal once one of its cells is done; returns the exit code. */
  async function end(cache: string, signal: NodeJS.Signals): Promise<number | null> {
    const child: ChildProcess = spawn(process.execPath, [cliPath, ...args(cache)], {
      stdio: 'ignore',
      env: { ...process.env, ...env },
    });
    const closed = once(child, 'close');
    while (results(cache).length < 1 && child.exitCode === null) await setTimeout(5);
    child.kill(signal);
    return (await closed)[0];
  }

  it.each([
    ['SIGKILL', null],
    ['SIGINT', 130],
  ] as const)(
    'by %s computes only the missing cells when started again, and prints the same table',
    async (signal, exitCode) => {
      const cache = sandbox.path(`cache-${signal}`);
      expect(await end(cache, signal)).toBe(exitCode);
      const done = results(cache);
      expect(done.length).toBeGreaterThanOrEqual(1);
      expect(done.length).toBeLessThan(jobs);
      const times = done.map((name) => statSync(join(cache, 'results', name)).mtimeMs);

      const { status, stdout, stderr } = runCli(args(cache), { env });
      expect(status).toBe(0);
      const computed = stderr.split('\n').filter((line) => line.startsWith('[')).length;
      // A cell that was running when its parent was killed may have finished since.
      expect([jobs - done.length, jobs - done.length - 1]).toContain(computed);
      expect(done.map((name) => statSync(join(cache, 'results', name)).mtimeMs)).toEqual(times);
      expect(runCli(args(sandbox.path('whole')), { env }).stdout).toBe(stdout);
    },
  );
});

describe('an experiment that is stopped', () => {
  it('prints the table as far as it is done, and says how to continue', async () => {
    const file = save('stopped', {
      rows: [1, 2, 3, 4].map((seed) => ({ name: `${seed}`, seeds: [seed] })),
      baseline: undefined,
    });
    const cache = sandbox.path('cache-stopped');
    const args = ['experiment', file, '--cache', cache, '--jobs', '1', '--quiet'];
    const child = spawn(process.execPath, [cliPath, ...args], { env: { ...process.env, ...env } });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const closed = once(child, 'close');
    while (results(cache).length < 1 && child.exitCode === null) await setTimeout(5);
    child.kill('SIGINT');
    expect((await closed)[0]).toBe(130);
    const cells = rows(stdout);
    expect(cells.map(([name]) => name)).toEqual(['1', '2', '3', '4']);
    expect(cells[0][1]).toMatch(/^\d\d\.\d\d$/);
    expect(cells[3]).toEqual(['4', '…', '…']);
    expect(stderr).toContain('stopped; finished cells are kept; the same command continues');
  });
});

describe('two experiments with one cache', () => {
  it('share the work, and if one is killed, the other takes over its cell', async () => {
    const file = save('shared', { rows: [{ name: 'members', seeds: [1, 2, 3] }], baseline: undefined });
    const cache = sandbox.path('cache-shared');
    const args = ['experiment', file, '--cache', cache, '--jobs', '1'];
    const start = () => spawn(process.execPath, [cliPath, ...args], { env: { ...process.env, ...env } });
    const first = start();
    const second = start();
    let stdout = '';
    second.stdout.on('data', (text) => (stdout += text));
    const [killed, closed] = [once(first, 'close'), once(second, 'close')];
    while (results(cache).length < 2 && second.exitCode === null) await setTimeout(5);
    first.kill('SIGKILL');
    await killed;
    expect((await closed)[0]).toBe(0);
    expect(results(cache)).toHaveLength(3);
    expect(stdout).toBe(runCli(args, { env }).stdout);
    expect(readdirSync(join(cache, 'results')).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });
});
