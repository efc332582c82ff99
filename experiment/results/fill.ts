import { candidateRules } from '../../src/evaluate/attachment/punctuation.ts';
import type { SentenceCounts } from '../../src/evaluate/significance/sentence-counts.ts';
import { stratifiedShuffling } from '../../src/evaluate/significance/shuffling.ts';
import type { Cell, Plan } from '../definition/plan.ts';
import { sameSentences } from '../jobs/job.ts';
import { type CellResult, hasScores } from '../jobs/job-result.ts';
import { isResult, type Outcome } from '../run/outcome.ts';
import { type FigureName, figures, type Run } from './figures.ts';
import { chosenRuns, mean, standardDeviation } from './statistics.ts';

/** What a table shows of one figure. */
export interface CellFigure {
  /** Of each run, in the order of the seeds. */
  readonly runs: readonly number[];
  /** The cell's statistic of the runs; NaN where there is none. */
  readonly value: number;
  /** Of the runs that make the mean; undefined for one run, and for the best and the worst. */
  readonly deviation: number | undefined;
  /** Two-sided, of the difference from the baseline; undefined where there is nothing to compare. */
  readonly p: number | undefined;
}

export interface FilledCell {
  readonly cell: Cell;
  /** None where the cell has no result. */
  readonly runs: readonly Run[];
  readonly figures: ReadonlyMap<FigureName, CellFigure>;
  /** Why there is no result. */
  readonly problem: string | undefined;
}

/** Row by row. */
export type FilledCells = readonly (readonly FilledCell[])[];

/** What a cell says that the run has not come to. */
export const NOT_DONE = 'not done yet';

/**
 * The cells of a table with their figures; those of which something is not there yet say so.
 *
 * @param cells those of the plan that are scored on dev, by default, or its final ones
 */
export function fill(
  plan: Plan,
  outcomes: ReadonlyMap<string, Outcome>,
  cells: Plan['cells'] = plan.cells,
): FilledCells {
  const runs = cells.map((row) => row.map((cell) => cellRuns(cell, outcomes)));
  return cells.map((row, i) =>
    row.map((cell, j) => {
      const own = runs[i][j];
      const b = baselineRow(plan, i);
      const baseline = b === undefined ? undefined : { cell: cells[b][j], runs: runs[b][j].runs };
      const entries = plan.experiment.report.map(
        (name) => [name, cellFigure(name, { cell, runs: own.runs }, baseline)] as const,
      );
      return { cell, ...own, figures: new Map(entries) };
    }),
  );
}

interface CellRuns {
  readonly cell: Cell;
  readonly runs: readonly Run[];
}

function baselineRow({ experiment, rows }: Plan, i: number): number | undefined {
  const { baseline } = experiment;
  if (baseline === undefined) return undefined;
  const b = baseline === 'previous' ? i - 1 : rows.indexOf(baseline);
  return b < 0 || b === i ? undefined : b;
}

function cellRuns(
  cell: Cell,
  outcomes: ReadonlyMap<string, Outcome>,
): { runs: readonly Run[]; problem: string | undefined } {
  const runs: Run[] = [];
  for (const name of cell.jobs) {
    const outcome = outcomes.get(name) ?? { problem: NOT_DONE };
    if (!isResult(outcome)) return { runs: [], problem: outcome.problem };
    if (hasScores(outcome)) runs.push(runOf(outcome, cell));
  }
  return { runs, problem: undefined };
}

function runOf(result: CellResult, { settings, step }: Cell): Run {
  const rules = candidateRules(settings.punctuation);
  const rule = rules.find((name) => result.scores[name].excluded > 0) ?? rules.at(-1)!;
  const scores = { ...result.scores[rule], ...(step !== undefined && result.steps![step - 1]) };
  return { result, rule, scores, phrases: result.phrases?.[settings.brackets] };
}

function cellFigure(name: FigureName, { cell, runs }: CellRuns, baseline: CellRuns | undefined): CellFigure {
  const values = runs.map((run) => figures[name].of(run));
  const chosen = chosenOf(name, { cell, runs }).map((i) => values[i]);
  return {
    runs: values,
    value: chosen.length === 0 ? Number.NaN : mean(chosen),
    deviation: standardDeviation(chosen),
    p: baseline && difference(name, { cell, runs }, baseline),
  };
}

/** The numbers of the runs that a cell's figure is made of. */
function chosenOf(name: FigureName, { cell, runs }: CellRuns): number[] {
  if (runs.length === 0) return [];
  const values = runs.map((run) => figures[name].of(run));
  return chosenRuns(values, cell.settings.statistic, figures[name].better);
}

/** The p-value of a difference by stratified shuffling; of what is counted on the same tokens only. */
function difference(name: FigureName, a: CellRuns, b: CellRuns): number | undefined {
  const [runsA, runsB] = [a, b].map((one) => chosenOf(name, one).map((i) => one.runs[i])) as [Run[], Run[]];
  if (runsA.length === 0 || runsB.length === 0 || !sameTokens(runsA[0], runsB[0])) return undefined;
  const [countsA, countsB] = [runsA, runsB].map((runs) => countsOf(name, runs));
  if (countsA === undefined || countsB === undefined) return undefined;
  return stratifiedShuffling(summed(countsA, countsB.length), summed(countsB, countsA.length)).twoSided;
}

/** Undefined where the figure is not tested, or a run has no such figure. */
function countsOf(name: FigureName, runs: readonly Run[]): SentenceCounts[] | undefined {
  const counts = runs.map((run) => figures[name].counts?.(run)).filter((one) => one !== undefined);
  return counts.length < runs.length ? undefined : counts;
}

function sameTokens(a: Run, b: Run): boolean {
  return a.rule === b.rule && sameSentences(a.result.job.test, b.result.job.test);
}

/** The counts of several runs together, times `factor`, so that as many stand against each other. */
function summed(runs: readonly SentenceCounts[], factor: number): SentenceCounts {
  const sums = (of: (run: SentenceCounts) => Int32Array) =>
    of(runs[0]).map((_, i) => factor * runs.reduce((sum, run) => sum + of(run)[i], 0));
  return { correct: sums(({ correct }) => correct), total: sums(({ total }) => total) };
}
