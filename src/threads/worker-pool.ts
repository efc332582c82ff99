import { Piscina } from 'piscina';

/** Worker threads that all do the same kind of task. */
export class WorkerPool<Task, Result> {
  private readonly pool: Piscina<Task, Result>;

  /** `file` exports what does a task as its default; `workerData` is what every thread is given once. */
  constructor(file: URL, threads: number, workerData?: object) {
    this.pool = new Piscina({ filename: file.href, minThreads: threads, maxThreads: threads, workerData });
  }

  run(task: Task): Promise<Result> {
    return this.pool.run(task);
  }

  /** Is told what threads say while they work. */
  onMessage<Message>(listener: (message: Message) => void): void {
    this.pool.on('message', listener);
  }

  /** Ends the threads; tasks that are not done are rejected. May be called more than once. */
  async end(): Promise<void> {
    // To piscina a result that was on its way when the threads were ended is an error, and one that nobody
    // listens for would end the process.
    this.pool.on('error', () => undefined);
    await this.pool.destroy();
  }
}
