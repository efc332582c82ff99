import type { CellCache } from '../cells/cell-cache.ts';
import { figures } from '../cells/figures.ts';
import type { Plan } from '../definition/plan.ts';
import type { Job, ParserJob } from '../jobs/job.ts';
import { type Finished, type Outcome, outcomeOf } from '../jobs/job-result.ts';
import { countOf } from '../jobs/selection.ts';

export interface RunProgress {
  readonly finished: number;
  /** Number of jobs that were not in the cache. */
  readonly jobs: number;
  /** Jobs that other processes are running. */
  readonly elsewhere: number;
  /** Training sentences processed, over all epochs. */
  readonly done: number;
  readonly total: number;
}

export interface RunOptions {
  readonly cache: CellCache;
  readonly executor: Executor;
  readonly signal: AbortSignal;
  onProgress?(progress: RunProgress): void;
  onFinished?(name: string, outcome: Outcome, progress: RunProgress): void;
}

/**
 * Gets the results of a plan's jobs from the cache or else from the executor. A failed job does not stop the others.
 * Throws the signal's reason if it is aborted; finished results stay in the cache.
 */
export async function runPlan(plan: Plan, options: RunOptions): Promise<Map<string, Outcome>> {
  const run = new PlanRun(plan, options, await cachedOutcomes(plan, options.cache));
  await run.work();
  return run.outcomes;
}

/** The outcomes of the plan's jobs that are in the cache. */
export async function cachedOutcomes(plan: Pick<Plan, 'jobs'>, cache: CellCache) {
  const done = new Map<string, Outcome>();
  for (const [name, job] of plan.jobs) {
    const result = await cache.result(name);
    if (result !== undefined) done.set(name, outcomeOf(result, job));
  }
  return done;
}

class PlanRun {
  private readonly missing: NamedJob[] = [];
  private readonly shares = new Map<string, number>();
  /** Training sentences per job; `total` and `done` are running sums, as there may be very many jobs. */
  private readonly sizes = new Map<string, number>();
  private total = 0;
  private done = 0;
  private elsewhere = 0;
  private finished = 0;

  constructor(
    private readonly plan: Plan,
    private readonly options: RunOptions,
    /** Initially those from the cache. */
    readonly outcomes: Map<string, Outcome>,
  ) {
    for (const [name, job] of plan.jobs) {
      if (outcomes.has(name)) continue;
      const size = sentencesToLearn(job);
      this.missing.push({ name, job });
      this.sizes.set(name, size);
      this.total += size;
    }
  }

  async work(): Promise<void> {
    const { cache, executor, signal } = this.options;
    const isTimed = this.plan.experiment.report.some((name) => figures[name].kind === 'measured');
    await executor(longestFirst(this.missing), {
      cache,
      signal,
      isTimed,
      outcomes: this.outcomes,
      onShare: (name, share) => this.progress(name, share),
      onElsewhere: (jobs) => {
        this.elsewhere = jobs;
        this.options.onProgress?.(this.position());
      },
      onDone: (name, finished) => this.accept(name, finished),
    });
  }

  private accept(name: string, finished: Finished): void {
    const outcome = outcomeOf(finished, this.plan.jobs.get(name)!);
    this.finished++;
    this.progress(name, 1);
    this.outcomes.set(name, outcome);
    this.options.onFinished?.(name, outcome, this.position());
  }

  private progress(name: string, share: number): void {
    this.done += (share - (this.shares.get(name) ?? 0)) * this.sizes.get(name)!;
    this.shares.set(name, share);
    this.options.onProgress?.(this.position());
  }

  private position(): RunProgress {
    const { finished, missing, elsewhere, total } = this;
    // Rounding errors could keep the sum of shares from reaching the total.
    const done = finished === missing.length ? total : this.done;
    return { finished, jobs: missing.length, elsewhere, done, total };
  }
}

/** Sorts the longest jobs first, so that no core idles at the end; taggers before all, as parsers wait for them. */
function longestFirst(jobs: readonly NamedJob[]): NamedJob[] {
  const isTagging = ({ job }: NamedJob) => Number(job.kind === 'tagging');
  return jobs.toSorted(
    (a, b) => isTagging(b) - isTagging(a) || sentencesToLearn(b.job) - sentencesToLearn(a.job),
  );
}

/** Approximate number of a tagger's epochs, for the progress display. */
const TAGGER_EPOCHS = 6;

/** Training effort in sentences: counts epochs, members, folds, beam and guides. Votes and files take almost no time. */
function sentencesToLearn(job: Job): number {
  if (job.kind === 'vote' || job.kind === 'file') return 1;
  if (job.kind === 'tagging') return TAGGER_EPOCHS * (job.folds ?? 1) * countOf(job.learn);
  const { guides, folds } = job.stacking ?? { guides: [], folds: 0 };
  const ofGuides = guides.reduce((sum, { options }) => sum + folds * passes(options), 0);
  return (passes(job.options) + ofGuides) * countOf(job.train);
}

function passes({ epochs, members, beam }: ParserJob['options']): number {
  const times = [epochs, members, beam].filter((count) => typeof count === 'number');
  return times.reduce((product, count) => product * count, 1);
}

export interface NamedJob {
  readonly name: string;
  readonly job: Job;
}

/** What an executor needs to know, and the callbacks by which it reports. */
export interface Execution {
  /** Receives the results, and contains those that jobs depend on. */
  readonly cache: CellCache;
  readonly signal: AbortSignal;
  /** Whether times are reported: then every job uses one core even if others are idle. */
  readonly isTimed: boolean;
  /** All outcomes so far, including those passed to `onDone`. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  onShare(name: string, share: number): void;
  onElsewhere(jobs: number): void;
  onDone(name: string, finished: Finished): void;
}

/**
 * Runs jobs: on this machine, or on the workers of a queue. Resolves when `onDone` has been called once for each job. A job
 * runs after those it depends on, and fails with them; apart from that, earlier jobs start first. Throws the signal's reason
 * if it is aborted.
 */
export type Executor = (jobs: readonly NamedJob[], execution: Execution) => Promise<void>;
