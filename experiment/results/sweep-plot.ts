import { UsageError } from '../../src/errors.ts';
import { linePlot } from '../../src/report/plot-svg.ts';
import type { Experiment } from '../definition/experiment.ts';
import type { Plan } from '../definition/plan.ts';
import { figures } from './figures.ts';
import type { FilledCells } from './fill.ts';

/** Throws `UsageError` where the rows are no sweep over numbers: there is nothing to draw a line through. */
export function checkPlottable({ sweep, file }: Experiment): void {
  if (sweep === undefined || sweep.values.some((value) => typeof value !== 'number')) {
    throw new UsageError(`${file} has no sweep over numbers to plot`);
  }
}

/**
 * A sweep as SVG: a line for each column and each figure that has the unit of the first, with the deviations
 * over seeds.
 */
export function sweepPlot({ experiment, columns }: Plan, cells: FilledCells): string {
  const { title, sweep, report } = experiment;
  const { unit } = figures[report[0]];
  const names = report.filter((name) => figures[name].unit === unit);
  const series = columns.flatMap((column, j) =>
    names.map((name) => ({
      name: `${column} ${figures[name].title}`.trim(),
      points: sweep!.values.map((x, i) => {
        const { value, deviation } = cells[i][j].figures.get(name)!;
        return { x: Number(x), y: value, ...(deviation !== undefined && { deviation }) };
      }),
    })),
  );
  const yLabel = names.length === 1 ? `${figures[names[0]].title} (${unit})` : unit;
  return linePlot({ title, xLabel: sweep!.option, yLabel, series });
}
