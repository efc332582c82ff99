import { candidateRules } from '../../src/evaluate/attachment/punctuation.ts';
import type { Cell } from '../definition/plan.ts';
import { hasScores } from '../jobs/job-result.ts';
import { type CellSummary, isResult, type Outcome } from '../run/outcome.ts';
import { type FigureName, figures, type Run } from './figures.ts';
import { chosenRuns } from './statistics.ts';

/** A cell and what its jobs have come to. */
export interface CellRuns {
  readonly cell: Cell;
  /** None where the cell has no result. */
  readonly runs: readonly Run[];
  /** Why there is no result. */
  readonly problem: string | undefined;
}

/** What a cell says that the run has not come to. */
export const NOT_DONE = 'not done yet';

export function cellRuns(cell: Cell, outcomes: ReadonlyMap<string, Outcome>): CellRuns {
  const runs: Run[] = [];
  for (const job of cell.jobs) {
    const outcome = outcomes.get(job) ?? { problem: NOT_DONE };
    if (!isResult(outcome)) return { cell, runs: [], problem: outcome.problem };
    if (hasScores(outcome)) runs.push(runOf(job, outcome, cell));
  }
  return { cell, runs, problem: undefined };
}

function runOf(job: string, result: CellSummary, { settings, step }: Cell): Run {
  const rules = candidateRules(settings.punctuation);
  const rule = rules.find((name) => result.scores[name].excluded > 0) ?? rules.at(-1)!;
  const scores = { ...result.scores[rule], ...(step !== undefined && result.steps![step - 1]) };
  return { job, result, rule, scores, phrases: result.phrases?.[settings.brackets] };
}

/** The numbers of the runs that a cell's figure is made of. */
export function chosenOf(name: FigureName, { cell, runs }: CellRuns): number[] {
  if (runs.length === 0) return [];
  const values = runs.map((run) => figures[name].of(run));
  return chosenRuns(values, cell.settings.statistic, figures[name].better);
}
