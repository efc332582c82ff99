import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { TaskNotBegun, WorkerPool } from '../../src/threads/worker-pool.ts';
import { RequestError } from '../http/errors.ts';
import type { Result, Task } from './task.ts';
import type { TaskRunnerData } from './task-runner.ts';
import { charactersOf, sentenceInput } from './texts.ts';

/** The connection of a request. */
export type Client = Pick<Socket, 'destroyed' | 'once' | 'off'>;

/** Threads that run tasks. */
export interface Workers {
  readonly threads: number;
  readonly waiting: number;
  /**
   * Runs a task after those before it; throws `RequestError` if the thread ends, if the task takes too long (the wait
   * included), or if its client disconnects while it waits.
   */
  run(task: Task, client?: Client): Promise<Result>;
  end(): Promise<void>;
}

export interface ThreadOptions {
  readonly threads: number;
  /** Maximum seconds that a task waits and runs; after that, a thread that has begun it is ended. */
  readonly timeout: number;
  readonly onLoss: (reason: string) => void;
}

/** Minimum characters of a long task: thousands of words to tokenize, or a sentence of a thousand words to parse. */
const LONG_TASK = 1 << 15;

/** Worker threads that share the weights and are replaced if they end. Long tasks run one at a time. */
export class ThreadWorkers implements Workers {
  readonly threads: number;
  private pool: WorkerPool<Task, Result>;
  private isEnded = false;
  /** Resolves when all long tasks so far have ended. */
  private longTasks: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly data: TaskRunnerData,
    private readonly options: ThreadOptions,
  ) {
    this.threads = options.threads;
    this.pool = this.start();
  }

  get waiting(): number {
    return this.pool.waiting;
  }

  /** Waits until a thread has opened the models. */
  async ready(): Promise<void> {
    await this.pool.run({ kind: 'check', input: sentenceInput('', 'conllu') });
  }

  run(task: Task, client?: Client): Promise<Result> {
    const { timeout } = this.options;
    if (charactersOf(task.input) <= LONG_TASK) return this.do(task, 1000 * timeout);
    const end = Date.now() + 1000 * timeout;
    const turn = this.longTasks;
    const work = waitFor(turn, timeout, client).then(() => this.do(task, end - Date.now()));
    this.longTasks = turn.then(() => work).catch(() => undefined);
    return work;
  }

  private async do(task: Task, milliseconds: number): Promise<Result> {
    if (this.isEnded) throw new RequestError('the service ends', 503);
    this.replenish();
    const { timeout, onLoss } = this.options;
    let isLate = false;
    // Several times cheaper than an `AbortController` for every task.
    const signal = new EventEmitter();
    const timer = setTimeout(() => {
      isLate = true;
      signal.emit('abort');
    }, milliseconds);
    try {
      return await this.pool.run(task, signal);
    } catch (error) {
      if (isLate) {
        if (!(error instanceof TaskNotBegun)) onLoss('timeout');
        throw late(timeout);
      }
      if (this.isEnded) throw new RequestError('the service ends', 503);
      if (!isThreadLost(error as Error)) throw error;
      onLoss('exit');
      throw new RequestError('the thread that worked on this has ended: another has taken its place', 500);
    } finally {
      clearTimeout(timer);
    }
  }

  async end(): Promise<void> {
    this.isEnded = true;
    await this.pool.end();
  }

  private start(): WorkerPool<Task, Result> {
    const file = new URL('./worker.js', import.meta.url);
    const pool = new WorkerPool<Task, Result>(file, this.threads, this.data);
    pool.onError(() => this.options.onLoss('error'));
    return pool;
  }

  /** Starts another pool when threads are missing: a pool does not replace one that ends while it starts. */
  private replenish(): void {
    if (this.pool.size >= this.threads) return;
    const old = this.pool;
    this.pool = this.start();
    void old.finish();
  }
}

/** Waits for a long task's turn; throws `RequestError` after `timeout` seconds, or when the client disconnects. */
function waitFor(turn: Promise<unknown>, timeout: number, client?: Client): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      client?.off('close', onClose);
      settle();
    };
    const onClose = () => end(() => reject(new RequestError('the client has gone', 499)));
    const timer = setTimeout(() => end(() => reject(late(timeout))), 1000 * timeout);
    client?.once('close', onClose);
    void turn.then(() => end(resolve));
  });
}

const late = (timeout: number) => new RequestError(`not done within ${timeout} s`, 503, 1);

/** Whether an error means that the thread has ended, not that its task has failed. */
const isThreadLost = ({ message, code }: NodeJS.ErrnoException): boolean =>
  message.startsWith('worker exited') || code === 'ERR_WORKER_OUT_OF_MEMORY';
