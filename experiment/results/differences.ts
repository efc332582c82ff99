import { InputError } from '../../src/errors.ts';
import type { SentenceCounts } from '../../src/evaluate/significance/paired-tests.ts';
import { stratifiedShuffling } from '../../src/evaluate/significance/shuffling.ts';
import type { Plan } from '../definition/plan.ts';
import { sameSentences } from '../jobs/job.ts';
import { hasScores } from '../jobs/job-result.ts';
import type { CellCache } from '../run/cell-cache.ts';
import { type CellRuns, chosenOf } from './cell-runs.ts';
import { type FigureName, figures, type Run, type RunSentences } from './figures.ts';

/** Where results are, with all that they tell by sentence. */
export type WholeResults = Pick<CellCache, 'result'>;

/** By figure; those that are not tested, or have nothing to be compared with, are not there. */
export type PValues = ReadonlyMap<FigureName, number | undefined>;

/**
 * The p-values of a column's cells, row by row, each of its difference from the baseline. What results tell by sentence
 * is read as it is needed, and held of two cells at a time: a table may have thousands.
 *
 * @throws InputError where a result is no longer there
 */
export async function columnDifferences(
  plan: Plan,
  column: readonly CellRuns[],
  results: WholeResults,
): Promise<PValues[]> {
  const tested = plan.experiment.report.filter((name) => figures[name].counts !== undefined);
  const all: PValues[] = [];
  let held = new Map<number, ToldCell>();
  const read = async (i: number) => held.get(i) ?? (await told(column[i], results));
  for (const i of column.keys()) {
    const b = baselineRow(plan, i);
    if (b === undefined || tested.length === 0) {
      all.push(new Map());
      continue;
    }
    const [own, baseline] = [await read(i), await read(b)];
    held = new Map([
      [i, own],
      [b, baseline],
    ]);
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

/** A cell with what each of its runs tells by sentence. */
interface ToldCell extends CellRuns {
  readonly sentences: readonly RunSentences[];
}

async function told(cell: CellRuns, results: WholeResults): Promise<ToldCell> {
  const sentences: RunSentences[] = [];
  for (const run of cell.runs) sentences.push(await sentencesOf(run, cell, results));
  return { ...cell, sentences };
}

async function sentencesOf(
  { job, rule }: Run,
  { cell }: CellRuns,
  results: WholeResults,
): Promise<RunSentences> {
  const result = await results.result(job);
  if (result === undefined || !hasScores(result)) {
    throw new InputError(`the result of ${job.slice(0, 12)}… is no longer in the cache: begin again`);
  }
  return {
    scores: result.scores[rule].sentences,
    phrases: result.phrases?.[cell.settings.brackets].sentences,
  };
}

/** The p-value of a difference by stratified shuffling; of what is counted on the same tokens only. */
function difference(name: FigureName, a: ToldCell, b: ToldCell): number | undefined {
  const [chosenA, chosenB] = [a, b].map((cell) => chosenOf(name, cell));
  if (chosenA.length === 0 || chosenB.length === 0) return undefined;
  if (!sameTokens(a.runs[chosenA[0]], b.runs[chosenB[0]])) return undefined;
  const countsA = countsOf(name, a, chosenA);
  const countsB = countsOf(name, b, chosenB);
  if (countsA === undefined || countsB === undefined) return undefined;
  return stratifiedShuffling(summed(countsA, countsB.length), summed(countsB, countsA.length)).twoSided;
}

/** Undefined where a run has no such figure. */
function countsOf(
  name: FigureName,
  { sentences }: ToldCell,
  chosen: readonly number[],
): SentenceCounts[] | undefined {
  const counts = chosen.map((i) => figures[name].counts!(sentences[i])).filter((one) => one !== undefined);
  return counts.length < chosen.length ? undefined : counts;
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
