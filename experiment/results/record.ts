import type { CellCache } from '../cells/cell-cache.ts';
import { type FigureName, figures, type SeedRun, scoreNames } from '../cells/figures.ts';
import { type CellSettings, isTrained } from '../definition/cell-settings.ts';
import type { Plan } from '../definition/plan.ts';
import { reportedFigures } from '../definition/schema.ts';
import type { Outcome } from '../jobs/job-result.ts';
import { errorBreakdowns } from './breakdown-tables.ts';
import { type FilledCell, type FilledCells, fill } from './fill.ts';
import { isOverTreebanks, overTreebanks, treebankView } from './over-treebanks.ts';

export interface ComputedTable extends Awaited<ReturnType<typeof computeTable>> {
  readonly command: string;
}

/** Computes a table from the outcomes of its jobs; throws `InputError` if a result has left the cache. */
export async function computeTable(plan: Plan, outcomes: ReadonlyMap<string, Outcome>, cache: CellCache) {
  const cells = await fill(plan, outcomes, cache);
  const finalCells = plan.finalCells && (await fill(plan, outcomes, cache, plan.finalCells));
  return { plan, cells, finalCells, breakdowns: await errorBreakdowns(plan, cells, cache) };
}

/**
 * A table as plain data for JSON: every cell with its settings, and the figures of every seed in full precision.
 */
export function experimentRecord(computed: ComputedTable): Record<string, unknown> {
  const { plan, cells, finalCells, breakdowns, command } = computed;
  const { title, description, source, report, baseline, sweep } = plan.experiment;
  const reported = reportedFigures(plan.experiment);
  return {
    title,
    description,
    source,
    command,
    report,
    baseline,
    sweep,
    rows: plan.rows,
    ...(reported.some((figures) => figures !== '') && { reported }),
    columns: plan.columns,
    ...(plan.warnings.length > 0 && { warnings: plan.warnings }),
    cells: [...cells, ...(finalCells ?? [])].flat().map((filled) => cellRecord(filled, plan)),
    ...(isOverTreebanks(plan) && {
      averages: { dev: averages(plan, cells), ...(finalCells && { test: averages(plan, finalCells) }) },
    }),
    ...(breakdowns.size > 0 && { breakdowns: { dev: Object.fromEntries(breakdowns) } }),
  };
}

function averages(plan: Plan, cells: FilledCells) {
  const view = treebankView(plan, cells);
  const ofFigure = (name: FigureName) => {
    const { overall, ...others } = overTreebanks(plan, view, name);
    return { ...others, parsers: overall.map((one, i) => ({ parser: view.parsers[i], ...one })) };
  };
  return Object.fromEntries(plan.experiment.report.map((name) => [name, ofFigure(name)]));
}

function cellRecord({ cell, runs, figures: shown, problem }: FilledCell, plan: Plan) {
  const { row, column, part, settings, treebank, scoredOn, taggedBy, available, trainSentences } = cell;
  const heldOut = part === 'dev' && (scoredOn ?? treebank).dev === undefined ? { devFrom: available } : {};
  const timings = plan.experiment.report.filter((name) => figures[name].kind === 'measured');
  const measured = (run: SeedRun) => {
    const values = [...scoreNames, ...timings].map((name) => [name, figures[name].of(run)] as const);
    return Object.fromEntries(values.filter(([, value]) => !Number.isNaN(value)));
  };
  const runRecord = (run: SeedRun) => ({
    ...('seed' in run.result.job && { seed: run.result.job.seed }),
    punctuation: { rule: run.rule, excluded: run.scores.excluded, tokens: run.scores.tokens },
    ...measured(run),
  });
  return {
    row,
    column,
    part,
    ...madeBy(settings, plan),
    treebank,
    scoredOn,
    taggedBy,
    ...heldOut,
    trainSentences,
    statistic: settings.statistic,
    figures: Object.fromEntries([...shown].map(([name, { runs: _, ...figure }]) => [name, figure])),
    runs: runs.map(runRecord),
    problem,
  };
}

/** How a cell's trees are made: by a trained parser, by combining cells, or by another program. */
function madeBy(settings: CellSettings, { rows, columns }: Plan) {
  if ('file' in settings) return { file: settings.file };
  if (!isTrained(settings)) {
    const { of, vote, setAside } = settings;
    return { of: of.map(({ row, column }) => ({ row: rows[row], column: columns[column] })), vote, setAside };
  }
  const { paradigm, options, guides, morphology, maxTokens, tags, folds, silver } = settings;
  const isCut = tags === 'predicted' || tags === 'both' || guides.length > 0;
  const read = { morphology, maxTokens, tags, ...(isCut && { folds }) };
  return { paradigm, options, ...(guides.length > 0 && { guides }), ...read, silver };
}
