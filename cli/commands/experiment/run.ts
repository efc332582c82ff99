import { basename } from 'node:path';
import type { CellCache } from '../../../experiment/cells/cell-cache.ts';
import type { CellSettings } from '../../../experiment/definition/cell-settings.ts';
import type { Plan } from '../../../experiment/definition/plan.ts';
import type { TaggingJob } from '../../../experiment/jobs/job.ts';
import type { CellSummary, Outcome, Summary } from '../../../experiment/jobs/job-result.ts';
import { hasScores, isResult } from '../../../experiment/jobs/job-result.ts';
import { appliedRule } from '../../../experiment/results/fill.ts';
import { cachedOutcomes, type RunProgress, runPlan } from '../../../experiment/run/run-plan.ts';
import { chooseExecutor } from '../../../experiment/run-experiment.ts';
import { columnScores, scoredColumns } from '../../../src/evaluate/attachment/column-counts.ts';
import { clearProgress, duration, fileSize, log, note, plural, warn } from '../../terminal/output.ts';
import { isStop, stoppable } from '../../terminal/process.ts';
import { progress } from '../../terminal/progress.ts';

export interface RunFlags {
  readonly jobs: number;
  readonly memory: number;
  readonly queue?: string;
  readonly store?: string;
  readonly quiet?: boolean;
}

/** Runs a plan with progress on stderr; returns the outcomes and, if it was stopped, the reason. */
export async function runJobs(plan: Plan, cache: CellCache, flags: RunFlags) {
  const { quiet, jobs: atOnce, memory, queue: url, store } = flags;
  const queue = url === undefined ? undefined : { url, store, onNotice: note };
  const show = progress('sentences', quiet);
  const onProgress = ({ finished, jobs, elsewhere, done, total }: RunProgress) => {
    const others = elsewhere === 0 ? '' : `, ${elsewhere} at work elsewhere`;
    show(`${finished} of ${plural(jobs, 'job')}${others}`, done, total);
  };
  const onFinished = (name: string, outcome: Outcome, { finished, jobs }: RunProgress) => {
    const at = `[${String(finished).padStart(String(jobs).length)}/${jobs}]`;
    if (!isResult(outcome)) warn(`${jobLabel(name, plan)}: ${outcome.problem}`);
    else if (!quiet) log(`${at} ${jobLabel(name, plan)}  ${figuresLine(outcome, settingsOf(name, plan))}`);
  };
  const others = queue === undefined ? '' : '; workers continue with the cells in the queue';
  const advice = () => `finished cells are kept${others}; the same command continues`;
  try {
    const executor = await chooseExecutor(queue, { atOnce, memory });
    const run = { cache, onProgress, onFinished, executor };
    return { outcomes: await stoppable((signal) => runPlan(plan, { ...run, signal }), { advice }) };
  } catch (stopped) {
    if (!isStop(stopped)) throw stopped;
    return { outcomes: await cachedOutcomes(plan, cache), stopped };
  } finally {
    clearProgress();
  }
}

function figuresLine(result: Summary, cells: readonly CellSettings[]): string {
  const { seconds, peakMemory } = result;
  const scores = hasScores(result) ? treeScores(result, cells) : tagScores(result);
  return `${scores.join(' ')}  ${duration(seconds)}, ${fileSize(peakMemory)}`;
}

/** Scores as in the table: by the rule and the scorer of each cell that has the job. */
function treeScores(result: CellSummary, cells: readonly CellSettings[]): string[] {
  const { scores, phrases } = result;
  const rules = new Set(cells.map((cell) => appliedRule(cell, result)));
  const trees = [...(rules.size === 0 ? ['include' as const] : rules)].map((rule) => {
    const { uas, las } = scores[rule];
    return `UAS ${score(uas)} LAS ${score(las)}${rules.size > 1 ? ` (${rule})` : ''}`;
  });
  if (phrases === undefined) return trees;
  const scorers = new Set(cells.map(({ brackets }) => brackets));
  return [...trees, ...[...scorers].map((scorer) => `F1 ${score(phrases[scorer].f1)} (${scorer})`)];
}

function tagScores({ tags }: Summary): string[] {
  return scoredColumns
    .filter((column) => tags[column] !== undefined)
    .map((column) => `${columnScores[column]} ${score(tags[column]!)}`);
}

const score = (value: number | null) => value?.toFixed(2) ?? '–';

/** The settings of the cells that have a job. */
const settingsOf = (name: string, { cells, finalCells = [] }: Plan): CellSettings[] =>
  [...cells, ...finalCells].flat().flatMap(({ jobs, settings }) => (jobs.includes(name) ? [settings] : []));

/** `Baseline, English, seed 3`; `1 … 14, seed 3` for several cells; `graph, for the weights of a vote` for none. */
function jobLabel(name: string, { cells, finalCells, jobs }: Plan): string {
  const job = jobs.get(name)!;
  if (job.kind === 'tagging') return taggingLabel(job);
  const all = [...cells, ...(finalCells ?? [])].flat().filter((each) => each.jobs.includes(name));
  const trained = all.filter(({ settings }) => !('of' in settings));
  const own = trained.length > 0 ? trained : all;
  if (own.length === 0) return `${'paradigm' in job ? job.paradigm : ''}, for the weights of a vote`;
  const span = (names: readonly string[]) => [...new Set([names[0], names.at(-1)])].join(' … ');
  const seed = own[0].jobs.length > 1 && 'seed' in job ? `seed ${job.seed}` : '';
  const part = own[0].part === 'test' ? 'test' : '';
  const parts = [span(own.map(({ row }) => row)), span(own.map(({ column }) => column)), part, seed];
  return parts.filter((part) => part !== '').join(', ');
}

function taggingLabel({ learn, test, folds }: TaggingJob): string {
  const way = folds === undefined ? `, learnt from ${basename(learn.path)}` : ` in ${folds} folds`;
  return `tags of ${basename(test.path)}${way}`;
}
