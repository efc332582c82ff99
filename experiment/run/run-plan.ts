import type { CellCache } from '../cells/cell-cache.ts';
import { figures } from '../cells/figures.ts';
import type { Job, ParserJob } from '../cells/job.ts';
import { type Finished, type Outcome, outcomeOf } from '../cells/job-result.ts';
import { countOf } from '../cells/selection.ts';
import type { Plan } from '../definition/plan.ts';

export interface RunProgress {
  readonly finished: number;
  /** Jobs that were not in the cache. */
  readonly jobs: number;
  /** Of these, such as are at hand elsewhere: their results are waited for. */
  readonly elsewhere: number;
  /** Sentences learnt from, over all epochs. */
  readonly done: number;
  readonly total: number;
}

export interface RunOptions {
  readonly cache: CellCache;
  /** Who does what is not in the cache. */
  readonly executor: Executor;
  readonly signal: AbortSignal;
  onProgress?(progress: RunProgress): void;
  onFinished?(name: string, outcome: Outcome, progress: RunProgress): void;
}

/**
 * Gets the results of a plan's jobs: from the cache, or else from the executor. What fails does not keep the others
 * from running. Throws the signal's reason where it is aborted; finished results stay in the cache.
 */
export async function runPlan(plan: Plan, options: RunOptions): Promise<Map<string, Outcome>> {
  const run = new PlanRun(plan, options, await cachedOutcomes(plan, options.cache));
  await run.work();
  return run.outcomes;
}

/** The results of the plan's jobs that are in the cache. */
export async function cachedOutcomes(
  plan: Pick<Plan, 'jobs'>,
  cache: CellCache,
): Promise<Map<string, Outcome>> {
  const done = new Map<string, Outcome>();
  for (const [name, job] of plan.jobs) {
    const result = await cache.result(name);
    if (result !== undefined) done.set(name, outcomeOf(result, job));
  }
  return done;
}

class PlanRun {
  private readonly missing: Waiting[] = [];
  private readonly shares = new Map<string, number>();
  /** Sentences to learn from: all, and those that shares tell of. Sums, as there may be very many jobs. */
  private readonly sizes = new Map<string, number>();
  private total = 0;
  private done = 0;
  private elsewhere = 0;
  private finished = 0;

  constructor(
    private readonly plan: Plan,
    private readonly options: RunOptions,
    /** Of jobs that are done already, at first. */
    readonly outcomes: Map<string, Outcome>,
  ) {
    for (const [name, job] of plan.jobs) if (!outcomes.has(name)) this.add(name, job);
  }

  private add(name: string, job: Job): void {
    const size = sentencesToLearn(job);
    this.missing.push({ name, job });
    this.sizes.set(name, size);
    this.total += size;
  }

  async work(): Promise<void> {
    const { cache, executor, signal } = this.options;
    const isTimed = this.plan.experiment.report.some((name) => figures[name].kind === 'measured');
    await executor.execute(longestFirst(this.missing), {
      ...{ cache, signal, isTimed, outcomes: this.outcomes },
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
    // A sum of shares may miss the whole by a little.
    const done = finished === missing.length ? total : this.done;
    return { finished, jobs: missing.length, elsewhere, done, total };
  }
}

/** What is left for the end is short then, and leaves no core waiting. Parsers wait for taggers. */
function longestFirst(jobs: readonly Waiting[]): Waiting[] {
  const isTagging = ({ job }: Waiting) => Number(job.kind === 'tagging');
  return jobs.toSorted(
    (a, b) => isTagging(b) - isTagging(a) || sentencesToLearn(b.job) - sentencesToLearn(a.job),
  );
}

/** About how often a tagger learns from every sentence: for the progress only. */
const TAGGER_EPOCHS = 6;

/**
 * Over all epochs, members, folds and places of a beam, where there are such, those of guides as well; votes and files
 * are as good as nothing.
 */
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

/** A job that is waiting, perhaps for others, by their names. */
export interface Waiting {
  readonly name: string;
  readonly job: Job;
}

/** What an executor is given, and whom it tells. */
export interface Execution {
  /** Where results are when they are done, and those that they need. */
  readonly cache: CellCache;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Whether times are compared: then a job has one core, whatever others are idle. */
  readonly isTimed: boolean;
  /** Of all jobs that have one, those told by `onDone` included. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** A share of a job is done. */
  onShare(name: string, share: number): void;
  /** So many jobs are at hand elsewhere. */
  onElsewhere(jobs: number): void;
  onDone(name: string, finished: Finished): void;
}

/** Gets jobs done, wherever that is: on this machine, or on others. */
export interface Executor {
  /**
   * Ends when each job has been told of once: a job comes after those that it needs, and fails with them; else those
   * that are named first should be begun first. Throws the signal's reason where that is aborted.
   */
  execute(jobs: readonly Waiting[], execution: Execution): Promise<void>;
}
