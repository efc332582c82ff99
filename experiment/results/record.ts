import type { PooledSettings, TrainedSettings } from '../definition/layout.ts';
import type { Plan } from '../definition/plan.ts';
import { figures, type Run, scoreNames } from './figures.ts';
import type { FilledCell, FilledCells } from './fill.ts';

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

function cellRecord({ cell, runs, figures: shown, problem }: FilledCell, plan: Plan) {
  const { row, column, settings, treebank, scoredOn, taggedBy, available, trainSentences } = cell;
  const heldOut = (scoredOn ?? treebank).dev === undefined ? { devFrom: available } : {};
  const made = 'of' in settings ? pooledRecord(settings, plan) : trainedRecord(settings);
  const timings = plan.experiment.report.filter((name) => figures[name].kind === 'measured');
  const runRecord = (run: Run) => ({
    ...('seed' in run.result.job && { seed: run.result.job.seed }),
    punctuation: { rule: run.rule, excluded: run.scores.excluded, tokens: run.scores.tokens },
    ...Object.fromEntries(
      [...scoreNames, ...timings]
        .map((name) => [name, figures[name].of(run)] as const)
        .filter(([, value]) => !Number.isNaN(value)),
    ),
  });
  return {
    ...{ row, column, ...made, treebank, scoredOn, taggedBy, ...heldOut, trainSentences },
    statistic: settings.statistic,
    figures: Object.fromEntries([...shown].map(([name, { runs: _, ...figure }]) => [name, figure])),
    runs: runs.map(runRecord),
    problem,
  };
}

function trainedRecord({ paradigm, options, maxTokens, tags, folds }: TrainedSettings) {
  return { paradigm, options, maxTokens, tags, ...((tags === 'predicted' || tags === 'both') && { folds }) };
}

function pooledRecord({ of, vote, setAside }: PooledSettings, { rows, columns }: Plan) {
  return { of: of.map(({ row, column }) => ({ row: rows[row], column: columns[column] })), vote, setAside };
}
