import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { Paradigm } from '../../parsers/parser.ts';
import { InputError, OptionError } from '../../src/errors.ts';
import { withFilesOf } from '../../src/files/given-file.ts';
import { describeIssue, type Issue, pathText, worstIssue } from '../../src/schema-issue.ts';
import { didYouMean } from '../../src/similar.ts';
import type { Vote } from '../jobs/job.ts';
import type { Entry, Overrides, SilverChoice, TreebankChoice } from './schema.ts';
import { defaultSettings } from './schema.ts';

type Defaulted = keyof typeof defaultSettings;
/** Settings with the defaults filled in; undefined: set nowhere. */
type Complete = Required<Omit<Overrides, Defaulted>> & {
  readonly [Name in Defaulted]: NonNullable<Overrides[Name]>;
};

/** Settings of every cell: how its figures are scored and combined. */
type CommonSettings = Pick<Complete, 'punctuation' | 'brackets' | 'statistic'>;

/** Settings of a cell with a treebank to score on. */
interface ScoredSettings extends CommonSettings, Pick<Complete, 'scoreOn' | 'maxTokens' | 'devShare'> {
  readonly treebank: TreebankChoice;
}

export interface TrainedSettings extends Omit<Complete, 'treebank' | 'options' | 'guides'>, ScoredSettings {
  readonly options: Readonly<Record<string, unknown>>;
  readonly guides: readonly SettledGuide[];
}

/** Whether a parser finds the tags itself, whatever those of the sentence are: grammars and spans do by default. */
export const tagsItself = (paradigm: string, options: TrainedSettings['options']): boolean =>
  (paradigm === 'pcfg' || paradigm === 'spans') && options.tags !== 'given';

type SettledGuide = Pick<TrainedSettings, 'options'> & { readonly parser: string };

/** Settings of a cell with another program's output. */
export interface FileSettings extends ScoredSettings {
  /** May contain `{part}`; undefined if there is no file for this cell. */
  readonly file: string | undefined;
}

/** Settings of a cell that combines others. */
export interface PooledSettings extends CommonSettings {
  /** Positions of the combined cells. */
  readonly of: readonly { readonly row: number; readonly column: number }[];
  /** Undefined: the runs of these cells are pooled. */
  readonly vote: Vote | undefined;
  readonly setAside: number;
}

export type CellSettings = TrainedSettings | FileSettings | PooledSettings;

export const isTrained = (settings: CellSettings): settings is TrainedSettings => 'paradigm' in settings;

/** Paths of an option's name and value within the experiment file, for error messages. */
interface Origin {
  readonly name: string;
  readonly value: string;
}

/** A part of the experiment file that applies to a cell: the defaults, its row, or its column. */
export interface Layer {
  readonly path: string;
  readonly entry: Entry;
  /** Paths of the option's name and value in a sweep, where they are not `path.options`. */
  readonly option?: Origin;
}

/** Settings of a cell: later layers override earlier ones. */
export const merged = (layers: readonly Layer[]): Entry & typeof defaultSettings =>
  Object.assign({ ...defaultSettings }, ...layers.map(({ entry }) => entry));

/** Settings of a cell whose parser is trained, with complete options; throws `InputError` with the path in the file. */
export function trainedSettings(
  cell: readonly Layer[],
  known: readonly Paradigm[],
  file: string,
): TrainedSettings {
  const { name: _, files: __, reported: ___, ...rest } = merged(cell);
  const { taggedBy, trainSentences, scoreOn, maxTokens, morphology } = rest;
  const treebank = treebankOf(rest, file);
  const { path = 'defaults' } = cell.findLast(({ entry }) => entry.paradigm !== undefined) ?? {};
  const paradigm = paradigmOf(rest.paradigm, `${path}.paradigm`, known, file);
  checkTags(cell, paradigm, file);
  const options = settleOptions(cell, paradigm, file);
  const guides = settleGuides(cell, paradigm, known, file);
  const silver = settleSilver(cell, paradigm, options, guides, file);
  const optional = { taggedBy, trainSentences, scoreOn, maxTokens, morphology };
  return { ...rest, ...optional, treebank, options, guides, silver };
}

function treebankOf({ treebank }: Pick<Entry, 'treebank'>, file: string): TreebankChoice {
  if (treebank !== undefined) return treebank;
  throw new OptionError((option) => `${file} names no treebank: give one with ${option('treebank')}`);
}

function paradigmOf(asked: string, path: string, known: readonly Paradigm[], file: string): Paradigm {
  const paradigm = known.find(({ name }) => name === asked);
  if (paradigm !== undefined) return paradigm;
  const names = known.map(({ name }) => name);
  throw new InputError(`${path}: expected one of ${names.join(', ')}${didYouMean(asked, names)}`, { file });
}

/** Settings of a cell whose row or column names output files; undefined if neither does. */
export function fileSettings(
  row: Layer,
  column: Layer,
  layers: readonly Layer[],
  file: string,
): FileSettings | undefined {
  const files = row.entry.files ?? column.entry.files;
  if (files === undefined) return undefined;
  const other = row.entry.files === undefined ? row : column;
  const path = typeof files === 'string' ? files : files[other.entry.name];
  const rest = merged(layers);
  const { punctuation, brackets, statistic, devShare, scoreOn, maxTokens } = rest;
  const treebank = treebankOf(rest, file);
  const output = path?.replaceAll('{row}', row.entry.name).replaceAll('{column}', column.entry.name);
  return { punctuation, brackets, statistic, devShare, scoreOn, maxTokens, treebank, file: output };
}

/** Completes the guides' options. Guides in `defaults` apply only to paradigms that take guides. */
function settleGuides(
  cell: readonly Layer[],
  { name, takesGuides }: Paradigm,
  known: readonly Paradigm[],
  file: string,
): SettledGuide[] {
  const layer = cell.findLast(({ entry }) => entry.guides !== undefined);
  if (layer === undefined || (layer === cell[0] && !takesGuides)) return [];
  const { path, entry } = layer;
  const refuse = (problem: string) => new InputError(`${path}.guides${problem}`, { file });
  if (entry.guides!.length > 0 && !takesGuides) throw refuse(`: ${name} takes no guides`);
  return entry.guides!.map(({ parser, options = {} }, g) => {
    const guide = paradigmOf(parser, `${path}.guides[${g}].parser`, known, file);
    if (guide.needsPhrases)
      throw refuse(`[${g}].parser: ${parser} learns from brackets, not from dependencies`);
    const place = `${path}.guides[${g}].options`;
    const origins = new Map(Object.keys(options).map((name) => [name, originAt(`${place}.${name}`)]));
    return { parser, options: checkedOptions(guide, options, origins, file) };
  });
}

/** Silver trees in `defaults` apply only to parsers that can learn from them. */
function settleSilver(
  cell: readonly Layer[],
  { name, takesSilver }: Paradigm,
  options: object,
  guides: readonly SettledGuide[],
  file: string,
): SilverChoice | undefined {
  const layer = cell.findLast(({ entry }) => entry.silver !== undefined);
  const isTaken = guides.length === 0 && takesSilver?.(options) === true;
  if (layer === undefined || (layer === cell[0] && !isTaken)) return undefined;
  if (isTaken) return layer.entry.silver;
  const problem =
    guides.length > 0 ? 'does not go with guides' : `${name} does not weigh trees with these options`;
  throw new InputError(`${layer.path}.silver: ${problem}`, { file });
}

const originAt = (place: string) => ({ name: place, value: place });

function checkedOptions(
  paradigm: Paradigm,
  values: object,
  origins: ReadonlyMap<string, Origin>,
  file: string,
): Record<string, unknown> {
  // Paths in options are relative to the experiment file.
  const placed = withFilesOf(values, (path) =>
    typeof path === 'string' ? resolve(dirname(file), path) : path,
  );
  const { success, data, error } = paradigm.options.safeParse(placed);
  if (success) return data as Record<string, unknown>;
  throw new InputError(describeRefusal(worstIssue(error.issues), origins, paradigm), { file });
}

/** @throws InputError for `taggedBy` without `tags`, and for predicted training tags in a paradigm trained on brackets */
function checkTags(cell: readonly Layer[], { name, needsPhrases }: Paradigm, file: string): void {
  const layerWith = (key: 'tags' | 'taggedBy') => cell.findLast(({ entry }) => entry[key] !== undefined);
  const [tags, tagger] = [layerWith('tags'), layerWith('taggedBy')];
  if (tagger !== undefined && tags === undefined)
    throw new InputError(`${tagger.path}.taggedBy: needs tags, whose default is gold`, { file });
  if (needsPhrases && tags !== undefined && ['predicted', 'both'].includes(tags.entry.tags!)) {
    const problem = `${name} is trained on brackets with their tags, expected gold or predicted-at-test`;
    throw new InputError(`${tags.path}.tags: ${problem}`, { file });
  }
}

function settleOptions([defaults, ...others]: readonly Layer[], paradigm: Paradigm, file: string) {
  const isShared = (defaults.entry.paradigm ?? defaultSettings.paradigm) === paradigm.name;
  const values: Record<string, unknown> = {};
  const origins = new Map<string, Origin>();
  for (const { path, entry, option } of isShared ? [defaults, ...others] : others) {
    for (const [name, value] of Object.entries(entry.options ?? {})) {
      values[name] = value;
      origins.set(name, option ?? originAt(`${path}.options.${name}`));
    }
  }
  return checkedOptions(paradigm, values, origins, file);
}

function describeRefusal(issue: Issue, origins: ReadonlyMap<string, Origin>, paradigm: Paradigm) {
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0) {
    const [name] = issue.keys;
    const known = Object.keys(z.toJSONSchema(paradigm.options, { io: 'input' }).properties ?? {});
    const expected = `expected ${known.length === 0 ? 'none' : `one of ${known.join(', ')}`}`;
    return `${origins.get(name)!.name}: ${paradigm.name} has no such option, ${expected}${didYouMean(name, known)}`;
  }
  const [name, ...inner] = issue.path;
  const place = `${origins.get(String(name))?.value ?? `options.${String(name)}`}${pathText(['', ...inner])}`;
  return `${place}: ${describeIssue({ ...issue, path: [] })}`;
}
