import { allParadigms } from '../parsers/registry.ts';
import { checkFields } from '../src/checks.ts';
import { Catalogue } from '../src/treebank/catalogue.ts';
import { CellCache } from './cells/cell-cache.ts';
import type { FigureName } from './cells/figures.ts';
import { type NamedTreebank, readExperiment, withTreebanks } from './definition/experiment.ts';
import { planExperiment } from './definition/plan.ts';
import { TreebankSurvey } from './definition/treebanks.ts';
import { programOf } from './jobs/program.ts';
import { breakdownTables } from './results/breakdown-tables.ts';
import type { CellFigure, FilledCell } from './results/fill.ts';
import { computeTable } from './results/record.ts';
import { readableTables } from './results/result-table.ts';
import type { ReadableTable } from './results/table-texts.ts';
import { type Executor, type RunProgress, runPlan } from './run/run-plan.ts';
import { type Bounds, thisMachine } from './run/this-machine.ts';

export interface ExperimentOptions {
  /** Treebanks that replace the experiment's own. */
  readonly treebanks?: readonly NamedTreebank[] | undefined;
  /** Cache folder for results; default: the one of the command line. */
  readonly cache?: string | undefined;
  /** Score every cell on the test part, too, trained on train and dev. */
  readonly final?: boolean | undefined;
  /** Number of simultaneous cells on this machine, one processor core each; default: 1. */
  readonly jobs?: number | undefined;
  /** Bytes for all cells on this machine together; default: three quarters of the free memory. */
  readonly memory?: number | undefined;
  /** Runs the cells on a queue's workers, which have their own `jobs` and `memory`. */
  readonly queue?: ExperimentQueue | undefined;
  /** Stops the experiment. Finished cells stay in the cache, and the next run continues from there. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
}

export interface ExperimentTable {
  readonly title: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** Row by row. */
  readonly cells: readonly (readonly ExperimentCell[])[];
  /** The same cells scored on test parts, if requested. */
  readonly finalCells: readonly (readonly ExperimentCell[])[] | undefined;
  /** One for each pair of files that share sentences, if one is trained on and the other is scored. */
  readonly warnings: readonly string[];
  /** Readable tables (see `textTable`): one, or one per column if it would be too wide. */
  readonly tables: readonly ReadableTable[];
}

export interface ExperimentCell {
  /** The figures that the experiment reports, by name (`uas`). */
  readonly figures: Readonly<Partial<Record<FigureName, CellFigure>>>;
  /** Why there is no result; undefined if there is one. */
  readonly problem: string | undefined;
}

/**
 * Runs an experiment: trains, parses, votes and scores, each cell in a process of its own, here or on other
 * machines. Cached cells are not run again.
 *
 * @param nameOrFile a bundled experiment (`bundledExperiments`), or the path of a JSON file
 * @throws UsageError for an unknown name, a cell without a treebank, or an invalid queue URL
 * @throws InputError for a file that does not follow the format, options that a paradigm refuses, treebanks that are
 *   not here or malformed, and a queue that cannot be reached at first
 */
export async function runExperiment(
  nameOrFile: string,
  options: ExperimentOptions = {},
): Promise<ExperimentTable> {
  checkFields<keyof ExperimentOptions>('runExperiment', options, [
    ...(['treebanks', 'cache', 'final', 'jobs'] as const),
    ...(['memory', 'queue', 'signal', 'onProgress'] as const),
  ]);
  const { treebanks = [], jobs: atOnce = 1, memory = 0.75 * process.availableMemory() } = options;
  const executor = await chooseExecutor(options.queue, { atOnce, memory });
  const read = await readExperiment(nameOrFile);
  const experiment = options.final ? { ...read, final: true } : read;
  const table = treebanks.length === 0 ? experiment : withTreebanks(experiment, treebanks);
  const survey = new TreebankSurvey(await Catalogue.open());
  const plan = await planExperiment(table, { known: await allParadigms(), survey, programOf });
  // Cells tell their progress in messages: what a caller's function throws then would end the process.
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, options.signal ?? []].flat());
  const onProgress = (progress: RunProgress) => {
    try {
      options.onProgress?.(progress);
    } catch (error) {
      stop.abort(error);
    }
  };
  const cache = await CellCache.open(options.cache);
  const outcomes = await runPlan(plan, { cache, executor, signal, onProgress });
  const { cells, finalCells, breakdowns } = await computeTable(plan, outcomes, cache);
  const plain = (row: readonly FilledCell[]): ExperimentCell[] =>
    row.map(({ figures, problem }) => ({ figures: Object.fromEntries(figures), problem }));
  return {
    title: plan.experiment.title,
    rows: plan.rows,
    columns: plan.columns,
    cells: cells.map(plain),
    finalCells: finalCells?.map(plain),
    warnings: plan.warnings,
    tables: [...readableTables(plan, cells, finalCells), ...breakdownTables(breakdowns, plan)],
  };
}

/** A queue whose workers run cells, on any machines. */
export interface ExperimentQueue {
  /**
   * `redis://[user:password@]host[:port][/database]`, or `rediss://` for TLS. User and password may as well be in the
   * environment: `PARLIAMENT_QUEUE_USER`, `PARLIAMENT_QUEUE_PASSWORD`.
   */
  readonly url: string;
  /** A folder shared by all machines, for data and results; default: they are kept in Redis. */
  readonly store?: string | undefined;
  /** Called with notices for the user: no workers, or Redis is away. */
  readonly onNotice?: ((notice: string) => void) | undefined;
}

/** Chooses what runs cells: the workers of a queue, or this machine. Throws `UsageError` for an invalid queue URL. */
export async function chooseExecutor(queue: ExperimentQueue | undefined, here: Bounds): Promise<Executor> {
  if (queue === undefined) return thisMachine(here);
  const { queueServer } = await import('./queue/server.ts');
  const { queueExecutor } = await import('./queue/queue-executor.ts');
  const { url, ...options } = queue;
  return queueExecutor({ server: queueServer(url), ...options });
}
