import { Piscina } from '../platform/threads.ts';
import { receivedError, type SentError } from '../sent-error.ts';

/** The abort events of an `EventEmitter`; Node's own type would make users install Node's types. */
interface AbortEmitter {
  once(name: 'abort', listener: () => void): unknown;
  off(name: 'abort', listener: () => void): unknown;
}

/** A task was aborted while it waited, or came after the end: no thread has begun it. */
export class TaskNotBegun extends Error {}

/** Worker threads for one kind of task, in first-in, first-out order. */
export class WorkerPool<Task, Result> {
  private readonly pool: Piscina<Task, Result>;
  /** Starts tasks that can be aborted, each when a thread is idle: Piscina would start the newest first. */
  private readonly queue = new Set<() => void>();
  private readonly running = new Set<Promise<Result>>();
  private isEnded = false;
  /** Why there are no threads any more. */
  private failure: Error | undefined;

  /**
   * `file`: the module whose default export runs a task, in `sendingErrors` if it throws errors for users;
   * `workerData`: passed to every thread once; `tasksAThread`: tasks queued per thread, so that it need not wait
   * for the next one.
   */
  constructor(file: URL, threads: number, workerData?: object, tasksAThread = 1) {
    this.pool = new Piscina({
      filename: file.href,
      minThreads: threads,
      maxThreads: threads,
      workerData,
      concurrentTasksPerWorker: tasksAThread,
      // Otherwise a task that finds all threads busy is overtaken by later ones.
      stricterFIFO: true,
    });
    // A new thread counts as idle only after the listeners of this event.
    this.pool.on('workerCreate', () => queueMicrotask(() => this.startWaiting()));
    // Errors of threads without a task; unhandled, they would end the process.
    this.pool.on('error', (error: Error) => {
      // Piscina starts no other thread after one that failed while it started: tasks would wait for ever.
      if (this.size > 0 || this.isEnded) return;
      this.failure = error;
      void this.end();
    });
  }

  /**
   * Runs a task; the event `abort` ends its thread, which is replaced, or throws `TaskNotBegun` if it still waits. After the
   * end, throws `TaskNotBegun`, or the error with which the last thread failed to start.
   */
  async run(task: Task, signal?: AbortEmitter): Promise<Result> {
    if (this.isEnded) throw this.failure ?? new TaskNotBegun('the threads have ended');
    if (signal === undefined) return this.start(task, null);
    return new Promise((resolve, reject) => {
      const start = () => {
        this.queue.delete(start);
        resolve(this.start(task, signal));
      };
      signal.once('abort', () => {
        if (this.queue.delete(start)) reject(new TaskNotBegun('aborted before a thread began it'));
      });
      this.queue.add(start);
      this.startWaiting();
    });
  }

  private async start(task: Task, signal: AbortEmitter | null): Promise<Result> {
    const result = this.pool.run(task, { signal });
    this.running.add(result);
    try {
      return await result;
    } catch (error) {
      if (this.failure !== undefined) throw this.failure;
      throw error instanceof Error ? error : receivedError(error as SentError);
    } finally {
      this.running.delete(result);
      this.startWaiting();
    }
  }

  /** Starts tasks for the idle threads; without threads one task, for which Piscina starts a thread. */
  private startWaiting(most = this.size === 0 ? 1 : this.pool.idleThreads): void {
    let left = most;
    for (const start of this.queue) {
      if (left-- <= 0) return;
      start();
    }
  }

  /** Number of threads; fewer than asked for if one ended while starting. */
  get size(): number {
    return this.pool.threads.length;
  }

  get waiting(): number {
    return this.queue.size + this.pool.queueSize;
  }

  onError(listener: (error: Error) => void): void {
    this.pool.on('error', listener);
  }

  onMessage<Message>(listener: (message: Message) => void): void {
    this.pool.on('message', listener);
  }

  /** Ends the threads when they have done all tasks. */
  async finish(): Promise<void> {
    this.startWaiting(this.queue.size);
    while (this.running.size > 0) await Promise.allSettled(this.running);
    await this.end();
  }

  /** Ends the threads; unfinished tasks are rejected. May be called more than once. */
  async end(): Promise<void> {
    this.isEnded = true;
    this.startWaiting(this.queue.size);
    await this.pool.destroy();
  }
}

export interface TaskContext {
  /** Asks the task to stop soon; worker threads are terminated instead. */
  readonly signal?: AbortSignal | undefined;
  /** Reports progress, from 0 to 1. */
  onShare(share: number): void;
}

/** A kind of long task; tasks are plain data that can be sent to a thread. */
export interface TaskKind<Task, Result> {
  /** The built module that exports `run`. */
  readonly module: URL;
  run(task: Task, context: TaskContext): Promise<Result>;
}

export interface SentTask {
  readonly number: number;
  readonly module: string;
  readonly task: unknown;
}

/** Progress of a task as a thread posts it; `share` from 0 to 1. */
export interface TaskProgress {
  readonly number: number;
  readonly share: number;
}

/** Runs long tasks in worker threads, first in, first out; with one thread, or none, in the calling thread. */
export class TaskPool {
  private readonly threads: WorkerPool<SentTask, unknown> | undefined;
  private readonly signal: AbortSignal | undefined;
  private readonly ended = new AbortController();
  /** The last task queued for the calling thread. */
  private own: Promise<unknown> = Promise.resolve();
  private readonly listeners = new Map<number, (share: number) => void>();
  private number = 0;
  private readonly stop = () => void this.end();

  constructor(threads: number, signal?: AbortSignal) {
    this.signal = signal;
    if (threads <= 1) return;
    this.threads = new WorkerPool(new URL('./task-worker.js', import.meta.url), threads);
    this.threads.onMessage(({ number, share }: TaskProgress) => this.listeners.get(number)?.(share));
    signal?.addEventListener('abort', this.stop);
  }

  async run<Task, Result>(
    kind: TaskKind<Task, Result>,
    task: Task,
    onShare: (share: number) => void = () => undefined,
  ): Promise<Result> {
    this.signal?.throwIfAborted();
    if (this.threads === undefined) return this.runHere(kind, task, onShare);
    const number = ++this.number;
    // What `onShare` throws amid a message would end the process.
    const failed = new Promise<never>((_, reject) => {
      this.listeners.set(number, (share) => {
        try {
          onShare(share);
        } catch (error) {
          reject(error);
        }
      });
    });
    try {
      const work = this.threads.run({ number, module: kind.module.href, task });
      return (await Promise.race([work, failed])) as Result;
    } catch (error) {
      this.signal?.throwIfAborted();
      throw error;
    } finally {
      // A thread's last progress message may arrive after its result.
      this.listeners.delete(number);
    }
  }

  /** Ends all work; unfinished tasks are rejected. May be called more than once. */
  async end(): Promise<void> {
    this.ended.abort();
    this.signal?.removeEventListener('abort', this.stop);
    await this.threads?.end();
  }

  private runHere<Task, Result>(kind: TaskKind<Task, Result>, task: Task, onShare: (share: number) => void) {
    const signal = AbortSignal.any([this.ended.signal, ...(this.signal === undefined ? [] : [this.signal])]);
    const result = this.own.then(() => kind.run(task, { signal, onShare }));
    // No task starts after one has failed: callers need all of them.
    this.own = result;
    return result;
  }
}
