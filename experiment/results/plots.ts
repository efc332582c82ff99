import { UsageError } from '../../src/errors.ts';
import { frontierPlot, linePlot } from '../../src/report/plot-svg.ts';
import { type FigureName, figures } from '../cells/figures.ts';
import type { Experiment } from '../definition/experiment.ts';
import type { Plan } from '../definition/plan.ts';
import { ALL } from '../definition/schema.ts';
import type { FilledCells } from './fill.ts';
import { isLearningCurve, sweepTitle } from './result-table.ts';

const SPEED = 'sentencesPerSecond';

/** Throws `UsageError` unless a plot can be drawn: of a sweep over numbers, or of accuracy over speed. */
export function checkPlottable(experiment: Experiment): void {
  const { sweep, report } = experiment;
  const isNumber = (value: unknown) =>
    typeof value === 'number' || (isLearningCurve(experiment) && value === ALL);
  if (sweep === undefined ? accuracyIn(report) !== undefined : sweep.values.every(isNumber)) return;
  throw new UsageError(
    `${experiment.file} has nothing to plot: neither a sweep over numbers nor an accuracy and ${SPEED} in “report”`,
  );
}

/** The figure to plot over speed, where both are reported. */
const accuracyIn = (report: readonly FigureName[]) =>
  report.includes(SPEED) ? report.find((name) => figures[name].kind !== 'measured') : undefined;

/** Plots a sweep as lines, a table without one as accuracy over speed. */
export const plotOf = (plan: Plan, cells: FilledCells): string =>
  plan.experiment.sweep === undefined ? speedPlot(plan, cells) : sweepPlot(plan, cells);

/** A point for each cell, with the Pareto frontier if there is one column, so that all are scored on the same sentences. */
function speedPlot({ experiment, rows, columns }: Plan, cells: FilledCells): string {
  const { title, report } = experiment;
  const accuracy = accuracyIn(report)!;
  const value = (i: number, j: number, name: FigureName) => cells[i][j].figures.get(name)!.value;
  const series = columns.flatMap((column, j) =>
    rows.map((row, i) => ({
      name: `${row} ${column}`.trim(),
      points: [{ x: value(i, j, SPEED), y: value(i, j, accuracy) }],
    })),
  );
  const { title: figure, unit } = figures[accuracy];
  const labels = { title, xLabel: figures[SPEED].title, yLabel: `${figure} (${unit})` };
  return columns.length === 1
    ? frontierPlot({ ...labels, series })
    : linePlot({ ...labels, series, isLogarithmic: true });
}

/** A line for each column and each figure with the unit of the first, from the smallest value to the largest. */
function sweepPlot({ experiment, columns }: Plan, cells: FilledCells): string {
  const { title, sweep, report } = experiment;
  const isLogarithmic = isLearningCurve(experiment);
  const { unit } = figures[report[0]];
  const names = report.filter((name) => figures[name].unit === unit);
  const series = columns.flatMap((column, j) => {
    const placed = cells.map((row, i) => {
      const x = isLogarithmic ? row[j].cell.trainSentences : Number(sweep!.values[i]);
      return { ...row[j], x };
    });
    // A size that the treebank does not have is no gap in its line.
    const shown = placed
      .filter(({ cell }) => cell.trainSentences <= cell.available)
      .sort((a, b) => a.x - b.x);
    return names.map((name) => ({
      name: `${column} ${figures[name].title}`.trim(),
      points: shown.map(({ x, figures: own }) => {
        const { value, deviation } = own.get(name)!;
        return { x, y: value, ...(deviation !== undefined && { deviation }) };
      }),
    }));
  });
  const yLabel = names.length === 1 ? `${figures[names[0]].title} (${unit})` : unit;
  return linePlot({ title, xLabel: sweepTitle(experiment), yLabel, series, isLogarithmic });
}
