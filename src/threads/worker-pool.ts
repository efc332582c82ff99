import type { EventEmitter } from 'node:events';
import { Piscina } from 'piscina';

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
