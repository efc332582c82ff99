import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { DelayedError, type Job as QueuedJob, UnrecoverableError, Worker } from 'bullmq';
import type { CellCache } from '../cells/cell-cache.ts';
import { type Job, jobName } from '../jobs/job.ts';
import { checkProgram } from '../jobs/program.ts';
import { MemoryEstimate, Semaphore } from '../run/memory.ts';
import { type CellStart, startCell } from '../run/start-cell.ts';
import { checkSpace } from './data-store.ts';
import { Exchange } from './exchange.ts';
import { LocalFiles } from './job-files.ts';
import { type Queued, queuedSchema, queueName, unlessWrongType, type WorkerRecord } from './protocol.ts';
import { HEARTBEAT, WorkerRegistry } from './registry.ts';
import { type Link, type QueueWorkerOptions, untilAborted, withLink, workerOptions } from './server.ts';

/** Minutes for which the numbers of completed jobs are kept. */
const KEPT_MINUTES = 60;
/** Milliseconds between attempts to claim a job, between reports, and to leave a job to a larger worker. */
const [PAUSE, REPORT, LARGER] = [200, 1000, 5000];

export interface WorkerOptions extends QueueWorkerOptions<Job> {
  readonly cache: CellCache;
  /** Bytes for all cells together. */
  readonly memory: number;
  /** How a job is run; default: in a process of its own. */
  readonly start?: ((start: CellStart) => Promise<void>) | undefined;
  readonly onReady?: (() => void) | undefined;
  readonly onBegin?: ((job: Job) => void) | undefined;
}

/** Runs cells until the signal is aborted. Throws `InputError` if the queue or the cache cannot be used. */
export async function runWorker(options: WorkerOptions): Promise<void> {
  await withLink(options, (link) => new QueueWorker(link, options).run());
}

class QueueWorker {
  private readonly id = randomUUID();
  private readonly since = Date.now();
  private readonly ending = new AbortController();
  /** Aborted by the caller or by the worker itself. */
  private readonly signal: AbortSignal;
  private readonly memory: Semaphore;
  private readonly estimate = new MemoryEstimate();
  private readonly exchange: Exchange;
  private readonly files: LocalFiles;
  private readonly registry: WorkerRegistry;
  private readonly worker: Worker<Queued>;
  /** Running jobs by name: a job that was handed to another worker and comes back is not run twice. */
  private readonly atWork = new Map<string, Promise<void>>();
  private done = 0;
  private failed = 0;

  constructor(
    private readonly link: Link,
    private readonly options: WorkerOptions,
  ) {
    const { cache, jobs, memory, patience } = options;
    this.signal = AbortSignal.any([options.signal, this.ending.signal]);
    this.memory = new Semaphore(memory);
    this.exchange = new Exchange(link, this.signal, options.onNotice);
    this.files = new LocalFiles(cache, this.exchange, this.signal);
    this.registry = new WorkerRegistry(link.redis);
    this.worker = new Worker<Queued>(queueName(link.release), (job, token) => this.process(job, token), {
      ...workerOptions(link.redis, patience),
      concurrency: jobs,
      name: hostname(),
      metrics: { maxDataPoints: KEPT_MINUTES },
    });
  }

  async run(): Promise<void> {
    this.reportFaults();
    const announce = () => this.announce();
    const heartbeat = setInterval(announce, HEARTBEAT);
    // At first the connection is still being made.
    this.link.redis.on('ready', announce);
    try {
      await untilAborted(this.signal, () => {
        const running = this.worker.run();
        this.options.onReady?.();
        return running;
      });
    } finally {
      clearInterval(heartbeat);
      this.link.redis.off('ready', announce);
      // Unfinished cells go back to the queue now or, if the server is away, when their locks expire.
      await Promise.race([this.leave(), setTimeout(HEARTBEAT, undefined, { ref: false })]);
    }
  }

  private async leave(): Promise<void> {
    await this.worker.close();
    await unlessWrongType(this.registry.leave(this.id));
  }

  private reportFaults(): void {
    const { onNotice, onFailed } = this.options;
    this.worker.on('lockRenewalFailed', (names) => {
      for (const name of names) onNotice?.(`${name.slice(0, 12)}… has been given to another worker`);
    });
    this.worker.on('error', () => undefined);
    this.worker.on('failed', (_, error) => {
      this.failed++;
      onFailed?.(error.message);
    });
  }

  private announce(): void {
    const { jobs, memory } = this.options;
    const { done, failed, since } = this;
    const place = { host: hostname(), process: process.pid, ...this.link.release };
    const record: WorkerRecord = { ...place, jobs, memory, running: this.atWork.size, done, failed, since };
    // If the server is away, the next heartbeat will do.
    if (this.link.redis.status === 'ready') this.registry.announce(this.id, record).catch(() => undefined);
  }

  /** BullMQ's handler for each job taken from the queue. */
  private async process(queued: QueuedJob<Queued>, token: string | undefined): Promise<void> {
    const job = checked(queued);
    const name = queued.id!;
    const work =
      this.atWork.get(name) ?? this.work(name, job, queued, token).finally(() => this.atWork.delete(name));
    this.atWork.set(name, work);
    try {
      await work;
    } catch (error) {
      if (error instanceof DelayedError) throw error;
      if (!this.signal.aborted && (await this.canWrite())) throw error;
      await queued.moveToDelayed(Date.now(), token);
      throw new DelayedError();
    }
  }

  /** On a full disk every cell would fail at once, so the worker stops and leaves its cells to others. */
  private async canWrite(): Promise<boolean> {
    try {
      await checkSpace(this.options.cache.folder);
      return true;
    } catch (error) {
      this.ending.abort(error);
      return false;
    }
  }

  private async work(name: string, job: Job, queued: QueuedJob<Queued>, token: string | undefined) {
    const { cache } = this.options;
    const named = this.files.named(job);
    if ((await this.exchange.available([name])).length > 0) return;
    if (await this.exchange.publish(name, job, cache, named)) return;
    try {
      await this.compute(name, job, queued, token);
    } catch (error) {
      if (error instanceof DelayedError) throw error;
      throw new Error(named((error as Error).message));
    }
    if (!(await this.exchange.publish(name, job, cache, named)))
      throw new Error('its process left no result');
    this.done++;
  }

  /** Runs a job in its own process, which leaves the result in the cache. */
  private async compute(name: string, job: Job, queued: QueuedJob<Queued>, token: string | undefined) {
    const { cache, start = startCell, onBegin, onDone } = this.options;
    const { signal } = this;
    const local = await this.files.fetch(job);
    const bytes = this.estimate.of(local);
    if (await this.fitsAnotherWorker(bytes)) {
      await queued.moveToDelayed(Date.now() + LARGER, token);
      throw new DelayedError();
    }
    const release = await this.acquireMemory(bytes);
    try {
      const claim = await this.claim(name);
      try {
        if ((await cache.result(name)) !== undefined) return;
        const began = Date.now();
        onBegin?.(job);
        await cache.writeJob(name, local);
        await start({ cache, name, cores: 1, signal, onProgress: progressOf(queued) });
        const result = await cache.result(name);
        if (result !== undefined) this.estimate.learn(result);
        onDone?.(job, (Date.now() - began) / 1000);
      } finally {
        claim.release();
      }
    } finally {
      release();
    }
  }

  /** Waits for memory. Meanwhile the worker takes no further jobs, as other workers may have memory for them. */
  private async acquireMemory(bytes: number): Promise<() => void> {
    const acquired = this.memory.acquire(bytes);
    if (this.memory.waiting > 0) this.worker.concurrency = 1;
    const release = await acquired;
    if (this.memory.waiting === 0) this.worker.concurrency = this.options.jobs;
    return release;
  }

  /** Whether a job does not fit into this worker's memory, but into another worker's. */
  private async fitsAnotherWorker(bytes: number): Promise<boolean> {
    if (bytes <= this.options.memory) return false;
    const { code } = this.link.release;
    const workers = await this.registry.list();
    return workers.some((worker) => worker.code === code && worker.memory >= bytes);
  }

  /** Waits while another process runs the same job with the same cache. */
  private async claim(name: string) {
    const { cache } = this.options;
    for (;;) {
      const claim = cache.claim(name);
      if (claim !== undefined) return claim;
      await setTimeout(PAUSE, undefined, { signal: this.signal });
    }
  }
}

function checked({ id, data }: QueuedJob<Queued>): Job {
  const { success } = queuedSchema.safeParse(data);
  if (!success) throw new UnrecoverableError('not a job of this version');
  if (jobName(data.job) !== id) throw new UnrecoverableError('its name belongs to another job');
  try {
    checkProgram(data.job);
  } catch (error) {
    throw new UnrecoverableError((error as Error).message);
  }
  return data.job;
}

function progressOf(queued: QueuedJob<Queued>): (share: number) => void {
  let last = 0;
  return (share) => {
    if (Date.now() - last < REPORT) return;
    last = Date.now();
    queued.updateProgress(share).catch(() => undefined);
  };
}
