import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { InputError, OptionError, UsageError } from '../../src/errors.ts';
import { explained } from '../../src/files/files.ts';
import { parseJson } from '../../src/files/json-file.ts';
import { packageFolder } from '../../src/platform/package.ts';
import { describeIssue, worstIssue } from '../../src/schema-issue.ts';
import { didYouMean } from '../../src/similar.ts';
import { treebankParts } from '../../src/treebank/catalogue.ts';
import type { Entry, ExperimentFile, Overrides, TreebankChoice } from './schema.ts';
import { ALL, experimentSchema, isPooled, stepUnits } from './schema.ts';

/** An experiment as its file defines it, with absolute paths. */
export interface Experiment extends ExperimentFile {
  readonly file: string;
}

const bundledFolder = join(packageFolder, 'data', 'experiments');

export function bundledExperiments(): string[] {
  return readdirSync(bundledFolder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => basename(file, '.json'))
    .sort();
}

/**
 * Reads a bundled experiment by name, or an experiment file: arguments with a slash or ending in `.json` are paths.
 *
 * @throws UsageError for an unknown name
 * @throws InputError `file: path inside it: problem` if the file does not follow the schema
 */
export async function readExperiment(nameOrFile: string): Promise<Experiment> {
  const isPath = nameOrFile.endsWith('.json') || /[/\\]/.test(nameOrFile);
  const bundled = bundledExperiments();
  if (!isPath && !bundled.includes(nameOrFile)) {
    const advice = `${didYouMean(nameOrFile, bundled)}; there are ${bundled.join(', ')}`;
    throw new UsageError(`no experiment is called “${nameOrFile}”${advice}; a file's name ends in .json`);
  }
  const file = isPath ? nameOrFile : join(bundledFolder, `${nameOrFile}.json`);
  const text = await explained(readFile(file, 'utf8'), file, 'cannot be read');
  return checked(parseJson(text, file), file);
}

function checked(value: unknown, file: string): Experiment {
  const { success, data, error } = experimentSchema.safeParse(value);
  if (!success) throw new InputError(describeIssue(worstIssue(error.issues)), { file });
  checkTogether(data, file);
  const absolute = (path: string) => resolve(dirname(file), path);
  const placed = <T extends Settings>(settings: T): T => withPaths(settings, absolute);
  const [rows, columns] = [data.rows, data.columns].map((entries) => entries?.map(placed));
  return { ...data, file, defaults: placed(data.defaults), rows, columns };
}

function checkTogether(experiment: ExperimentFile, file: string, when = ''): void {
  const { rows, columns, sweep, baseline } = experiment;
  const refuse = (problem: string) => new InputError(`${when}${problem}`, { file });
  if ((rows === undefined) === (sweep === undefined)) throw refuse('expected either rows or sweep');
  const names = rows?.map(({ name }) => name) ?? sweep!.values.map(String);
  if (new Set(names).size < names.length) throw refuse('sweep.values: expected every value once');
  if (baseline !== undefined && baseline !== 'previous' && !names.includes(baseline))
    throw refuse(`baseline: no row is called “${baseline}”, expected previous or one of ${names.join(', ')}`);
  if (sweep?.reported !== undefined && sweep.reported.length !== names.length)
    throw refuse(`sweep.reported: expected one for each of ${names.length} values`);
  if (sweep?.option === 'trainSentences') {
    const isSize = (value: unknown) => value === ALL || (Number.isInteger(value) && Number(value) >= 1);
    const wrong = sweep.values.findIndex((value) => !isSize(value));
    if (wrong >= 0) throw refuse(`sweep.values[${wrong}]: expected a number of sentences, or all`);
  }
  const wrong =
    wrongFiles(
      'rows',
      'column',
      rows,
      columns?.map(({ name }) => name),
    ) ?? wrongFiles('columns', 'row', columns, names);
  if (wrong !== undefined) throw refuse(wrong);
  const problem = sweep?.fromOneTraining ? oneTrainingProblem(experiment) : undefined;
  if (problem !== undefined) throw refuse(problem);
}

/** The problem of a row (column) that names a file for a column (row) that does not exist; undefined if there is none. */
function wrongFiles(
  axis: string,
  other: string,
  entries: readonly Entry[] = [],
  names: readonly string[] = [],
) {
  for (const [i, { files = {} }] of entries.entries()) {
    const wrong =
      typeof files === 'string' ? undefined : Object.keys(files).find((name) => !names.includes(name));
    if (wrong !== undefined)
      return `${axis}[${i}].files: no ${other} is called “${wrong}”${didYouMean(wrong, names)}`;
  }
  return undefined;
}

/** During training, only UAS and LAS over all tokens are available, and no trees are kept. */
function oneTrainingProblem({ sweep, baseline, report, by, defaults, columns = [] }: ExperimentFile) {
  if (!(sweep!.option in stepUnits)) return 'sweep.fromOneTraining: expected only for epochs or members';
  if (baseline !== undefined) return 'baseline: cannot be tested with sweep.fromOneTraining';
  if (by.length > 0) return 'by: one training keeps the trees of its end only, not of each value';
  const pooled = columns.findIndex((column) => isPooled(column) || column.files !== undefined);
  if (pooled >= 0)
    return `columns[${pooled}]: cannot combine cells or take other programs’ output with sweep.fromOneTraining`;
  const other = report.find((name) => name !== 'uas' && name !== 'las');
  if (other !== undefined)
    return `report: expected uas and las only with sweep.fromOneTraining, not ${other}`;
  const rules = [defaults, ...columns].map(({ punctuation }) => punctuation ?? 'include');
  if (rules.some((rule) => rule !== 'include'))
    return 'punctuation: expected include with sweep.fromOneTraining';
  return undefined;
}

type Settings = Overrides & Pick<Entry, 'files'>;

/** Settings with absolute paths: in a file they are relative to it. */
function withPaths<T extends Settings>(settings: T, absolute: (path: string) => string): T {
  const within = (value: object, names: readonly string[] = Object.keys(value)) =>
    Object.fromEntries(
      Object.entries(value).map(([name, path]) => [name, names.includes(name) ? absolute(path) : path]),
    );
  const placed = Object.entries(settings).map(([name, value]) => {
    if (name === 'files' && typeof value === 'string') return [name, absolute(value)];
    if (typeof value !== 'object') return [name, value];
    if (name === 'files') return [name, within(value)];
    if (name === 'silver') return [name, within(value, ['trees'])];
    const isTreebank = ['treebank', 'taggedBy', 'scoreOn'].includes(name);
    return [name, isTreebank ? within(value, treebankParts) : value];
  });
  return Object.fromEntries(placed);
}

/** The JSON schema of experiment files, to which their `$schema` refers for editors. */
export const jsonSchemaFile = join(packageFolder, 'data', 'experiment.schema.json');

export function experimentJsonSchema(): object {
  return { title: 'An experiment of Parliament', ...z.toJSONSchema(experimentSchema, { io: 'input' }) };
}

export interface NamedTreebank {
  readonly name: string;
  readonly treebank: TreebankChoice;
}

/**
 * Replaces the treebanks of a table. If rows or columns name treebanks, the new ones replace those; entries for the same
 * treebank keep their settings, and combined entries stay. Otherwise a single treebank applies to all cells, and several
 * are crossed with the columns.
 *
 * @throws OptionError for two treebanks of the same name
 * @throws InputError if only some entries name a treebank, or what the file says does not fit the new ones
 */
export function withTreebanks(experiment: Experiment, treebanks: readonly NamedTreebank[]): Experiment {
  const twice = treebanks.find(({ name }, i) => treebanks.findIndex((one) => one.name === name) < i);
  if (twice !== undefined)
    throw new OptionError((option) => `${option('treebank')}: “${twice.name}” is given twice`);
  const filled = filledWith(experiment, treebanks);
  checkTogether(filled, experiment.file, 'with the given treebanks, ');
  return filled;
}

function filledWith(experiment: Experiment, treebanks: readonly NamedTreebank[]): Experiment {
  const { columns, defaults, averages, file } = experiment;
  const [axis, other] = (['rows', 'columns'] as const).filter((one) => experiment[one]?.some(namesTreebank));
  if (other !== undefined)
    throw new InputError('both rows and columns name treebanks: none can take their place', { file });
  if (axis !== undefined) {
    const entries = experiment[axis]!;
    if (entries.every((entry) => isPooled(entry) || namesTreebank(entry)))
      return { ...experiment, [axis]: replaced(entries, treebanks) };
    throw new InputError(`only some ${axis} name a treebank: no other can take its place`, { file });
  }
  const [{ treebank }] = treebanks;
  if (treebanks.length === 1) return { ...experiment, defaults: { ...defaults, treebank } };
  if (columns === undefined) return { ...experiment, columns: treebanks.map((one) => ({ ...one })) };
  if (averages && columns.length > 1)
    throw new InputError('averages: expected one column for each treebank, not several', { file });
  return { ...experiment, columns: treebanks.flatMap((one) => columnsOf(one, columns)) };
}

const namesTreebank = ({ treebank }: Entry) => treebank !== undefined;

function replaced(axis: readonly Entry[], treebanks: readonly NamedTreebank[]): Entry[] {
  const entriesOf = (one: NamedTreebank): readonly Entry[] => {
    const own = axis.filter(({ treebank }) => treebank === one.treebank);
    return own.length > 0 ? own : [{ ...one }];
  };
  return [...treebanks.flatMap(entriesOf), ...axis.filter(isPooled)];
}

/** Copies of the columns for one treebank; combined ones combine the copies of their members. */
function columnsOf({ name, treebank }: NamedTreebank, columns: readonly Entry[]): Entry[] {
  const trained = columns.filter((column) => !isPooled(column) && column.files === undefined);
  const copyOf = (column: string) => `${name}, ${column}`;
  return columns.map((column) => {
    const copy = { ...column, name: copyOf(column.name) };
    if (!isPooled(column)) return { ...copy, treebank };
    const { of = 'all' } = column;
    const members = of === 'all' ? trained.map((member) => member.name) : of;
    return { ...copy, of: members.map(copyOf) };
  });
}
