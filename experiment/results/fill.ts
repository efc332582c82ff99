import type { Plan } from '../definition/plan.ts';
import type { Outcome } from '../run/outcome.ts';
import { type CellRuns, cellRuns, chosenOf } from './cell-runs.ts';
import { columnDifferences, type PValues, type WholeResults } from './differences.ts';
import { type FigureName, figures } from './figures.ts';
import { mean, standardDeviation } from './statistics.ts';

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

export interface FilledCell extends CellRuns {
  readonly figures: ReadonlyMap<FigureName, CellFigure>;
}

/** Row by row. */
export type FilledCells = readonly (readonly FilledCell[])[];

/**
 * The cells of a table with their figures; those of which something is not there yet say so.
 *
 * @param results for tests of significance; throws `InputError` where one has gone since its outcome
 * @param cells those of the plan that are scored on dev, by default, or its final ones
 */
export async function fill(
  plan: Plan,
  outcomes: ReadonlyMap<string, Outcome>,
  results: WholeResults,
  cells: Plan['cells'] = plan.cells,
): Promise<FilledCells> {
  const all = cells.map((row) => row.map((cell) => cellRuns(cell, outcomes)));
  const columns: PValues[][] = [];
  for (const j of plan.columns.keys()) {
    const column = all.map((row) => row[j]);
    columns.push(await columnDifferences(plan, column, results));
  }
  const figuresOf = (own: CellRuns, p: PValues) =>
    new Map(plan.experiment.report.map((name) => [name, cellFigure(name, own, p.get(name))]));
  return all.map((row, i) => row.map((own, j) => ({ ...own, figures: figuresOf(own, columns[j][i]) })));
}

function cellFigure(name: FigureName, own: CellRuns, p: number | undefined): CellFigure {
  const values = own.runs.map((run) => figures[name].of(run));
  const chosen = chosenOf(name, own).map((i) => values[i]);
  return {
    runs: values,
    value: chosen.length === 0 ? Number.NaN : mean(chosen),
    deviation: standardDeviation(chosen),
    p,
  };
}
