import type { PhraseScorerName } from '../../src/evaluate/parseval/scorers.ts';
import { type Job, jobNeeds } from '../jobs/job.ts';
import {
  type CellResult,
  hasScores,
  type JobResult,
  type PhraseScores,
  type RuleScores,
} from '../jobs/job-result.ts';

/** Why a job has no result, in one line. */
export interface Problem {
  readonly problem: string;
}

/** What an executor tells of a job. */
export type Finished = JobResult | Problem;

export type RuleFigures = Omit<RuleScores, 'sentences'>;
export type PhraseFigures = Omit<PhraseScores, 'sentences'>;

/** What is kept of a result, of which there may be very many: what it tells by sentence stays in the cache. */
export interface CellSummary extends Omit<CellResult, 'scores' | 'phrases'> {
  readonly scores: Readonly<Record<keyof CellResult['scores'], RuleFigures>>;
  readonly phrases?: Readonly<Record<PhraseScorerName, PhraseFigures>>;
}
export type Summary = Exclude<JobResult, CellResult> | CellSummary;

/** What became of a job. */
export type Outcome = Summary | Problem;

export function isResult<Result extends object>(outcome: Result | Problem): outcome is Result {
  return !('problem' in outcome);
}

/**
 * What is kept of what became of a job.
 *
 * @param job as it was planned, its files where they lie now
 */
export function outcomeOf(finished: Finished, job: Job): Outcome {
  if (!isResult(finished)) return finished;
  if (!hasScores(finished)) return { ...finished, job };
  const { scores, phrases, ...others } = finished;
  return { ...others, job, scores: figuresOf(scores), ...(phrases && { phrases: figuresOf(phrases) }) };
}

function figuresOf<Name extends string, Scores extends { readonly sentences: unknown }>(
  all: Readonly<Record<Name, Scores>>,
): Record<Name, Omit<Scores, 'sentences'>> {
  const figures = Object.entries<Scores>(all).map(([name, { sentences: _, ...own }]) => [name, own]);
  return Object.fromEntries(figures);
}

/** The failure of a job by that of one whose sentences it reads, all of which have an outcome. */
export function failedNeed(job: Job, outcomes: ReadonlyMap<string, Outcome>): Problem | undefined {
  const needed = jobNeeds(job).map((name) => outcomes.get(name)!);
  const failed = needed.find((outcome) => !isResult(outcome));
  if (failed === undefined || isResult(failed)) return undefined;
  return { problem: `${job.kind === 'vote' ? 'a member' : 'its tagging'} failed: ${failed.problem}` };
}
