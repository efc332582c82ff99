import type { EventEmitter } from 'node:events';
import { Piscina } from 'piscina';
import type { SentTask, TaskProgress } from './task-worker.ts';

/** Worker threads that all do the same kind of task, those asked for first before others. */
export class WorkerPool<Task, Result> {
  private readonly pool: Piscina<Task, Result>;

  /**
   * `file` exports what does a task as its default; `workerData` is what every thread is given once.
   *
   * @param tasksAThread how many tasks a thread has at a time: where there are several, it need not wait for this
   *   thread to give it the next
   */
  constructor(file: URL, threads: number, workerData?: object, tasksAThread = 1) {
    this.pool = new Piscina({
      filename: file.href,
      ...{ minThreads: threads, maxThreads: threads, workerData },
      concurrentTasksPerWorker: tasksAThread,
      // Otherwise a task that finds all threads busy goes behind those that were asked for after it.
      stricterFIFO: true,
    });
  }

  /** The event `abort` ends the thread that does the task, in whose place another is started. */
  run(task: Task, signal?: EventEmitter): Promise<Result> {
    return this.pool.run(task, { signal: signal ?? null });
  }

  /** How many threads there are; fewer than were asked for where one has ended while it was being started. */
  get size(): number {
    return this.pool.threads.length;
  }

  /** Tasks that wait for a thread. */
  get waiting(): number {
    return this.pool.queueSize;
  }

  /** Is told of threads that ended by an error while they had nothing to do: others are started. */
  onError(listener: (error: Error) => void): void {
    this.pool.on('error', listener);
  }

  /** Is told what threads say while they work. */
  onMessage<Message>(listener: (message: Message) => void): void {
    this.pool.on('message', listener);
  }

  /** Ends the threads when all tasks are done. */
  async finish(): Promise<void> {
    await this.pool.close();
  }

  /** Ends the threads; tasks that are not done are rejected. May be called more than once. */
  async end(): Promise<void> {
    // To piscina a result that was on its way when the threads were ended is an error, and one that nobody
    // listens for would end the process.
    this.pool.on('error', () => undefined);
    await this.pool.destroy();
  }
}

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
