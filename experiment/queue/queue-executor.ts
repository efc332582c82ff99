import { setTimeout } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import { type Job, jobNeeds } from '../jobs/job.ts';
import { type Finished, failedNeed, type Outcome } from '../jobs/job-result.ts';
import type { Execution, Executor, NamedJob } from '../run/run-plan.ts';
import { UnusableData } from './data-store.ts';
import { Exchange } from './exchange.ts';
import { Uploads } from './job-files.ts';
import { type Queued, queueName } from './protocol.ts';
import { type Link, type LinkOptions, ObservedQueue, untilAborted, withLink } from './server.ts';

/** Throws `InputError` if the queue cannot be reached at first; later it waits for the server. */
export function queueExecutor(options: LinkOptions): Executor {
  return async (jobs, execution) => {
    if (jobs.length === 0) return;
    const { onNotice } = options;
    await withLink(options, async (link) => {
      const observed = new ObservedQueue<Queued>(link, queueName(link.release));
      const run = new QueueRun(jobs, execution, { link, observed, onNotice });
      await run.work().finally(() => observed.close(PAUSE));
    });
  };
}

/** Attempts per job, milliseconds between them, and seconds for which failures are kept. */
const [ATTEMPTS, BACKOFF, FAILURE_KEPT] = [3, 1000, 7 * 86_400];
/** Jobs added to the queue at a time, and results fetched at a time. */
const [BATCH, AT_ONCE] = [200, 8];
/** Milliseconds: the longest wait for events, between checks of queued jobs, and between renewals of uploads. */
const [PAUSE, CHECK, RENEWAL] = [1000, 10_000, 600_000];
const CHECKED = 500;
/** BullMQ's largest priority number, which comes last. */
const LAST = 2 ** 21;

interface QueueRunOptions extends Pick<LinkOptions, 'onNotice'> {
  readonly link: Link;
  readonly observed: ObservedQueue<Queued>;
}

/**
 * Runs the jobs of one plan through the queue. Events report progress; as they can be lost (when Redis restarts, say), some
 * jobs are checked every few seconds, and lost ones are queued again.
 */
class QueueRun {
  private readonly jobs: ReadonlyMap<string, Job>;
  private readonly rank: ReadonlyMap<string, number>;
  /** The jobs without an outcome, with the unfinished jobs they depend on. */
  private readonly needs: Map<string, Set<string>>;
  private readonly dependents = new Map<string, string[]>();
  private ready: string[];
  /** Queued or running jobs, the least recently checked first. */
  private readonly queued = new Set<string>();
  private readonly running = new Set<string>();
  private readonly found = new Set<string>();
  private readonly failures = new Map<string, string>();
  /** Unusable results received per job. */
  private readonly unusable = new Map<string, number>();
  private readonly exchange: Exchange;
  private readonly uploads: Uploads;
  private readonly queue: Queue<Queued>;
  private checkedAt = Date.now();
  private renewedAt = Date.now();

  private isEnded = false;
  private notify: () => void = () => undefined;
  private notified: Promise<void> | undefined;

  constructor(
    waiting: readonly NamedJob[],
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
    this.uploads = new Uploads(cache, this.exchange, jobOf);
    this.queue = options.observed.queue;
  }

  /** Resolves when all jobs have an outcome; throws the signal's reason if it is aborted. */
  async work(): Promise<void> {
    this.listen();
    await untilAborted(this.execution.signal, () => this.runAll()).finally(() => {
      this.isEnded = true;
    });
  }

  private async runAll(): Promise<void> {
    for (const name of await this.exchange.available([...this.jobs.keys()])) this.found.add(name);
    // Results are fetched even while a full queue accepts no jobs: that frees memory.
    await Promise.race([this.receive(), this.send()]);
  }

  private get isUnfinished(): boolean {
    return this.needs.size > 0 && !this.isEnded && !this.execution.signal.aborted;
  }

  private async receive(): Promise<void> {
    while (this.isUnfinished) {
      const names = [...this.found].slice(0, AT_ONCE);
      await Promise.all(names.map((name) => this.takeResult(name)));
      for (const [name, problem] of this.failures) {
        this.failures.delete(name);
        // Removed so that the same command can try again later.
        this.queue.remove(name).catch(() => undefined);
        this.settle(name, { problem });
      }
      if (this.found.size === 0 && this.failures.size === 0 && this.isUnfinished) await this.event();
    }
  }

  private async send(): Promise<void> {
    while (this.isUnfinished) {
      if (Date.now() - this.renewedAt > RENEWAL) {
        this.renewedAt = Date.now();
        await this.uploads.renew();
      }
      await this.enqueue();
      if (Date.now() - this.checkedAt > CHECK) await this.check();
      if (this.ready.length === 0 && this.isUnfinished) await this.event();
    }
  }

  private unfinishedNeeds(name: string, job: Job): Set<string> {
    const needs = new Set(jobNeeds(job).filter((need) => this.jobs.has(need)));
    for (const need of needs) this.dependents.set(need, [...(this.dependents.get(need) ?? []), name]);
    return needs;
  }

  private listen(): void {
    const { events } = this.options.observed;
    const isOurs = (name: string) => this.needs.has(name);
    const moved = (name: string, isRunning: boolean) => {
      if (!isOurs(name) || this.running.has(name) === isRunning) return;
      if (isRunning) this.running.add(name);
      else this.running.delete(name);
      this.execution.onElsewhere(this.running.size);
    };
    events.on('active', ({ jobId }) => moved(jobId, true));
    events.on('waiting', ({ jobId }) => moved(jobId, false));
    events.on('delayed', ({ jobId }) => {
      // The attempt may have failed because data were lost or damaged: uploads are renewed before the next attempt.
      if (isOurs(jobId)) this.renewedAt = 0;
      this.notify();
    });
    events.on('progress', ({ jobId, data }) => {
      if (isOurs(jobId) && typeof data === 'number')
        this.execution.onShare(jobId, Math.min(1, Math.max(0, data)));
    });
    events.on('completed', ({ jobId }) => {
      if (isOurs(jobId)) this.found.add(jobId);
      this.notify();
    });
    events.on('failed', ({ jobId, failedReason }) => {
      if (isOurs(jobId)) this.failures.set(jobId, failedReason);
      this.notify();
    });
  }

  /** Waits for an event, but not for long. */
  private async event(): Promise<void> {
    this.notified ??= new Promise((resolve) => {
      this.notify = () => {
        this.notified = undefined;
        resolve();
      };
    });
    await Promise.race([this.notified, setTimeout(PAUSE)]);
  }

  private async takeResult(name: string): Promise<void> {
    const { cache } = this.execution;
    try {
      if (!this.needs.has(name)) return;
      const result = await this.exchange.take(name, cache, this.jobs.get(name)!);
      if (result === undefined) return this.requeue(name);
      await this.exchange.release(name);
      this.settle(name, result);
    } catch (error) {
      if (!(error instanceof UnusableData)) throw error;
      const times = (this.unusable.get(name) ?? 0) + 1;
      this.unusable.set(name, times);
      await this.exchange.drop(name);
      if (times < ATTEMPTS) this.requeue(name);
      else this.settle(name, { problem: error.message });
    } finally {
      this.found.delete(name);
    }
  }

  /** Queues a lost job again, if its needs are met, and renews the uploads, as they may be lost as well. */
  private requeue(name: string): void {
    this.renewedAt = 0;
    this.queued.delete(name);
    if (this.needs.get(name)?.size === 0) this.ready.push(name);
  }

  /** Reports an outcome and queues the jobs that waited for it. */
  private settle(name: string, finished: Finished): void {
    if (!this.needs.delete(name)) return;
    this.queued.delete(name);
    this.running.delete(name);
    this.execution.onDone(name, finished);
    for (const dependent of this.dependents.get(name) ?? []) {
      const needs = this.needs.get(dependent);
      if (needs?.delete(name) && needs.size === 0) this.ready.push(dependent);
    }
    this.notify();
  }

  private async enqueue(): Promise<void> {
    const names = this.ready.splice(0, BATCH).filter((name) => this.needs.has(name) && !this.found.has(name));
    const adding: string[] = [];
    for (const name of names) {
      const job = this.jobs.get(name)!;
      const failure = failedNeed(job, this.execution.outcomes);
      if (failure !== undefined) this.settle(name, failure);
      else {
        await this.uploads.upload(job);
        adding.push(name);
      }
    }
    if (adding.length === 0) return;
    const entries = adding.map((name) => ({
      name: this.jobs.get(name)!.kind,
      data: { job: this.jobs.get(name)! },
      opts: {
        jobId: name,
        priority: this.rank.get(name)!,
        attempts: ATTEMPTS,
        backoff: { type: 'fixed', delay: BACKOFF },
        removeOnComplete: true,
        removeOnFail: { age: FAILURE_KEPT },
        stackTraceLimit: 0,
      },
    }));
    await this.exchange.patiently(() => this.queue.addBulk(entries));
    for (const name of adding) this.queued.add(name);
  }

  /** Checks some of the queued jobs, and whether there are workers. */
  private async check(): Promise<void> {
    this.checkedAt = Date.now();
    const names = [...this.queued].slice(0, CHECKED);
    for (const name of names) {
      this.queued.delete(name);
      this.queued.add(name);
    }
    const states = await Promise.all(names.map((name) => this.queue.getJobState(name)));
    const lost = new Set(names.filter((_, i) => states[i] === 'unknown' || states[i] === 'completed'));
    // Queried after the states: a result is published before its job leaves the queue.
    for (const name of await this.exchange.available(names)) {
      this.found.add(name);
      lost.delete(name);
    }
    for (const name of lost) if (this.needs.has(name) && this.queued.has(name)) this.requeue(name);
    for (const name of names.filter((_, i) => states[i] === 'failed')) {
      const job = await this.queue.getJob(name);
      if (job !== undefined) this.failures.set(name, job.failedReason);
    }
    await this.exchange.checkWorkers();
  }
}

function resultJob(outcome: Outcome | undefined): Job {
  if (outcome !== undefined && 'job' in outcome) return outcome.job;
  throw new Error('a job depends on one that is not planned');
}
