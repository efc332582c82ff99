import type { Statistic } from '../../experiment/cells/figures.ts';
import type { CellSettings } from '../../experiment/definition/cell-settings.ts';
import type { Cell, Plan } from '../../experiment/definition/plan.ts';
import type { Job, ParserJob } from '../../experiment/jobs/job.ts';
import {
  type CellResult,
  type Finished,
  isResult,
  outcomeOf,
  type RuleScores,
} from '../../experiment/jobs/job-result.ts';
import { type FilledCells, fill } from '../../experiment/results/fill.ts';

const digest = 'ab'.repeat(32);
/** The SHA-256 of no bytes, since the trees are left empty. */
const nothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const file = { path: import.meta.filename, digest, encoding: 'utf-8' };

export function job(
  seed: number,
  options: Record<string, unknown> = {},
  tags?: ParserJob['tags'],
): ParserJob {
  return {
    kind: 'parser',
    program: { version: '1.0.0', code: digest },
    paradigm: 'graph',
    options,
    seed,
    train: { ...file, from: 0, to: 90 },
    test: { ...file, from: 90, to: 100 },
    ...(tags && { tags }),
  };
}

/**
 * A result for sentences of ten tokens each, with the given number of right heads in each sentence. Half of these
 * tokens have the right label.
 */
export function result(job: Job, rightHeads: readonly number[], excluded = 0): CellResult {
  const right = rightHeads.reduce((sum, n) => sum + n, 0);
  const uas = (10 * right) / rightHeads.length;
  const scores: RuleScores = {
    tokens: 10 * rightHeads.length,
    excluded: 0,
    ...{ uas, las: uas / 2, laa: 50, rootAccuracy: null, completeRate: 0, labelledCompleteRate: 0 },
    warnings: [],
    sentences: {
      tokens: rightHeads.map(() => 10),
      uas: [...rightHeads],
      las: rightHeads.map((n) => Math.floor(n / 2)),
    },
  };
  return {
    job,
    trees: nothing,
    test: { sentences: rightHeads.length, tokens: 10 * rightHeads.length },
    ...{ seconds: 2, parseSeconds: 0.5, peakMemory: 1e8, notices: [], tags: {} },
    scores: {
      include: scores,
      upos: { ...scores, excluded },
      'upos-sym': scores,
      ptb: scores,
      conllx: scores,
    },
  };
}

export interface RowPlan {
  readonly name: string;
  /** The names of its jobs. */
  readonly jobs: readonly string[];
  readonly statistic?: Statistic;
  readonly punctuation?: CellSettings['punctuation'];
}

/** The plan of a table with one column. */
export function plan(rows: readonly RowPlan[], experiment: Partial<Plan['experiment']> = {}): Plan {
  const cell = ({ name, jobs, ...shown }: RowPlan): Cell => ({
    row: name,
    column: '',
    part: 'dev',
    settings: {
      ...{ paradigm: 'graph', options: {}, treebank: 'sample', trainSentences: undefined, devShare: 0.1 },
      ...{ scoreOn: undefined, maxTokens: undefined, tags: 'gold', taggedBy: undefined, folds: 10 },
      ...{ setAside: 0.1 },
      ...{ guides: [], morphology: undefined, silver: undefined },
      seeds: (jobs.length === 0 ? ['one'] : jobs).map((_, i) => i + 1),
      ...{ statistic: 'mean', punctuation: 'include', brackets: 'evalb', ...shown },
    },
    treebank: {
      title: 'Small',
      train: { path: '/data/small.conllu', digest, encoding: 'utf-8', sentences: 100 },
      dev: undefined,
      test: undefined,
    },
    ...{ scoredOn: undefined, taggedBy: undefined, available: 90, trainSentences: 90, jobs, step: undefined },
  });
  return {
    experiment: {
      title: 'T',
      description: 'D',
      report: ['uas'],
      defaults: {},
      ...{ averages: false, by: [], final: false },
      file: 'table.json',
      ...experiment,
    },
    rows: rows.map(({ name }) => name),
    columns: [''],
    cells: rows.map((row) => [cell(row)]),
    finalCells: undefined,
    ...{ tooMany: [], warnings: [] },
    jobs: new Map(rows.flatMap(({ jobs }) => jobs.map((name, i) => [name, job(i + 1, { name })] as const))),
  };
}

/** Fills a table from these results instead of a cache. */
export async function fillFrom(
  table: Plan,
  finished: ReadonlyMap<string, Finished>,
  cells = table.cells,
): Promise<FilledCells> {
  const all = [...finished];
  const outcomes = new Map(
    all.map(([name, one]) => [name, isResult(one) ? outcomeOf(one, one.job) : one] as const),
  );
  const whole = new Map(all.filter((entry): entry is [string, CellResult] => isResult(entry[1])));
  return fill(table, outcomes, { result: async (name) => whole.get(name) }, cells);
}
