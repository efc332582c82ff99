import type { Job } from '../jobs/job.ts';
import type { CellCache } from './cell-cache.ts';
import type { Finished, Outcome } from './outcome.ts';

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
