import { EventEmitter } from 'node:events';
import { WorkerPool } from '../../src/threads/worker-pool.ts';
import { RequestError } from '../http/request-error.ts';
import type { DeskData } from './desk.ts';
import type { Result, Task } from './task.ts';
import { lengthOf, sentenceWords } from './words.ts';

/** Who does tasks. */
export interface Workers {
  readonly threads: number;
  /** Tasks that wait for a thread. */
  readonly waiting: number;
  /**
   * Tasks that are given first are begun first: who has much to do gives one after the other, and lets others have
   * their turns.
   *
   * @throws RequestError where the thread ends, or takes too long
   */
  run(task: Task): Promise<Result>;
  /** Ends the threads; what is not done fails. */
  end(): Promise<void>;
}

export interface ThreadOptions {
  readonly threads: number;
  /** Seconds that a task may wait and take: then the thread that does it is ended. */
  readonly timeout: number;
  /** Told of threads that have ended before their time. */
  readonly onLoss: (reason: string) => void;
}

/** Characters from which on a task is long: text of thousands of words to be cut, a sentence of a thousand to be parsed. */
const LONG = 1 << 15;

/**
 * Threads over one copy of the weights; in place of one that ends, another is started. Long tasks are done one at a
 * time: all threads but one are left to others.
 */
export class ThreadWorkers implements Workers {
  readonly threads: number;
  private readonly data: DeskData;
  private readonly options: ThreadOptions;
  private pool: WorkerPool<Task, Result>;
  /** Done when the last of the long tasks is, whatever has become of it. */
  private long: Promise<unknown> = Promise.resolve();

  constructor(data: DeskData, options: ThreadOptions) {
    this.threads = options.threads;
    this.data = data;
    this.options = options;
    this.pool = this.start();
  }

  get waiting(): number {
    return this.pool.waiting;
  }

  /** Waits until a thread can work, however long it takes to open the models. */
  async ready(): Promise<void> {
    await this.pool.run({ kind: 'check', words: sentenceWords('', 'conllu') });
  }

  run(task: Task): Promise<Result> {
    if (lengthOf(task.words) <= LONG) return this.do(task);
    const turn = this.long.then(() => this.do(task));
    this.long = turn.catch(() => undefined);
    return turn;
  }

  private async do(task: Task): Promise<Result> {
    this.replenish();
    const { timeout, onLoss } = this.options;
    let isLate = false;
    // Several times cheaper than an `AbortController`, of which every request would need one.
    const signal = new EventEmitter();
    const timer = setTimeout(() => {
      isLate = true;
      signal.emit('abort');
    }, timeout * 1000);
    try {
      return await this.pool.run(task, signal);
    } catch (error) {
      if (isLate) {
        onLoss('timeout');
        throw new RequestError(`not done within ${timeout} s`, 503, 1);
      }
      if (!isThreadLost(error as Error)) throw error;
      onLoss('exit');
      throw new RequestError('the thread that worked on this has ended: another has taken its place', 500);
    } finally {
      clearTimeout(timer);
    }
  }

  async end(): Promise<void> {
    await this.pool.end();
  }

  private start(): WorkerPool<Task, Result> {
    const file = new URL('./worker.js', import.meta.url);
    const pool = new WorkerPool<Task, Result>(file, this.threads, this.data);
    pool.onError(() => this.options.onLoss('error'));
    return pool;
  }

  /** A pool does not replace a thread that ends while it is being started: another pool does. */
  private replenish(): void {
    if (this.pool.size >= this.threads) return;
    const old = this.pool;
    this.pool = this.start();
    void old.finish();
  }
}

/** Whether an error is of the thread itself, not of what it did. */
function isThreadLost({ message, code }: NodeJS.ErrnoException): boolean {
  return message.startsWith('worker exited') || code === 'ERR_WORKER_OUT_OF_MEMORY';
}
