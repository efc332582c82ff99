import { EventEmitter } from 'node:events';
import { pathToFileURL } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { InputError, OptionError, UsageError } from '../../src/errors.ts';
import { sendingErrors } from '../../src/sent-error.ts';
import { TaskNotBegun, WorkerPool } from '../../src/threads/worker-pool.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('worker-pool');
const worker = pathToFileURL(
  sandbox.save(
    'double.mjs',
    `export default ({ number, begun, gate }) => {
      Atomics.store(new Int32Array(begun), 0, 1);
      Atomics.notify(new Int32Array(begun), 0);
      if (gate) Atomics.wait(new Int32Array(gate), 0, 0);
      return 2 * number;
    };`,
  ),
);

interface Task {
  readonly number: number;
  /** One Int32: 1 as soon as the task is worked on. */
  readonly begun: SharedArrayBuffer;
  /** One Int32: the task waits while it is 0. */
  readonly gate?: SharedArrayBuffer;
}

const task = (number: number): Task => ({ number, begun: new SharedArrayBuffer(4) });
const gatedTask = (number: number) => ({ ...task(number), gate: new SharedArrayBuffer(4) });

function open({ gate }: { readonly gate: SharedArrayBuffer }): void {
  Atomics.store(new Int32Array(gate), 0, 1);
  Atomics.notify(new Int32Array(gate), 0);
}

const untilBegun = ({ begun }: Task) => void Atomics.wait(new Int32Array(begun), 0, 0);

test('threads run tasks', async () => {
  const pool = new WorkerPool<Task, number>(worker, 2);
  expect(await Promise.all([1, 2, 3].map((number) => pool.run(task(number))))).toEqual([2, 4, 6]);
  await pool.end();
});

test('tasks that wait for a thread run in the order of their requests', async () => {
  const pool = new WorkerPool<Task, number>(worker, 1);
  const done: number[] = [];
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
  await Promise.all(
    numbers.map(async (number) => {
      await pool.run(task(number));
      done.push(number);
    }),
  );
  expect(done).toEqual(numbers);
  await pool.end();
});

test('ending a pool while results are on their way rejects their tasks, and throws nothing', async () => {
  for (let round = 0; round < 5; round++) {
    const pool = new WorkerPool<Task, number>(worker, 1);
    await pool.run(task(1));
    const last = task(2);
    const result = pool.run(last).catch((error: Error) => error.message);
    // This thread receives no messages meanwhile, so that the result has arrived unseen when the pool ends.
    untilBegun(last);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    await Promise.all([pool.end(), pool.end()]);
    expect(await result).toBe('Terminating worker thread');
  }
});

describe('tasks that can be aborted', () => {
  /** A pool whose threads have started. */
  async function startedPool(threads: number): Promise<WorkerPool<Task, number>> {
    const pool = new WorkerPool<Task, number>(worker, threads);
    await pool.run(task(0));
    return pool;
  }

  test.each([1, 2])('run in the order of their requests, on %i threads', async (threads) => {
    const pool = await startedPool(threads);
    const done: number[] = [];
    const run = (given: Task) => pool.run(given, new EventEmitter()).then(() => done.push(given.number));
    const gated = Array.from({ length: threads }, (_, i) => gatedTask(-i));
    const first = gated.map(run);
    const others = [1, 2, 3, 4, 5, 6].map((number) => run(task(number)));
    expect(pool.waiting).toBe(6);
    // One thread alone runs the other tasks.
    open(gated.at(-1)!);
    await Promise.all(others);
    expect(done.slice(1)).toEqual([1, 2, 3, 4, 5, 6]);
    gated.forEach(open);
    await Promise.all(first);
    await pool.end();
  });

  test('are rejected at once if they are aborted while they wait, and no thread ends', async () => {
    const pool = await startedPool(1);
    const [running, aborted, last] = [gatedTask(1), task(2), task(3)];
    const result = pool.run(running, new EventEmitter());
    const signal = new EventEmitter();
    const waiting = pool.run(aborted, signal);
    const next = pool.run(last, new EventEmitter());
    signal.emit('abort');
    await expect(waiting).rejects.toThrow(TaskNotBegun);
    expect(pool.waiting).toBe(1);
    open(running);
    expect(await Promise.all([result, next])).toEqual([2, 6]);
    expect(new Int32Array(aborted.begun)[0]).toBe(0);
    await pool.end();
  });

  test('end their thread if they have begun, and another runs the waiting tasks in order', async () => {
    const pool = await startedPool(1);
    const running = gatedTask(1);
    const signal = new EventEmitter();
    const aborted = pool.run(running, signal).catch((error: Error) => error);
    const done: number[] = [];
    const others = [2, 3, 4].map((number) =>
      pool.run(task(number), new EventEmitter()).then(() => done.push(number)),
    );
    untilBegun(running);
    signal.emit('abort');
    expect(await aborted).toMatchObject({ name: 'AbortError' });
    await Promise.all(others);
    expect(done).toEqual([2, 3, 4]);
    await pool.end();
  });

  test('are done before the pool finishes, and rejected if it ends', async () => {
    const [finished, ended] = [await startedPool(1), await startedPool(1)];
    const run = (pool: WorkerPool<Task, number>) =>
      [1, 2, 3].map((number) => pool.run(task(number), new EventEmitter()).catch(({ message }) => message));
    const results = run(finished);
    await finished.finish();
    expect(await Promise.all(results)).toEqual([2, 4, 6]);
    const cut = run(ended);
    await ended.end();
    expect((await Promise.all(cut)).slice(1)).toEqual(new Array(2).fill('Terminating worker thread'));
  });
});

test('a pool that finishes waits until all running tasks are done', async () => {
  const pool = new WorkerPool<Task, number>(worker, 3);
  const tasks = [gatedTask(1), gatedTask(2), gatedTask(3)];
  const results = tasks.map((given) => pool.run(given, new EventEmitter()));
  await vi.waitUntil(() => tasks.every(({ begun }) => new Int32Array(begun)[0] === 1), { timeout: 60_000 });
  const finished = pool.finish();
  for (const [i, given] of tasks.entries()) {
    open(given);
    expect(await results[i]).toBe(2 * given.number);
  }
  await finished;
  expect(pool.size).toBe(0);
});

test.each([undefined, new EventEmitter()])('no task begins after the pool has ended', async (signal) => {
  const pool = new WorkerPool<Task, number>(worker, 1);
  await pool.run(task(1));
  await pool.end();
  await expect(pool.run(task(2), signal)).rejects.toThrow(TaskNotBegun);
  expect(pool.size).toBe(0);
});

test.each([undefined, new EventEmitter()])(
  'tasks of threads that cannot start are rejected',
  async (signal) => {
    const failing = pathToFileURL(sandbox.save('fail.mjs', `throw new Error('cannot start');`));
    const pool = new WorkerPool<number, number>(failing, 2);
    const run = () => pool.run(1, signal).catch(({ message }: Error) => message);
    expect(await Promise.all([run(), run(), run()])).toEqual(new Array(3).fill('cannot start'));
    expect(await run()).toBe('cannot start');
    await pool.end();
  },
);

describe('an error of a thread', () => {
  const throwing = pathToFileURL(sandbox.save('throw.mjs', 'export default (sent) => { throw sent; }'));

  /** The error that a pool throws if a thread throws this error in the form in which threads send errors. */
  async function received(error: Error): Promise<unknown> {
    const sent = await sendingErrors(() => Promise.reject(error))(undefined).catch((reason) => reason);
    const pool = new WorkerPool<unknown, void>(throwing, 1);
    try {
      return await pool.run(sent).catch((reason) => reason);
    } finally {
      await pool.end();
    }
  }

  test.each([
    new InputError('a cycle', { file: 'a.conllu', line: 3 }),
    new UsageError('too many members'),
    new Error('a bug'),
  ])('keeps its class and its fields: $name', async (error) => {
    const found = await received(error);
    expect(found).toEqual(error);
    expect(found).toBeInstanceOf(error.constructor);
  });

  test('about options can name them in another style, such as flags', async () => {
    const error = new OptionError((option) => `${option('beam', 8)} not with ${option('noShuffle')}`);
    const found = (await received(error)) as OptionError;
    expect(found).toBeInstanceOf(OptionError);
    expect(found.message).toBe('beam 8 not with noShuffle');
    expect(found.say((name, value) => `--${name}=${value}`)).toBe('--beam=8 not with --noShuffle=undefined');
  });
});
