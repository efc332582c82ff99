import { z } from 'zod';
import type { Paradigm } from '../../parsers/parser.ts';
import { InputError, OptionError } from '../../src/errors.ts';
import type { PunctuationChoice } from '../../src/evaluate/attachment/punctuation.ts';
import type { PhraseScorerName } from '../../src/evaluate/parseval/scorers.ts';
import type { Vote } from '../jobs/job.ts';
import type { Statistic } from '../results/statistics.ts';
import type { Experiment } from './experiment.ts';
import { describeIssue, pathText, worstIssue } from './issue.ts';
import {
  type Entry,
  isPooled,
  type ScoredTreebankChoice,
  standard,
  type TagSource,
  type TreebankChoice,
} from './schema.ts';

/** Runs of one table: more are a slip, and would take minutes only to plan. */
const MOST_RUNS = 20_000;

/** What every cell has. */
interface CommonSettings {
  readonly punctuation: PunctuationChoice;
  readonly brackets: PhraseScorerName;
  readonly statistic: Statistic;
}

/** Everything that a trained cell is made by, settled. */
export interface TrainedSettings extends CommonSettings {
  readonly paradigm: string;
  /** Every training option, with its value. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly treebank: TreebankChoice;
  readonly tags: TagSource;
  readonly taggedBy: TreebankChoice | undefined;
  readonly folds: number;
  readonly scoreOn: ScoredTreebankChoice | undefined;
  readonly maxTokens: number | undefined;
  readonly trainSentences: number | undefined;
  readonly seeds: readonly number[];
  readonly devShare: number;
}

/** Everything that a cell is made by that takes the trees of others. */
export interface PooledSettings extends CommonSettings {
  /** The places of these cells, all trained. */
  readonly of: readonly { readonly row: number; readonly column: number }[];
  /** Absent: it shows their runs. */
  readonly vote: Vote | undefined;
  readonly setAside: number;
}

export type CellSettings = TrainedSettings | PooledSettings;

/** The names along both sides of a table, and the settings of its cells, row by row. */
export interface Layout {
  readonly rows: readonly string[];
  /** One that is empty where the file names none. */
  readonly columns: readonly string[];
  readonly cells: readonly (readonly CellSettings[])[];
}

/** Where in the file an option comes from. */
interface Origin {
  readonly name: string;
  readonly value: string;
}

/** One place of the file that says something of a cell. */
interface Layer {
  readonly path: string;
  readonly entry: Entry;
  /** Where its option's name and value stand, if not under `path.options`: in a sweep. */
  readonly option?: Origin;
}

/**
 * Settles what each cell is made by: the standard, overridden by the defaults, the row, and the column.
 * Options are those of the cell's paradigm; the defaults' are of the defaults' paradigm, and do not reach
 * cells of another.
 *
 * @throws InputError for an unknown paradigm and for options that the paradigm refuses, with the path in the
 * file; for cells made of others where none is trained; for a table of too many runs
 * @throws UsageError where a cell has no treebank
 */
export function layOut(experiment: Experiment, known: readonly Paradigm[]): Layout {
  const defaults: Layer = { path: 'defaults', entry: { name: '', ...experiment.defaults } };
  const rows =
    experiment.sweep === undefined ? layers('rows', experiment.rows!) : sweepLayers(experiment.sweep);
  const columns = layers('columns', experiment.columns ?? [{ name: '' }]);
  const { file } = experiment;
  checkSize([defaults], rows, columns, file);
  const cells = rows.map((row, i) =>
    columns.map((column, j): CellSettings => {
      const layers = [defaults, row, column];
      if (!isPooled(row.entry) && !isPooled(column.entry)) return settle(layers, known, file);
      if (isPooled(row.entry) && isPooled(column.entry)) {
        throw new InputError(`${column.path}: made of other columns, as ${row.path} is of other rows`, {
          file,
        });
      }
      const of = isPooled(row.entry)
        ? membersOf(row, rows, file).map((k) => ({ row: k, column: j }))
        : membersOf(column, columns, file).map((k) => ({ row: i, column: k }));
      const { punctuation, brackets, statistic, setAside } = merged(layers);
      return { punctuation, brackets, statistic, setAside, of, vote: row.entry.vote ?? column.entry.vote };
    }),
  );
  return { rows: names(rows), columns: names(columns), cells };
}

function checkSize(
  defaults: readonly Layer[],
  rows: readonly Layer[],
  columns: readonly Layer[],
  file: string,
) {
  let runs = 0;
  for (const row of rows) {
    for (const column of columns) runs += merged([...defaults, row, column]).seeds.length;
  }
  if (runs <= MOST_RUNS) return;
  const size = `${rows.length} × ${columns.length} cells with ${runs} runs`;
  throw new InputError(`${size}, expected at most ${MOST_RUNS}`, { file });
}

/** The numbers of the rows (columns) that one is made of. */
function membersOf({ entry: { of = 'all' }, path }: Layer, axis: readonly Layer[], file: string): number[] {
  const trained = [...axis.keys()].filter((k) => !isPooled(axis[k].entry));
  if (trained.length === 0) throw new InputError(`${path}: made of others, but none is trained`, { file });
  if (of === 'all') return trained;
  return of.map((name) => {
    const k = trained.find((each) => axis[each].entry.name === name);
    if (k !== undefined) return k;
    const expected = trained.map((each) => axis[each].entry.name).join(', ');
    throw new InputError(`${path}.of: “${name}” is none that is trained, expected some of ${expected}`, {
      file,
    });
  });
}

/** The standard, overridden by the layers in turn. */
function merged(layers: readonly Layer[]): Entry & typeof standard {
  return Object.assign({ ...standard }, ...layers.map(({ entry }) => entry)) as Entry & typeof standard;
}

function names(of: readonly Layer[]): string[] {
  return of.map(({ entry }) => entry.name);
}

function layers(axis: string, entries: readonly Entry[]): Layer[] {
  return entries.map((entry, i) => ({ path: `${axis}[${i}]`, entry }));
}

function sweepLayers({ option, values }: NonNullable<Experiment['sweep']>): Layer[] {
  return values.map((value, i) => {
    const name = String(value);
    const path = `sweep.values[${i}]`;
    const isSize = option === 'trainSentences';
    const entry = isSize ? { name, trainSentences: Number(value) } : { name, options: { [option]: value } };
    return { path, entry, option: { name: 'sweep.option', value: path } };
  });
}

function settle(cell: readonly Layer[], known: readonly Paradigm[], file: string): TrainedSettings {
  const { name: _, treebank, taggedBy, trainSentences, scoreOn, maxTokens, ...rest } = merged(cell);
  if (treebank === undefined) {
    throw new OptionError((option) => `${file} names no treebank: give one with ${option('treebank')}`);
  }
  const paradigm = known.find(({ name }) => name === rest.paradigm);
  if (paradigm === undefined) {
    const path = cell.findLast(({ entry }) => entry.paradigm !== undefined)?.path ?? 'defaults';
    const expected = `expected one of ${known.map(({ name }) => name).join(', ')}`;
    throw new InputError(`${path}.paradigm: ${expected}`, { file });
  }
  checkTags(cell, paradigm, file);
  const options = settleOptions(cell, paradigm, file);
  return { ...rest, treebank, taggedBy, trainSentences, scoreOn, maxTokens, options };
}

/** @throws InputError for a tagger that has nothing to tag, and where there are no columns to fill */
function checkTags(cell: readonly Layer[], { name, needsPhrases }: Paradigm, file: string): void {
  const saying = (key: 'tags' | 'taggedBy') => cell.findLast(({ entry }) => entry[key] !== undefined);
  const [tags, tagger] = [saying('tags'), saying('taggedBy')];
  if (tagger !== undefined && tags === undefined) {
    throw new InputError(`${tagger.path}.taggedBy: goes with tags, which are gold where nothing is said`, {
      file,
    });
  }
  if (needsPhrases && tags !== undefined && ['predicted', 'both'].includes(tags.entry.tags!)) {
    const problem = `${name} learns from brackets, tags and all, expected gold or predicted-at-test`;
    throw new InputError(`${tags.path}.tags: ${problem}`, { file });
  }
}

function settleOptions(
  [defaults, ...others]: readonly Layer[],
  paradigm: Paradigm,
  file: string,
): Record<string, unknown> {
  const isShared = (defaults.entry.paradigm ?? standard.paradigm) === paradigm.name;
  const values: Record<string, unknown> = {};
  const origins = new Map<string, Origin>();
  for (const { path, entry, option } of isShared ? [defaults, ...others] : others) {
    for (const [name, value] of Object.entries(entry.options ?? {})) {
      values[name] = value;
      const place = `${path}.options.${name}`;
      origins.set(name, option ?? { name: place, value: place });
    }
  }
  const { success, data, error } = paradigm.options.safeParse(values);
  if (success) return data as Record<string, unknown>;
  throw new InputError(describeRefusal(worstIssue(error.issues), origins, paradigm), { file });
}

function describeRefusal(
  issue: z.core.$ZodIssue,
  origins: ReadonlyMap<string, Origin>,
  paradigm: Paradigm,
): string {
  if (issue.code === 'unrecognized_keys') {
    const [name] = issue.keys;
    return `${origins.get(name)!.name}: ${paradigm.name} has no such option, expected one of ${optionNames(paradigm)}`;
  }
  const [name, ...inner] = issue.path;
  const place = `${origins.get(String(name))?.value ?? `options.${String(name)}`}${pathText(['', ...inner])}`;
  return `${place}: ${describeIssue({ ...issue, path: [] })}`;
}

function optionNames({ options }: Paradigm): string {
  const names = Object.keys(z.toJSONSchema(options, { io: 'input' }).properties ?? {});
  return names.length > 0 ? names.join(', ') : 'none';
}
