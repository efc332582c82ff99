import { InputError } from '../../src/errors.ts';
import { candidateRules, type PunctuationRuleName } from '../../src/evaluate/attachment/punctuation.ts';
import { type SentenceCounts, stratifiedShuffling } from '../../src/evaluate/significance/resampling.ts';
import type { CellCache } from '../cells/cell-cache.ts';
import type { FigureName, SeedRun, SeedRunCounts } from '../cells/figures.ts';
import { chosenRuns, figures, mean, standardDeviation } from '../cells/figures.ts';
import type { CellSettings } from '../definition/cell-settings.ts';
import type { Cell, Plan } from '../definition/plan.ts';
import { type Job, sameSentences } from '../jobs/job.ts';
import { attachmentScores, type CellSummary, hasScores, isResult, type Outcome } from '../jobs/job-result.ts';

export interface CellFigure {
  /** The value of each run, in the order of seeds. */
  readonly runs: readonly number[];
  /** The cell's statistic over the runs; NaN if undefined. */
  readonly value: number;
  /** Standard deviation over the averaged runs; undefined for one run, and for the best or worst. */
  readonly deviation: number | undefined;
  /** Two-sided p-value of the difference from the baseline; undefined without a comparison. */
  readonly p: number | undefined;
}

export interface FilledCell extends CellRuns {
  readonly figures: ReadonlyMap<FigureName, CellFigure>;
}

export type FilledCells = readonly (readonly FilledCell[])[];

/** Computes the figures of a table's cells. Throws `InputError` if a result has left the cache. */
export async function fill(
  plan: Plan,
  outcomes: ReadonlyMap<string, Outcome>,
  results: WholeResults,
  cells: Plan['cells'] = plan.cells,
): Promise<FilledCells> {
  const all = cells.map((row) => row.map((cell) => cellRuns(cell, plan, outcomes)));
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
  const value = chosen.length === 0 ? Number.NaN : mean(chosen);
  return { runs: values, value, deviation: standardDeviation(chosen), p };
}

interface CellRuns {
  readonly cell: Cell;
  /** Empty if the cell has no result. */
  readonly runs: readonly SeedRun[];
  readonly problem: string | undefined;
}

/** The problem of a cell whose jobs have not finished. */
export const NOT_DONE = 'not finished yet';

function cellRuns(cell: Cell, plan: Plan, outcomes: ReadonlyMap<string, Outcome>): CellRuns {
  const runs: SeedRun[] = [];
  for (const job of cell.jobs) {
    const outcome = outcomes.get(job) ?? { problem: NOT_DONE };
    if (!isResult(outcome)) return { cell, runs: [], problem: outcome.problem };
    if (hasScores(outcome)) runs.push(runOf(job, outcome, cell, plan));
  }
  return { cell, runs, problem: undefined };
}

function runOf(job: string, result: CellSummary, { settings, step }: Cell, { jobs }: Plan): SeedRun {
  const rule = appliedRule(settings, result);
  const run = {
    job,
    result,
    rule,
    scores: result.scores[rule],
    phrases: result.phrases?.[settings.brackets],
    isTimed: isTimed(result.job, jobs),
  };
  if (step === undefined) return run;
  // The other scores are those of the end of training.
  const unknown = Object.fromEntries(attachmentScores.map((name) => [name, null]));
  return { ...run, scores: { ...run.scores, ...unknown, ...result.steps![step - 1] }, phrases: undefined };
}

/** The cell's punctuation rule, for `auto` the first that excludes any token. */
export function appliedRule({ punctuation }: CellSettings, { scores }: CellSummary): PunctuationRuleName {
  const rules = candidateRules(punctuation);
  return rules.find((name) => scores[name].excluded > 0) ?? rules.at(-1)!;
}

/** A vote's times contain those of its members. */
function isTimed(job: Job, jobs: Plan['jobs']): boolean {
  if (job.kind !== 'vote') return job.kind !== 'file';
  return job.vote.method !== 'oracle' && job.members.every((name) => isTimed(jobs.get(name)!, jobs));
}

/** Indices of the runs that a figure of the cell covers. */
export function chosenOf(name: FigureName, { cell, runs }: CellRuns): number[] {
  if (runs.length === 0) return [];
  const values = runs.map((run) => figures[name].of(run));
  return chosenRuns(values, cell.settings.statistic, figures[name].better);
}

/** Where complete results, with counts per sentence, are read from. */
type WholeResults = Pick<CellCache, 'result'>;
/** P-values by figure; figures without a test are absent. */
type PValues = ReadonlyMap<FigureName, number | undefined>;

/** P-values against the baseline, row by row. Only the counts of two cells are in memory at a time. */
async function columnDifferences(plan: Plan, column: readonly CellRuns[], results: WholeResults) {
  const tested = plan.experiment.report.filter((name) => figures[name].counts !== undefined);
  const all: PValues[] = [];
  let held = new Map<number, CountedCell>();
  const read = async (i: number) => held.get(i) ?? (await withCounts(column[i], results));
  for (const i of column.keys()) {
    const b = baselineRow(plan, i);
    if (b === undefined || tested.length === 0) {
      all.push(new Map());
      continue;
    }
    const [own, baseline] = [await read(i), await read(b)];
    held = new Map<number, CountedCell>().set(i, own).set(b, baseline);
    all.push(new Map(tested.map((name) => [name, difference(name, own, baseline)])));
  }
  return all;
}

function baselineRow({ experiment, rows }: Plan, i: number): number | undefined {
  const { baseline } = experiment;
  if (baseline === undefined) return undefined;
  const b = baseline === 'previous' ? i - 1 : rows.indexOf(baseline);
  return b < 0 || b === i ? undefined : b;
}

interface CountedCell extends CellRuns {
  readonly sentences: readonly SeedRunCounts[];
}

async function withCounts(cell: CellRuns, results: WholeResults): Promise<CountedCell> {
  const sentences: SeedRunCounts[] = [];
  for (const { job, rule } of cell.runs) {
    const result = await results.result(job);
    if (result === undefined || !hasScores(result))
      throw new InputError(`the result of job ${job.slice(0, 12)}… is no longer in the cache: begin again`);
    const phrases = result.phrases?.[cell.cell.settings.brackets].sentences;
    sentences.push({ scores: result.scores[rule].sentences, phrases });
  }
  return { ...cell, sentences };
}

/** P-value by stratified shuffling; undefined unless all chosen runs of both cells are scored on the same tokens. */
function difference(name: FigureName, a: CountedCell, b: CountedCell): number | undefined {
  const [chosenA, chosenB] = [a, b].map((cell) => chosenOf(name, cell));
  if (chosenA.length === 0 || chosenB.length === 0) return undefined;
  // A cell that pools several treebanks has runs of different sentences, which cannot be added up.
  const [first, ...others] = [...chosenA.map((i) => a.runs[i]), ...chosenB.map((i) => b.runs[i])];
  if (!others.every((run) => sameTokens(run, first))) return undefined;
  const areBrackets = figures[name].kind === 'phrases';
  if (areBrackets && a.cell.settings.brackets !== b.cell.settings.brackets) return undefined;
  const countsA = countsOf(name, a, chosenA);
  const countsB = countsOf(name, b, chosenB);
  if (countsA === undefined || countsB === undefined) return undefined;
  return stratifiedShuffling(summed(countsA, countsB.length), summed(countsB, countsA.length)).twoSided;
}

/** Counts of the chosen runs; undefined if one lacks the figure. */
function countsOf(name: FigureName, { sentences }: CountedCell, chosen: readonly number[]) {
  const counts = chosen.map((i) => figures[name].counts!(sentences[i])).filter((one) => one !== undefined);
  return counts.length < chosen.length ? undefined : counts;
}

const sameTokens = (a: SeedRun, b: SeedRun): boolean =>
  a.rule === b.rule && sameSentences(a.result.job.test, b.result.job.test);

/** Summed counts of several runs, times `factor`, which makes cells with different numbers of runs comparable. */
function summed(runs: readonly SentenceCounts[], factor: number): SentenceCounts {
  const sums = (of: (run: SentenceCounts) => Int32Array) =>
    of(runs[0]).map((_, i) => factor * runs.reduce((sum, run) => sum + of(run)[i], 0));
  return { correct: sums(({ correct }) => correct), total: sums(({ total }) => total) };
}
