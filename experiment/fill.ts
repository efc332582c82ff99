import { candidateRules, type PunctuationRuleName } from '../src/evaluate/punctuation.ts';
import type { SentenceCounts } from '../src/evaluate/significance/sentence-counts.ts';
import { stratifiedShuffling } from '../src/evaluate/significance/shuffling.ts';
import { type FigureName, figures } from './figures.ts';
import type { CellResult, RuleScores } from './job.ts';
import type { Cell, Plan } from './plan.ts';
import { isResult, type Outcome } from './run-plan.ts';
import { chosenRuns, mean, standardDeviation } from './statistics.ts';

/** One run of a cell: the training from one seed. */
export interface Run {
  readonly result: CellResult;
  readonly rule: PunctuationRuleName;
  readonly scores: RuleScores;
}

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

export interface FilledCell {
  readonly cell: Cell;
  /** None where the cell has no result. */
  readonly runs: readonly Run[];
  readonly figures: ReadonlyMap<FigureName, CellFigure>;
  /** Why there is no result. */
  readonly problem: string | undefined;
}

/** Row by row. */
export type FilledCells = readonly (readonly FilledCell[])[];

/** The cells of a table with their figures. */
export function fill(plan: Plan, outcomes: ReadonlyMap<string, Outcome>): FilledCells {
  const runs = plan.cells.map((row) => row.map((cell) => cellRuns(cell, outcomes)));
  return plan.cells.map((row, i) =>
    row.map((cell, j) => {
      const own = runs[i][j];
      const b = baselineRow(plan, i);
      const baseline = b === undefined ? undefined : { cell: plan.cells[b][j], runs: runs[b][j].runs };
      const entries = plan.experiment.report.map(
        (name) => [name, cellFigure(name, { cell, runs: own.runs }, baseline)] as const,
      );
      return { cell, ...own, figures: new Map(entries) };
    }),
  );
}

interface CellRuns {
  readonly cell: Cell;
  readonly runs: readonly Run[];
}

function baselineRow({ experiment, rows }: Plan, i: number): number | undefined {
  const { baseline } = experiment;
  if (baseline === undefined) return undefined;
  const b = baseline === 'previous' ? i - 1 : rows.indexOf(baseline);
  return b < 0 || b === i ? undefined : b;
}

function cellRuns(
  cell: Cell,
  outcomes: ReadonlyMap<string, Outcome>,
): { runs: readonly Run[]; problem: string | undefined } {
  const runs: Run[] = [];
  for (const name of cell.jobs) {
    const outcome = outcomes.get(name)!;
    if (!isResult(outcome)) return { runs: [], problem: outcome.problem };
    runs.push(runOf(outcome, cell));
  }
  return { runs, problem: undefined };
}

function runOf(result: CellResult, { settings, step }: Cell): Run {
  const rules = candidateRules(settings.punctuation);
  const rule = rules.find((name) => result.scores[name].excluded > 0) ?? rules.at(-1)!;
  const scores = result.scores[rule];
  return { result, rule, scores: step === undefined ? scores : { ...scores, ...result.steps![step - 1] } };
}

function cellFigure(name: FigureName, { cell, runs }: CellRuns, baseline: CellRuns | undefined): CellFigure {
  const values = runs.map(({ result, scores }) => figures[name].of(result, scores));
  const chosen = chosenOf(name, { cell, runs }).map((i) => values[i]);
  return {
    runs: values,
    value: chosen.length === 0 ? Number.NaN : mean(chosen),
    deviation: standardDeviation(chosen),
    p: baseline && difference(name, { cell, runs }, baseline),
  };
}

/** The numbers of the runs that a cell's figure is made of. */
function chosenOf(name: FigureName, { cell, runs }: CellRuns): number[] {
  if (runs.length === 0) return [];
  const values = runs.map(({ result, scores }) => figures[name].of(result, scores));
  return chosenRuns(values, cell.settings.statistic, figures[name].better);
}

/** The p-value of a difference by stratified shuffling; of attachment scores on the same tokens only. */
function difference(name: FigureName, a: CellRuns, b: CellRuns): number | undefined {
  if (name !== 'uas' && name !== 'las') return undefined;
  const [runsA, runsB] = [a, b].map((one) => chosenOf(name, one).map((i) => one.runs[i].scores)) as [
    RuleScores[],
    RuleScores[],
  ];
  if (runsA.length === 0 || runsB.length === 0 || !sameTokens(runsA[0], runsB[0])) return undefined;
  return stratifiedShuffling(summed(runsA, name, runsB.length), summed(runsB, name, runsA.length)).twoSided;
}

function sameTokens(a: RuleScores, b: RuleScores): boolean {
  const { tokens } = b.sentences;
  return a.sentences.tokens.length === tokens.length && a.sentences.tokens.every((n, i) => n === tokens[i]);
}

/** The counts of several runs together, times `factor`, so that as many stand against each other. */
function summed(runs: readonly RuleScores[], name: 'uas' | 'las', factor: number): SentenceCounts {
  const size = runs[0].sentences.tokens.length;
  const counts = { correct: new Int32Array(size), total: new Int32Array(size) };
  for (const { sentences } of runs) {
    for (let i = 0; i < size; i++) {
      counts.correct[i] += factor * sentences[name][i];
      counts.total[i] += factor * sentences.tokens[i];
    }
  }
  return counts;
}
