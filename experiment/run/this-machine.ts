import { setTimeout } from 'node:timers/promises';
import { type Job, jobNeeds } from '../jobs/job.ts';
import { type Finished, failedNeed, isResult } from '../jobs/job-result.ts';
import { MemoryEstimate } from './memory.ts';
import type { Execution, Executor, NamedJob } from './run-plan.ts';
import { type CellStart, startCell } from './start-cell.ts';

export interface ThisMachineOptions extends Bounds {
  readonly start?: ((start: CellStart) => Promise<void>) | undefined;
}

/** Runs jobs here, several at a time. Jobs claimed by another process with the same cache are left to it. */
export function thisMachine(options: ThisMachineOptions): Executor {
  return async (jobs, execution) => {
    const run = new LocalRun(jobs.length, options, execution);
    const estimate = (job: Job) => run.memory.of(job);
    await schedule(jobs, options, estimate, (waiting) => run.begin(waiting));
  };
}

class LocalRun {
  readonly memory = new MemoryEstimate();
  private readonly elsewhere = new Set<string>();

  constructor(
    private unfinished: number,
    private readonly options: ThisMachineOptions,
    private readonly execution: Execution,
  ) {
    for (const outcome of execution.outcomes.values()) if (isResult(outcome)) this.memory.learn(outcome);
  }

  /** Starts a job unless another process has claimed it. */
  begin({ name, job }: NamedJob): Promise<void> | undefined {
    const { cache, signal, onElsewhere } = this.execution;
    signal.throwIfAborted();
    const claim = cache.claim(name);
    const before = this.elsewhere.size;
    if (claim === undefined) this.elsewhere.add(name);
    else this.elsewhere.delete(name);
    if (this.elsewhere.size !== before) onElsewhere(this.elsewhere.size);
    return claim && this.compute(name, job).finally(() => claim.release());
  }

  private async compute(name: string, job: Job): Promise<void> {
    const { cache, signal, outcomes, onDone } = this.execution;
    // Another process may have finished it meanwhile.
    const finished =
      (await cache.result(name)) ?? failedNeed(job, outcomes) ?? (await this.finish(name, job));
    signal.throwIfAborted();
    this.unfinished--;
    if (isResult(finished)) this.memory.learn(finished);
    onDone(name, finished);
  }

  private async finish(name: string, job: Job): Promise<Finished> {
    const { cache, signal, onShare } = this.execution;
    const { start = startCell } = this.options;
    const onProgress = (share: number) => onShare(name, share);
    await cache.writeJob(name, job);
    try {
      await start({ cache, name, cores: this.coresToSpare(), signal, onProgress });
      return (await cache.result(name)) ?? { problem: 'its process left no result' };
    } catch (error) {
      return { problem: (error as Error).message };
    }
  }

  /** Cores per job when fewer jobs than cores are left; always one if times are reported. */
  private coresToSpare(): number {
    return this.execution.isTimed ? 1 : Math.max(1, Math.floor(this.options.atOnce / this.unfinished));
  }
}

export interface Bounds {
  readonly atOnce: number;
  /** Bytes for all running jobs together; a job that needs more runs alone. */
  readonly memory: number;
}

/** Milliseconds between attempts to claim a job that another process has claimed. */
const PAUSE = 200;

/** Runs jobs within bounds, each time the first that fits; one for which `work` returns undefined is tried again later. */
export async function schedule(
  jobs: readonly NamedJob[],
  { atOnce, memory }: Bounds,
  estimate: (job: Job) => number,
  work: (waiting: NamedJob) => Promise<void> | undefined,
): Promise<void> {
  const waiting = [...jobs];
  const running = new Map<string, { readonly bytes: number; readonly done: Promise<string> }>();
  const beginNext = (): 'begun' | 'refused' | 'none' => {
    if (running.size >= atOnce) return 'none';
    const used = [...running.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    const unfinished = new Set([...running.keys(), ...waiting.map(({ name }) => name)]);
    const isReady = (job: Job) => !jobNeeds(job).some((name) => unfinished.has(name));
    const fits = (job: Job) => running.size === 0 || used + estimate(job) <= memory;
    let outcome: 'refused' | 'none' = 'none';
    for (const [i, one] of waiting.entries()) {
      const { name, job } = one;
      if (!isReady(job) || !fits(job)) continue;
      const done = work(one)?.then(() => name);
      if (done === undefined) outcome = 'refused';
      else {
        // Awaited below: this prevents an unhandled rejection before that.
        done.catch(() => undefined);
        running.set(name, { bytes: estimate(job), done });
        waiting.splice(i, 1);
        return 'begun';
      }
    }
    return outcome;
  };
  while (waiting.length > 0 || running.size > 0) {
    const outcome = beginNext();
    if (outcome === 'begun') continue;
    const events: Promise<string | undefined>[] = [...running.values()].map(({ done }) => done);
    if (outcome === 'refused') events.push(setTimeout(PAUSE));
    const ended = await Promise.race(events);
    if (ended !== undefined) running.delete(ended);
  }
}
