import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { InputError, OptionError, UsageError } from '../../src/errors.ts';
import { sendingErrors } from '../../src/sent-error.ts';
import { WorkerPool } from '../../src/threads/worker-pool.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('worker-pool');
const worker = pathToFileURL(
  sandbox.save(
    'double.mjs',
    `export default ({ number, begun }) => {
      Atomics.store(new Int32Array(begun), 0, 1);
      Atomics.notify(new Int32Array(begun), 0);
      return 2 * number;
    };`,
  ),
);

interface Task {
  readonly number: number;
  /** One Int32: 1 as soon as the task is worked on. */
  readonly begun: SharedArrayBuffer;
}

const task = (number: number): Task => ({ number, begun: new SharedArrayBuffer(4) });

test('threads do tasks', async () => {
  const pool = new WorkerPool<Task, number>(worker, 2);
  expect(await Promise.all([1, 2, 3].map((number) => pool.run(task(number))))).toEqual([2, 4, 6]);
  await pool.end();
});

test('tasks that wait for a thread are done in the order in which they were asked for', async () => {
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

test('an end while results are on their way rejects their tasks, and is no error otherwise', async () => {
  for (let round = 0; round < 5; round++) {
    const pool = new WorkerPool<Task, number>(worker, 1);
    await pool.run(task(1));
    const last = task(2);
    const result = pool.run(last).catch((error: Error) => error.message);
    // This thread takes no messages meanwhile: the result is there, and has not been seen, when the pool ends.
    Atomics.wait(new Int32Array(last.begun), 0, 0);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    await Promise.all([pool.end(), pool.end()]);
    expect(await result).toBe('Terminating worker thread');
  }
});

describe('an error of a thread', () => {
  const throwing = pathToFileURL(sandbox.save('throw.mjs', 'export default (sent) => { throw sent; }'));

  /** What a pool throws if a thread throws this: the thread's own code is as it is built. */
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

  test('about options names them as its reader does', async () => {
    const error = new OptionError((option) => `${option('beam', 8)} not with ${option('noShuffle')}`);
    const found = (await received(error)) as OptionError;
    expect(found).toBeInstanceOf(OptionError);
    expect(found.message).toBe('beam 8 not with noShuffle');
    expect(found.say((name, value) => `--${name}=${value}`)).toBe('--beam=8 not with --noShuffle=undefined');
  });
});
