/** What is said of each job while an experiment runs. */
import { basename } from 'node:path';
import type { TaggingJob } from '../../../experiment/cells/job.ts';
import type { CellSummary, Summary } from '../../../experiment/cells/job-result.ts';
import { hasScores } from '../../../experiment/cells/job-result.ts';
import type { Plan } from '../../../experiment/definition/plan.ts';
import { columnScores, scoredColumns } from '../../../src/evaluate/attachment/column-counts.ts';
import type { PhraseScorerName } from '../../../src/evaluate/parseval/scorers.ts';
import { duration, fileSize } from '../../terminal/output.ts';

/** The scores of a job that is done, and what it took. */
export function figuresLine(result: Summary, scorers: ReadonlySet<PhraseScorerName>): string {
  const { seconds, peakMemory } = result;
  const scores = hasScores(result) ? treeScores(result, scorers) : tagScores(result);
  return `${scores.join(' ')}  ${duration(seconds)}, ${fileSize(peakMemory)}`;
}

function treeScores({ scores, phrases }: CellSummary, scorers: ReadonlySet<PhraseScorerName>): string[] {
  const { uas, las } = scores.include;
  const trees = `UAS ${score(uas)} LAS ${score(las)}`;
  if (phrases === undefined) return [trees];
  return [trees, ...[...scorers].map((scorer) => `F1 ${score(phrases[scorer].f1)} (${scorer})`)];
}

function tagScores({ tags }: Summary): string[] {
  return scoredColumns
    .filter((column) => tags[column] !== undefined)
    .map((column) => `${columnScores[column]} ${score(tags[column]!)}`);
}

function score(value: number | null): string {
  return value?.toFixed(2) ?? '–';
}

/** The scorers of brackets of the cells that a job is for. */
export function scorersOf(name: string, { cells, finalCells = [] }: Plan): Set<PhraseScorerName> {
  const own = [...cells, ...finalCells].flat().filter(({ jobs }) => jobs.includes(name));
  return new Set(own.map(({ settings }) => settings.brackets));
}

/**
 * `Baseline, English, seed 3`; `1 … 14, seed 3` where a job is for several cells; `graph, for the weights of a
 * vote` where it is for none.
 */
export function jobLabel(name: string, { cells, finalCells, jobs }: Plan): string {
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

/** `tags of dev.conllu, learnt from train.conllu`, `tags of train.conllu in 10 folds`. */
function taggingLabel({ learn, test, folds }: TaggingJob): string {
  const way = folds === undefined ? `, learnt from ${basename(learn.path)}` : ` in ${folds} folds`;
  return `tags of ${basename(test.path)}${way}`;
}
