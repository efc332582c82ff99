import { type Job, jobNeeds } from '../jobs/job.ts';
import type { JobResult } from '../jobs/job-result.ts';

/** What became of a job: its result, or the one line that says why there is none. */
export type Outcome = JobResult | { readonly problem: string };

export function isResult(outcome: Outcome): outcome is JobResult {
  return !('problem' in outcome);
}

/** The failure of a job by that of one whose sentences it reads, all of which have an outcome. */
export function failedNeed(job: Job, outcomes: ReadonlyMap<string, Outcome>): Outcome | undefined {
  const needed = jobNeeds(job).map((name) => outcomes.get(name)!);
  const failed = needed.find((outcome) => !isResult(outcome));
  if (failed === undefined || isResult(failed)) return undefined;
  return { problem: `${job.kind === 'vote' ? 'a member' : 'its tagging'} failed: ${failed.problem}` };
}
