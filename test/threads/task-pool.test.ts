import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';
import { type TaskKind, TaskPool } from '../../src/threads/worker-pool.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('task-pool');

test('a pool of one thread runs tasks in the current thread, in order and one at a time', async () => {
  const log: string[] = [];
  const kind: TaskKind<number, number> = {
    module: pathToFileURL(sandbox.path('not-there.mjs')),
    async run(task, { onShare }) {
      log.push(`begin ${task}`);
      await Promise.resolve();
      onShare(0.5);
      log.push(`end ${task}`);
      return 2 * task;
    },
  };
  const pool = new TaskPool(1);
  const shares: number[] = [];
  const all = [1, 2, 3].map((task) => pool.run(kind, task, (share) => shares.push(share)));
  expect(await Promise.all(all)).toEqual([2, 4, 6]);
  expect(log).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2', 'begin 3', 'end 3']);
  expect(shares).toEqual([0.5, 0.5, 0.5]);
  await pool.end();
});

test('no task is begun after one that failed', async () => {
  let begun = 0;
  const kind: TaskKind<boolean, void> = {
    module: pathToFileURL(sandbox.path('not-there.mjs')),
    async run(fails) {
      begun++;
      if (fails) throw new Error('failed');
    },
  };
  const pool = new TaskPool(1);
  const all = [false, true, false].map((fails) => pool.run(kind, fails));
  await expect(Promise.all(all)).rejects.toThrow('failed');
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
  ]);
  expect(begun).toBe(2);
});

test('no task is begun if the signal of the pool is already aborted', async () => {
  const kind: TaskKind<number, number> = { module: pathToFileURL('/'), run: async (task) => task };
  const pool = new TaskPool(1, AbortSignal.abort());
  await expect(pool.run(kind, 1)).rejects.toThrow(/abort/);
});

test('a task in a thread is rejected with the error that its progress callback throws', async () => {
  const module =
    'export const run = async (_, { onShare }) => onShare(0.5) ?? new Promise(() => setInterval(() => 0, 1000));';
  const file = pathToFileURL(join(packageFolder, 'dist', 'src', 'threads', 'worker-pool.js')).href;
  const compiled = (await import(file)) as { readonly TaskPool: typeof TaskPool };
  const pool = new compiled.TaskPool(2);
  const kind = { module: pathToFileURL(sandbox.save('endless.mjs', module)), run: () => Promise.resolve() };
  const fault = new Error('of the caller');
  const told = () => {
    throw fault;
  };
  await expect(pool.run(kind, undefined, told)).rejects.toBe(fault);
  await pool.end();
});
