import type { Plan } from '../definition/plan.ts';
import { type Job, jobNeeds } from '../jobs/job.ts';
import type { JobResult } from '../jobs/job-result.ts';
import { figures } from '../results/figures.ts';
import type { CellCache } from './cell-cache.ts';
import { MemoryEstimate } from './memory-estimate.ts';
import { type Bounds, schedule, type Waiting } from './schedule.ts';
import { type CellStart, startCell } from './start-cell.ts';

/** What became of a job: its result, or the one line that says why there is none. */
export type Outcome = JobResult | { readonly problem: string };

export function isResult(outcome: Outcome): outcome is JobResult {
  return !('problem' in outcome);
}

export interface RunProgress {
  readonly finished: number;
  /** Jobs that were not in the cache. */
  readonly jobs: number;
  /** Of these, such as another process with the same cache has at hand: their results are waited for. */
  readonly elsewhere: number;
  /** Sentences learnt from, over all epochs. */
  readonly done: number;
  readonly total: number;
}

export interface RunOptions extends Bounds {
  readonly cache: CellCache;
  readonly signal: AbortSignal;
  onProgress?(progress: RunProgress): void;
  onFinished?(name: string, outcome: Outcome, progress: RunProgress): void;
  /** How a job is done; default: in a process of its own. */
  readonly start?: (start: CellStart) => Promise<void>;
}

/**
 * Gets the results of a plan's jobs: from the cache, or else by running them, or from other processes with the same
 * cache, which have claimed them; those of a process that dies are taken over. What fails does not keep the
 * others from running. Throws the signal's reason where it is aborted; finished results stay in the cache.
 */
export async function runPlan(plan: Plan, options: RunOptions): Promise<Map<string, Outcome>> {
  const isTimed = plan.experiment.report.some((name) => figures[name].kind === 'measured');
  const run = new PlanRun(options, isTimed);
  for (const [name, job] of plan.jobs) await run.lookUp(name, job);
  await run.work();
  return run.outcomes;
}

/** About how often a tagger learns from every sentence: for the progress only. */
const TAGGER_EPOCHS = 6;

/** How many of the plan's jobs are in the cache. */
export async function countCached(plan: Pick<Plan, 'jobs'>, cache: CellCache): Promise<number> {
  const results = await Promise.all([...plan.jobs.keys()].map((name) => cache.result(name)));
  return results.filter((result) => result !== undefined).length;
}

class PlanRun {
  readonly outcomes = new Map<string, Outcome>();
  private readonly missing: Waiting[] = [];
  private readonly memory = new MemoryEstimate();
  private readonly shares = new Map<string, number>();
  private readonly elsewhere = new Set<string>();
  private finished = 0;

  constructor(
    private readonly options: RunOptions,
    private readonly isTimed: boolean,
  ) {}

  async lookUp(name: string, job: Job): Promise<void> {
    const result = await this.options.cache.result(name);
    if (result === undefined) this.missing.push({ name, job });
    else this.accept(name, result);
  }

  async work(): Promise<void> {
    const { atOnce, memory } = this.options;
    const estimate = (job: Job) => this.memory.of(job);
    // The longest first: what is left for the end is short, and leaves no core waiting. Parsers wait for taggers.
    const isTagging = ({ job }: Waiting) => Number(job.kind === 'tagging');
    const longestFirst = this.missing.toSorted(
      (a, b) => isTagging(b) - isTagging(a) || sentencesToLearn(b.job) - sentencesToLearn(a.job),
    );
    await schedule(longestFirst, { atOnce, memory }, estimate, ({ name, job }) => this.begin(name, job));
  }

  /** Begins a job, unless another process has it at hand. */
  private begin(name: string, job: Job): Promise<void> | undefined {
    const { cache, signal } = this.options;
    signal.throwIfAborted();
    const claim = cache.claim(name);
    const before = this.elsewhere.size;
    if (claim === undefined) this.elsewhere.add(name);
    else this.elsewhere.delete(name);
    if (this.elsewhere.size !== before) this.options.onProgress?.(this.position());
    return claim && this.compute(name, job).finally(() => claim.release());
  }

  private async compute(name: string, job: Job): Promise<void> {
    const { cache, signal } = this.options;
    // Another process may have done it since it was looked for.
    const outcome = (await cache.result(name)) ?? this.failedNeed(job) ?? (await this.outcomeOf(name, job));
    signal.throwIfAborted();
    this.finished++;
    this.progress(name, 1);
    this.accept(name, outcome);
    this.options.onFinished?.(name, outcome, this.position());
  }

  /** The failure of a job by that of one whose sentences it reads. */
  private failedNeed(job: Job): Outcome | undefined {
    const needed = jobNeeds(job).map((name) => this.outcomes.get(name)!);
    const failed = needed.find((outcome) => !isResult(outcome));
    if (failed === undefined || isResult(failed)) return undefined;
    return { problem: `${job.kind === 'vote' ? 'a member' : 'its tagging'} failed: ${failed.problem}` };
  }

  private async outcomeOf(name: string, job: Job): Promise<Outcome> {
    const { cache, signal, start = startCell } = this.options;
    const onProgress = (share: number) => this.progress(name, share);
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
    const unfinished = this.missing.length - this.finished;
    return this.isTimed ? 1 : Math.max(1, Math.floor(this.options.atOnce / unfinished));
  }

  private accept(name: string, outcome: Outcome): void {
    this.outcomes.set(name, outcome);
    if (isResult(outcome)) this.memory.learn(outcome);
  }

  private progress(name: string, share: number): void {
    this.shares.set(name, share);
    this.options.onProgress?.(this.position());
  }

  private position(): RunProgress {
    let done = 0;
    let total = 0;
    for (const { name, job } of this.missing) {
      total += sentencesToLearn(job);
      done += sentencesToLearn(job) * (this.shares.get(name) ?? 0);
    }
    const { finished, missing, elsewhere } = this;
    return { finished, jobs: missing.length, elsewhere: elsewhere.size, done, total };
  }
}

/** Over all epochs, members, folds and places of a beam, where there are such; a vote is as good as nothing. */
function sentencesToLearn(job: Job): number {
  if (job.kind === 'vote') return 1;
  if (job.kind === 'tagging') return TAGGER_EPOCHS * (job.folds ?? 1) * job.learn.to;
  const { epochs, members, beam } = job.options;
  const times = [epochs, members, beam].filter((count) => typeof count === 'number');
  return times.reduce((product, count) => product * count, job.train.to);
}
