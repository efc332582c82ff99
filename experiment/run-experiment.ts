import { join } from 'node:path';
import { allParadigms } from '../parsers/registry.ts';
import { Catalogue, cacheFolder } from '../src/treebank/catalogue.ts';
import { CellCache } from './cells/cell-cache.ts';
import type { FigureName } from './cells/figures.ts';
import { programOf } from './cells/program.ts';
import { type NamedTreebank, readExperiment, withTreebanks } from './definition/experiment.ts';
import { planExperiment } from './definition/plan.ts';
import { TreebankSurvey } from './definition/treebanks.ts';
import { breakdownTables } from './results/breakdown-tables.ts';
import { type CellFigure, type FilledCell, fill } from './results/fill.ts';
import { readableTables } from './results/result-table.ts';
import type { ReadableTable } from './results/table-texts.ts';
import { type Executor, type RunProgress, runPlan } from './run/run-plan.ts';
import { type Bounds, ThisMachine } from './run/this-machine.ts';

export interface ExperimentOptions {
  /** Treebanks to use, not those that the experiment names. */
  readonly treebanks?: readonly NamedTreebank[] | undefined;
  /** The folder where results are kept; default: the command line's. */
  readonly cache?: string | undefined;
  /** Every cell on the test part, too, learnt from train and dev. */
  readonly final?: boolean | undefined;
  /** Cells to work on at the same time, here, a processor core each; default: one. */
  readonly jobs?: number | undefined;
  /** Bytes that all cells here may take together; default: three quarters of what is free. */
  readonly memory?: number | undefined;
  /** Lets the workers of a queue do the cells, not this machine; these have `jobs` and `memory` of their own. */
  readonly queue?: ExperimentQueue | undefined;
  /** Ends it; what is done is kept, and the next run goes on from there. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
}

/** A table that has been made. */
export interface ExperimentTable {
  readonly title: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** Row by row. */
  readonly cells: readonly (readonly ExperimentCell[])[];
  /** The same on test parts, learnt from train and dev; where that was asked for. */
  readonly finalCells: readonly (readonly ExperimentCell[])[] | undefined;
  /** The same to be read: one table, or one a column where it would be too wide (see `textTable`). */
  readonly tables: readonly ReadableTable[];
}

export interface ExperimentCell {
  /** By name (`uas`): those that the experiment reports. */
  readonly figures: Readonly<Partial<Record<FigureName, CellFigure>>>;
  /** Why there is no result, where there is none. */
  readonly problem: string | undefined;
}

/**
 * Makes a table: trains, parses, votes and scores what each cell asks for, each in a process of its own,
 * here or on other machines. What is in the cache is not done again.
 *
 * @param nameOrFile a bundled experiment (`bundledExperiments`), or the path of a JSON file
 * @throws UsageError for an unknown name, where a cell has no treebank, or the queue's URL is none
 * @throws InputError for a file that does not follow the format, options that a paradigm refuses, treebanks that are
 *   not here or malformed, and a queue that cannot be reached at first
 */
export async function runExperiment(
  nameOrFile: string,
  options: ExperimentOptions = {},
): Promise<ExperimentTable> {
  const { treebanks = [], jobs: atOnce = 1, memory = 0.75 * process.availableMemory() } = options;
  const { signal = new AbortController().signal } = options;
  const executor = await chooseExecutor(options.queue, { atOnce, memory });
  const cache = options.cache ?? join(await cacheFolder(), 'experiments');
  const read = await readExperiment(nameOrFile);
  const experiment = options.final ? { ...read, final: true } : read;
  const plan = await planExperiment(
    treebanks.length === 0 ? experiment : withTreebanks(experiment, treebanks),
    {
      known: await allParadigms(),
      survey: new TreebankSurvey(await Catalogue.open()),
      programOf,
    },
  );
  const onProgress = (progress: RunProgress) => options.onProgress?.(progress);
  const cells = await CellCache.open(cache);
  const outcomes = await runPlan(plan, { cache: cells, executor, signal, onProgress });
  const filled = await fill(plan, outcomes, cells);
  const final = plan.finalCells && (await fill(plan, outcomes, cells, plan.finalCells));
  const plain = (row: readonly FilledCell[]): ExperimentCell[] =>
    row.map(({ figures, problem }) => ({ figures: Object.fromEntries(figures), problem }));
  return {
    title: plan.experiment.title,
    rows: plan.rows,
    columns: plan.columns,
    cells: filled.map(plain),
    finalCells: final?.map(plain),
    tables: [...readableTables(plan, filled, final), ...(await breakdownTables(plan, filled, cells))],
  };
}

/** A queue whose workers do the cells, on whatever machines. */
export interface ExperimentQueue {
  /**
   * `redis://[user:password@]host[:port][/database]`, or `rediss://` for TLS. User and password may as well be in the
   * environment: `PARLIAMENT_QUEUE_USER`, `PARLIAMENT_QUEUE_PASSWORD`.
   */
  readonly url: string;
  /** A folder that all machines share, for data and results; default: they are in Redis. */
  readonly store?: string | undefined;
  /** Told what the user should know: that no worker is there, or that Redis is away. */
  readonly onNotice?: ((notice: string) => void) | undefined;
}

/**
 * Who does the cells: the workers of a queue, or this machine.
 *
 * @throws UsageError where the URL is none of a queue
 */
export async function chooseExecutor(queue: ExperimentQueue | undefined, here: Bounds): Promise<Executor> {
  if (queue === undefined) return new ThisMachine(here);
  const { queueServer } = await import('./queue/server.ts');
  const { QueueExecutor } = await import('./queue/queue-executor.ts');
  const { url, ...options } = queue;
  return new QueueExecutor({ server: queueServer(url), ...options });
}
