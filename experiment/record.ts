import { figures, scoreNames } from './figures.ts';
import type { FilledCell, FilledCells, Run } from './fill.ts';
import type { Plan } from './plan.ts';

/**
 * A whole table as plain data for JSON: every cell with its settings, and the figures of every seed in full
 * precision.
 */
export function experimentRecord(plan: Plan, cells: FilledCells, command: string): Record<string, unknown> {
  const { title, description, source, report, baseline, sweep } = plan.experiment;
  return {
    ...{ title, description, source, command, report, baseline, sweep },
    rows: plan.rows,
    columns: plan.columns,
    cells: cells.flat().map((filled) => cellRecord(filled, plan)),
  };
}

function cellRecord({ cell, runs, figures: shown, problem }: FilledCell, { experiment }: Plan) {
  const { row, column, settings, treebank, available, trainSentences } = cell;
  const { options, paradigm, statistic } = settings;
  const heldOut = treebank.dev === undefined ? { devFrom: available } : {};
  const timings = experiment.report.filter((name) => figures[name].isTiming);
  const runRecord = ({ result, rule, scores }: Run) => ({
    seed: result.job.seed,
    punctuation: { rule, excluded: scores.excluded, tokens: scores.tokens },
    ...Object.fromEntries(
      [...scoreNames, ...timings].map((name) => [name, figures[name].of(result, scores)]),
    ),
  });
  return {
    ...{ row, column, paradigm, options, treebank, ...heldOut, trainSentences, statistic },
    figures: Object.fromEntries([...shown].map(([name, { runs: _, ...figure }]) => [name, figure])),
    runs: runs.map(runRecord),
    problem,
  };
}
