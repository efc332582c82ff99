import { setTimeout } from 'node:timers/promises';
import { type Queue, QueueEvents } from 'bullmq';
import { type Job, jobNeeds } from '../cells/job.ts';
import { type Finished, failedNeed, type Outcome } from '../cells/job-result.ts';
import type { Execution, Executor, Waiting } from '../run/run-plan.ts';
import { UnusableData } from './data-store.ts';
import { Exchange } from './exchange.ts';
import { Provisions } from './job-files.ts';
import { type Queued, queueName, releaseText } from './protocol.ts';
import { Registry } from './registry.ts';
import { bullOptions, type Link, type LinkOptions, openLink, openQueue } from './server.ts';

/** Has jobs done by workers on other machines, which take them from a queue. */
export class QueueExecutor implements Executor {
  constructor(private readonly options: LinkOptions) {}

  /** Throws `InputError` where the queue cannot be reached at first; later it waits. */
  async execute(jobs: readonly Waiting[], execution: Execution): Promise<void> {
    if (jobs.length === 0) return;
    const link = await openLink(this.options);
    const queue = openQueue(link);
    // Who waits for news can ask nothing else.
    const listening = link.redis.duplicate();
    listening.on('error', () => undefined);
    const events = new QueueEvents(queueName(link.release), bullOptions(listening));
    events.on('error', () => undefined);
    try {
      await new QueueRun(jobs, execution, { ...this.options, link, queue, events }).work();
    } finally {
      // Whatever is under way: nothing is waited for that a server which is away would have to answer.
      await Promise.allSettled([events.close(), queue.disconnect()]);
      for (const redis of [listening, link.redis]) redis.disconnect();
    }
  }
}

/** How often a job is tried, milliseconds between two attempts, and seconds for which its failure is kept. */
const [ATTEMPTS, BACKOFF, FAILURE_KEPT] = [3, 1000, 7 * 86_400];
/** Jobs that are put into the queue at a time, and results that are taken at a time. */
const [BATCH, AT_ONCE] = [200, 8];
/** Milliseconds: of waiting for news, between two looks at what became of jobs, and at what they need. */
const [PAUSE, LOOK, RENEWAL] = [1000, 10_000, 600_000];
/** Jobs that are looked at each time. */
const LOOKED_AT = 500;
/** The largest priority that BullMQ knows, which comes last. */
const LAST = 2 ** 21;

export interface QueueRunOptions {
  readonly link: Link;
  readonly queue: Queue<Queued>;
  readonly events: QueueEvents;
  readonly onNotice?: ((notice: string) => void) | undefined;
}

/**
 * Jobs of one plan on their way through the queue. News come as events; as these can be missed (by a restart of
 * Redis, say), every few seconds some of the jobs are looked at, and what is lost is put there again.
 */
export class QueueRun {
  private readonly jobs: ReadonlyMap<string, Job>;
  private readonly rank: ReadonlyMap<string, number>;
  /** Names of jobs without an outcome, by whom they wait for. */
  private readonly needs: Map<string, Set<string>>;
  private readonly dependents = new Map<string, string[]>();
  private ready: string[];
  /** In the queue, or taken from it; those looked at longest ago first. */
  private readonly queued = new Set<string>();
  private readonly running = new Set<string>();
  private readonly found = new Set<string>();
  private readonly failures = new Map<string, string>();
  private readonly useless = new Map<string, number>();
  private readonly exchange: Exchange;
  private readonly provisions: Provisions;
  private lookedAt = Date.now();
  private renewedAt = Date.now();
  private workers = '';
  private isEnded = false;
  private wake: () => void = () => undefined;
  private waking: Promise<void> | undefined;

  constructor(
    waiting: readonly Waiting[],
    private readonly execution: Execution,
    private readonly options: QueueRunOptions,
  ) {
    const { cache, signal, outcomes } = execution;
    this.jobs = new Map(waiting.map(({ name, job }) => [name, job]));
    this.rank = new Map(waiting.map(({ name }, i) => [name, Math.min(i + 1, LAST)]));
    this.needs = new Map(waiting.map(({ name, job }) => [name, this.unfinishedNeeds(name, job)]));
    this.ready = waiting.map(({ name }) => name).filter((name) => this.needs.get(name)!.size === 0);
    this.exchange = new Exchange(options.link, signal, options.onNotice);
    const jobOf = (name: string) => this.jobs.get(name) ?? resultJob(outcomes.get(name));
    this.provisions = new Provisions(cache, this.exchange, jobOf);
  }

  /** Ends when all jobs have an outcome; throws the signal's reason where it is aborted. */
  async work(): Promise<void> {
    const { signal } = this.execution;
    this.listen();
    const stop = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    stop.catch(() => undefined);
    signal.throwIfAborted();
    // A server that is away answers nothing: Ctrl-C is heard all the same.
    await Promise.race([this.all(), stop]).finally(() => {
      this.isEnded = true;
    });
  }

  private async all(): Promise<void> {
    for (const name of await this.availableOf([...this.jobs.keys()])) this.found.add(name);
    // Results are taken also while a queue that is full takes no jobs: that makes room there.
    await Promise.race([this.take(), this.give()]);
  }

  private get isGoingOn(): boolean {
    return this.needs.size > 0 && !this.isEnded && !this.execution.signal.aborted;
  }

  private async take(): Promise<void> {
    while (this.isGoingOn) {
      await this.takeResults();
      this.tellFailures();
      if (this.found.size === 0 && this.failures.size === 0 && this.isGoingOn) await this.news();
    }
  }

  private async give(): Promise<void> {
    while (this.isGoingOn) {
      if (Date.now() - this.renewedAt > RENEWAL) await this.renew();
      await this.enqueue();
      if (Date.now() - this.lookedAt > LOOK) await this.look();
      if (this.ready.length === 0 && this.isGoingOn) await this.news();
    }
  }

  private unfinishedNeeds(name: string, job: Job): Set<string> {
    const needs = new Set(jobNeeds(job).filter((need) => this.jobs.has(need)));
    for (const need of needs) this.dependents.set(need, [...(this.dependents.get(need) ?? []), name]);
    return needs;
  }

  private listen(): void {
    const { events } = this.options;
    const isOurs = (name: string) => this.needs.has(name);
    const moved = (name: string, isRunning: boolean) => {
      if (!isOurs(name) || this.running.has(name) === isRunning) return;
      if (isRunning) this.running.add(name);
      else this.running.delete(name);
      this.execution.onElsewhere(this.running.size);
    };
    events.on('active', ({ jobId }) => moved(jobId, true));
    events.on('waiting', ({ jobId }) => moved(jobId, false));
    events.on('progress', ({ jobId, data }) => {
      if (isOurs(jobId) && typeof data === 'number')
        this.execution.onShare(jobId, Math.min(1, Math.max(0, data)));
    });
    events.on('completed', ({ jobId }) => {
      if (isOurs(jobId)) this.found.add(jobId);
      this.wake();
    });
    events.on('failed', ({ jobId, failedReason }) => {
      if (isOurs(jobId)) this.failures.set(jobId, failedReason);
      this.wake();
    });
  }

  /** Ends when there are any, or after a while. */
  private async news(): Promise<void> {
    this.waking ??= new Promise((resolve) => {
      this.wake = () => {
        this.waking = undefined;
        resolve();
      };
    });
    await Promise.race([this.waking, setTimeout(PAUSE)]);
  }

  private async takeResults(): Promise<void> {
    const names = [...this.found].slice(0, AT_ONCE);
    await Promise.all(names.map((name) => this.takeResult(name)));
  }

  private async takeResult(name: string): Promise<void> {
    const { cache } = this.execution;
    try {
      if (!this.needs.has(name)) return;
      const result = await this.exchange.take(name, cache, this.jobs.get(name)!);
      if (result === undefined) return this.again(name);
      await this.exchange.release(name);
      this.settle(name, result);
    } catch (error) {
      if (!(error instanceof UnusableData)) throw error;
      const times = (this.useless.get(name) ?? 0) + 1;
      this.useless.set(name, times);
      await this.exchange.forget(name);
      if (times < ATTEMPTS) this.again(name);
      else this.settle(name, { problem: error.message });
    } finally {
      this.found.delete(name);
    }
  }

  /** What is lost is put into the queue once more; what it needs may be lost, too. */
  private again(name: string): void {
    this.renewedAt = 0;
    this.queued.delete(name);
    this.ready.push(name);
  }

  private tellFailures(): void {
    for (const [name, problem] of this.failures) {
      this.failures.delete(name);
      // It makes room for another attempt: of the same command, some time later.
      this.options.queue.remove(name).catch(() => undefined);
      this.settle(name, { problem });
    }
  }

  /** Tells of an outcome, and of those that follow from it. */
  private settle(name: string, finished: Finished): void {
    if (!this.needs.delete(name)) return;
    this.queued.delete(name);
    this.running.delete(name);
    this.execution.onDone(name, finished);
    for (const dependent of this.dependents.get(name) ?? []) {
      const needs = this.needs.get(dependent);
      if (needs?.delete(name) && needs.size === 0) this.ready.push(dependent);
    }
    this.wake();
  }

  private async enqueue(): Promise<void> {
    const names = this.ready.splice(0, BATCH).filter((name) => this.needs.has(name) && !this.found.has(name));
    const adding: string[] = [];
    for (const name of names) {
      const job = this.jobs.get(name)!;
      const failure = failedNeed(job, this.execution.outcomes);
      if (failure !== undefined) this.settle(name, failure);
      else {
        await this.provisions.provide(job);
        adding.push(name);
      }
    }
    if (adding.length === 0) return;
    const entries = adding.map((name) => ({
      name: this.jobs.get(name)!.kind,
      data: { job: this.jobs.get(name)! },
      opts: {
        ...{ jobId: name, priority: this.rank.get(name)!, attempts: ATTEMPTS },
        backoff: { type: 'fixed', delay: BACKOFF },
        ...{ removeOnComplete: true, removeOnFail: { age: FAILURE_KEPT }, stackTraceLimit: 0 },
      },
    }));
    await this.exchange.patiently(() => this.options.queue.addBulk(entries));
    for (const name of adding) this.queued.add(name);
  }

  /** Looks at some of the jobs in the queue, and at who works. */
  private async look(): Promise<void> {
    this.lookedAt = Date.now();
    const names = [...this.queued].slice(0, LOOKED_AT);
    for (const name of names) {
      this.queued.delete(name);
      this.queued.add(name);
    }
    const { queue } = this.options;
    const states = await Promise.all(names.map((name) => queue.getJobState(name)));
    const lost = new Set(names.filter((_, i) => states[i] === 'unknown' || states[i] === 'completed'));
    // Asked after the states: a result is there before its job is out of the queue.
    for (const name of await this.availableOf(names)) {
      this.found.add(name);
      lost.delete(name);
    }
    for (const name of lost) if (this.needs.has(name) && this.queued.has(name)) this.again(name);
    for (const [i, name] of names.entries()) if (states[i] === 'failed') await this.lookAtFailure(name);
    await this.lookAtWorkers();
  }

  private async lookAtFailure(name: string): Promise<void> {
    const job = await this.options.queue.getJob(name);
    if (job !== undefined) this.failures.set(name, job.failedReason);
  }

  private async availableOf(names: readonly string[]): Promise<string[]> {
    const all: string[] = [];
    for (let i = 0; i < names.length; i += LOOKED_AT) {
      all.push(...(await this.exchange.available(names.slice(i, i + LOOKED_AT))));
    }
    return all;
  }

  private async lookAtWorkers(): Promise<void> {
    const { link, onNotice } = this.options;
    const workers = await new Registry(link.redis).list();
    const own = workers.filter(({ code }) => code === link.release.code);
    const others = [...new Set(workers.map(releaseText))].filter(
      (text) => text !== releaseText(link.release),
    );
    const besides = others.length === 0 ? '' : `; those of ${others.join(', ')} would give other figures`;
    const notice =
      own.length > 0 ? '' : `no worker of this version, ${releaseText(link.release)}, is there yet${besides}`;
    if (notice !== '' && notice !== this.workers) onNotice?.(notice);
    this.workers = notice;
  }

  private async renew(): Promise<void> {
    this.renewedAt = Date.now();
    await this.provisions.renew();
  }
}

function resultJob(outcome: Outcome | undefined): Job {
  if (outcome !== undefined && 'job' in outcome) return outcome.job;
  throw new Error('a job needs another that is not planned');
}
