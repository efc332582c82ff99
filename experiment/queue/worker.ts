import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DelayedError, type Job as QueuedJob, UnrecoverableError, Worker } from 'bullmq';
import type { CellCache } from '../cells/cell-cache.ts';
import { type Job, jobName } from '../cells/job.ts';
import { checkProgram } from '../cells/program.ts';
import { MemoryEstimate, MemoryTurns } from '../run/memory.ts';
import { type CellStart, startCell } from '../run/start-cell.ts';
import { writeWhole } from './data-store.ts';
import { Exchange } from './exchange.ts';
import { LocalFiles } from './job-files.ts';
import { type Queued, queuedSchema, queueName, type WorkerRecord } from './protocol.ts';
import { HEARTBEAT, Registry } from './registry.ts';
import { bullOptions, type Link, type LinkOptions, openLink } from './server.ts';

/** Milliseconds after which a worker that gives no sign of life is taken to be dead. */
const PATIENCE = 60_000;
/** How many workers may be lost over a job until it is taken to be its fault. */
const MOST_LOST = 10;
/** Minutes of which it is kept how many jobs were done. */
const KEPT_MINUTES = 60;
/** Bytes that a cache must have room for, at least. */
const ROOM = 1 << 20;
/** Milliseconds: between two looks whether another process is done, between two words of progress, and of waiting
 * for a worker with more memory. */
const [PAUSE, TOLD, LARGER] = [200, 1000, 5000];

export interface WorkerOptions extends LinkOptions {
  /** Where data and results are kept on this machine. */
  readonly cache: CellCache;
  /** Cells to work on at the same time, a processor core each. */
  readonly jobs: number;
  /** Bytes that all cells together may take. */
  readonly memory: number;
  /** Ends it: cells at work are given back. */
  readonly signal: AbortSignal;
  /** Milliseconds after which it is taken to be dead where it gives no sign of life; default: a minute. */
  readonly patience?: number | undefined;
  /** How a job is done; default: in a process of its own. */
  readonly start?: ((start: CellStart) => Promise<void>) | undefined;
  readonly onReady?: (() => void) | undefined;
  readonly onBegin?: ((job: Job) => void) | undefined;
  readonly onDone?: ((job: Job, seconds: number) => void) | undefined;
  readonly onFailed?: ((problem: string) => void) | undefined;
}

/**
 * Works on the cells of any experiment in the queue, until the signal ends it.
 *
 * @throws InputError where the queue cannot be reached at first; later it waits; and where the cache can no longer be
 *   written
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const link = await openLink(options);
  try {
    await new QueueWorker(link, options).run();
  } finally {
    link.redis.disconnect();
  }
}

class QueueWorker {
  private readonly id = randomUUID();
  private readonly since = Date.now();
  private readonly ending = new AbortController();
  /** Of who ends it from outside, or of itself. */
  private readonly signal: AbortSignal;
  private readonly turns: MemoryTurns;
  private readonly estimate = new MemoryEstimate();
  private readonly exchange: Exchange;
  private readonly files: LocalFiles;
  private readonly registry: Registry;
  private readonly worker: Worker<Queued>;
  /** By name: where a job has been given to another for want of a sign of life and comes back, it is one. */
  private readonly atWork = new Map<string, Promise<void>>();
  private done = 0;
  private failed = 0;

  constructor(
    private readonly link: Link,
    private readonly options: WorkerOptions,
  ) {
    const { cache, jobs, memory, patience = PATIENCE } = options;
    this.signal = AbortSignal.any([options.signal, this.ending.signal]);
    this.turns = new MemoryTurns(memory);
    this.exchange = new Exchange(link, this.signal, options.onNotice);
    this.files = new LocalFiles(cache, this.exchange, this.signal);
    this.registry = new Registry(link.redis);
    this.worker = new Worker<Queued>(queueName(link.release), (job, token) => this.process(job, token), {
      ...bullOptions(link.redis),
      ...{ autorun: false, concurrency: jobs, name: hostname() },
      ...{ lockDuration: patience, stalledInterval: patience / 2, maxStalledCount: MOST_LOST },
      metrics: { maxDataPoints: KEPT_MINUTES },
    });
  }

  async run(): Promise<void> {
    const { signal } = this;
    this.tellFaults();
    const heartbeat = setInterval(() => this.announce(), HEARTBEAT);
    this.announce();
    const ended = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    try {
      signal.throwIfAborted();
      const running = this.worker.run();
      this.options.onReady?.();
      await Promise.race([running, ended]);
    } finally {
      clearInterval(heartbeat);
      // Cells at work have been given back, unless the server is away: then others take them after a while.
      await Promise.race([this.leave(), setTimeout(HEARTBEAT, undefined, { ref: false })]);
    }
    signal.throwIfAborted();
  }

  private async leave(): Promise<void> {
    await this.worker.close();
    await this.registry.leave(this.id);
  }

  private tellFaults(): void {
    const { onNotice, onFailed } = this.options;
    this.worker.on('lockRenewalFailed', (names) => {
      for (const name of names) onNotice?.(`${name.slice(0, 12)}… was given to another worker meanwhile`);
    });
    this.worker.on('error', () => undefined);
    this.worker.on('failed', (_, error) => {
      this.failed++;
      onFailed?.(error.message);
    });
  }

  private announce(): void {
    const { jobs, memory } = this.options;
    const record: WorkerRecord = {
      ...{ host: hostname(), process: process.pid, ...this.link.release, jobs, memory },
      ...{ running: this.atWork.size, done: this.done, failed: this.failed, since: this.since },
    };
    // Where the server is away, the next sign of life will do.
    if (this.link.redis.status === 'ready') {
      this.registry.announce(this.id, record).catch(() => undefined);
    }
  }

  /** What BullMQ calls for each job that this worker has taken from the queue. */
  private async process(queued: QueuedJob<Queued>, token: string | undefined): Promise<void> {
    const job = checked(queued);
    const name = queued.id!;
    const work = this.atWork.get(name) ?? this.begin(name, job, queued, token);
    try {
      await work;
    } catch (error) {
      if (error instanceof DelayedError) throw error;
      if (!this.signal.aborted && (await this.canWrite())) throw error;
      await queued.moveToDelayed(Date.now(), token);
      throw new DelayedError();
    }
  }

  /** Where a disk is full every cell would fail, and very fast: the worker ends, and others do its cells. */
  private async canWrite(): Promise<boolean> {
    try {
      const file = join(this.options.cache.folder, `room-${this.id}`);
      await writeWhole(file, async (write) => write(new Uint8Array(ROOM)));
      await rm(file);
      return true;
    } catch (error) {
      this.ending.abort(error);
      return false;
    }
  }

  private begin(name: string, job: Job, queued: QueuedJob<Queued>, token: string | undefined): Promise<void> {
    const work = this.work(name, job, queued, token).finally(() => this.atWork.delete(name));
    this.atWork.set(name, work);
    return work;
  }

  private async work(
    name: string,
    job: Job,
    queued: QueuedJob<Queued>,
    token: string | undefined,
  ): Promise<void> {
    const { cache } = this.options;
    const told = this.files.told(job);
    if ((await this.exchange.available([name])).length > 0) return;
    if (await this.exchange.publish(name, job, cache, told)) return;
    try {
      await this.compute(name, job, queued, token);
    } catch (error) {
      if (error instanceof DelayedError) throw error;
      throw new Error(told((error as Error).message));
    }
    if (!(await this.exchange.publish(name, job, cache, told))) throw new Error('its process left no result');
    this.done++;
  }

  private async compute(
    name: string,
    job: Job,
    queued: QueuedJob<Queued>,
    token: string | undefined,
  ): Promise<void> {
    const { cache, start = startCell, onBegin, onDone } = this.options;
    const { signal } = this;
    const local = await this.files.bring(job);
    const bytes = this.estimate.of(local);
    if (await this.hasLargerColleague(bytes)) {
      await queued.moveToDelayed(Date.now() + LARGER, token);
      throw new DelayedError();
    }
    const makeRoom = await this.turn(bytes);
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
      makeRoom();
    }
  }

  /** Waits for memory; while jobs wait for it here, no other is taken that others may have memory for. */
  private async turn(bytes: number): Promise<() => void> {
    const turn = this.turns.take(bytes);
    if (this.turns.waiting > 0) this.worker.concurrency = 1;
    const makeRoom = await turn;
    if (this.turns.waiting === 0) this.worker.concurrency = this.options.jobs;
    return makeRoom;
  }

  /** Whether a job needs more memory than this worker has, and another has it. */
  private async hasLargerColleague(bytes: number): Promise<boolean> {
    if (bytes <= this.options.memory) return false;
    const { code } = this.link.release;
    const workers = await this.registry.list();
    return workers.some((worker) => worker.code === code && worker.memory >= bytes);
  }

  /** Waits for another process that works on the same job with the same cache. */
  private async claim(name: string) {
    const { cache } = this.options;
    for (;;) {
      const claim = cache.claim(name);
      if (claim !== undefined) return claim;
      await setTimeout(PAUSE, undefined, { signal: this.signal });
    }
  }
}

/** The job itself, where it is one that this program knows, and the one that its name promises. */
function checked({ id, data }: QueuedJob<Queued>): Job {
  const { success } = queuedSchema.safeParse(data);
  if (!success) throw new UnrecoverableError('no job that this version knows');
  if (jobName(data.job) !== id) throw new UnrecoverableError('its name is that of another job');
  try {
    checkProgram(data.job);
  } catch (error) {
    throw new UnrecoverableError((error as Error).message);
  }
  return data.job;
}

/** Tells the coordinator of progress, now and then. */
function progressOf(queued: QueuedJob<Queued>): (share: number) => void {
  let last = 0;
  return (share) => {
    if (Date.now() - last < TOLD) return;
    last = Date.now();
    queued.updateProgress(share).catch(() => undefined);
  };
}
