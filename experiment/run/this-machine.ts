import type { Job } from '../jobs/job.ts';
import type { Execution, Executor, Waiting } from './executor.ts';
import { MemoryEstimate } from './memory-estimate.ts';
import { type Finished, failedNeed, isResult } from './outcome.ts';
import { type Bounds, schedule } from './schedule.ts';
import { type CellStart, startCell } from './start-cell.ts';

export interface ThisMachineOptions extends Bounds {
  /** How a job is done; default: in a process of its own. */
  readonly start?: ((start: CellStart) => Promise<void>) | undefined;
}

/** Does jobs here, several at a time. What another process with the same cache has claimed is left to it. */
export class ThisMachine implements Executor {
  constructor(private readonly options: ThisMachineOptions) {}

  async execute(jobs: readonly Waiting[], execution: Execution): Promise<void> {
    await new LocalRun(jobs.length, this.options, execution).work(jobs);
  }
}

class LocalRun {
  private readonly memory = new MemoryEstimate();
  private readonly elsewhere = new Set<string>();

  constructor(
    private unfinished: number,
    private readonly options: ThisMachineOptions,
    private readonly execution: Execution,
  ) {
    for (const outcome of execution.outcomes.values()) if (isResult(outcome)) this.memory.learn(outcome);
  }

  async work(jobs: readonly Waiting[]): Promise<void> {
    const estimate = (job: Job) => this.memory.of(job);
    await schedule(jobs, this.options, estimate, (waiting) => this.begin(waiting));
  }

  /** Begins a job, unless another process has it at hand. */
  private begin({ name, job }: Waiting): Promise<void> | undefined {
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
    // Another process may have done it since it was looked for.
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

  /** Cores that no other job will use; always one where times are to be compared. */
  private coresToSpare(): number {
    return this.execution.isTimed ? 1 : Math.max(1, Math.floor(this.options.atOnce / this.unfinished));
  }
}
