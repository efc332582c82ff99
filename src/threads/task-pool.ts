import type { SentTask, TaskProgress } from './task-worker.ts';
import { WorkerPool } from './worker-pool.ts';

/** What a long task is told of its surroundings. */
export interface TaskSurroundings {
  /** Asks it to stop soon; a thread is simply ended. */
  readonly signal?: AbortSignal | undefined;
  /** Takes how much of it is done, from 0 to 1. */
  onShare(share: number): void;
}

/** A kind of long tasks: all that they need is in them, and can be sent to a thread. */
export interface TaskKind<Task, Result> {
  /** The module that exports `run`, as it is built. */
  readonly module: URL;
  run(task: Task, surroundings: TaskSurroundings): Promise<Result>;
}

/**
 * Does long tasks of several kinds, as many at a time as there are threads, those asked for first before others.
 * Instead of a single thread it is this one that does them.
 */
export class TaskPool {
  private readonly threads: WorkerPool<SentTask, unknown> | undefined;
  private readonly signal: AbortSignal | undefined;
  private readonly ended = new AbortController();
  /** The tasks that this thread is to do, one after another. */
  private own: Promise<unknown> = Promise.resolve();
  private readonly listeners = new Map<number, (share: number) => void>();
  private number = 0;
  private readonly stop = () => void this.end();

  constructor(threads: number, signal?: AbortSignal) {
    this.signal = signal;
    if (threads === 1) return;
    this.threads = new WorkerPool(new URL('./task-worker.js', import.meta.url), threads);
    this.threads.onMessage(({ number, share }: TaskProgress) => this.listeners.get(number)?.(share));
    signal?.addEventListener('abort', this.stop);
  }

  /** Throws the signal's reason where that ends it. */
  async run<Task, Result>(
    kind: TaskKind<Task, Result>,
    task: Task,
    onShare: (share: number) => void = () => undefined,
  ): Promise<Result> {
    this.signal?.throwIfAborted();
    if (this.threads === undefined) return this.runHere(kind, task, onShare);
    const number = ++this.number;
    this.listeners.set(number, onShare);
    try {
      return (await this.threads.run({ number, module: kind.module.href, task })) as Result;
    } catch (error) {
      this.signal?.throwIfAborted();
      throw error;
    } finally {
      // What a thread told last may come after the result itself.
      this.listeners.delete(number);
    }
  }

  /** Ends what is at work; tasks that are not done are rejected. May be called more than once. */
  async end(): Promise<void> {
    this.ended.abort();
    this.signal?.removeEventListener('abort', this.stop);
    await this.threads?.end();
  }

  private runHere<Task, Result>(
    kind: TaskKind<Task, Result>,
    task: Task,
    onShare: (share: number) => void,
  ): Promise<Result> {
    const signal = AbortSignal.any([this.ended.signal, ...(this.signal === undefined ? [] : [this.signal])]);
    const result = this.own.then(() => kind.run(task, { signal, onShare }));
    // After one that has failed none is begun: all of them are wanted, or none.
    this.own = result;
    return result;
  }
}
