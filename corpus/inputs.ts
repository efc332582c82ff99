import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { InputError, UsageError } from '../src/errors.ts';
import { fileError, filesBelow, sizeOfFile } from '../src/files/files.ts';
import { checkStandardInput, STANDARD_STREAM, TextFile } from '../src/files/text-file.ts';

/** Running text, a sentence a line, a token a line, CoNLL-U, or JSON Lines with a document in each. */
export const corpusKinds = ['text', 'lines', 'tokens', 'conllu', 'jsonl'] as const;
export type CorpusKind = (typeof corpusKinds)[number];

export const corpusFormats = ['conllu', 'jsonl', 'parquet'] as const;
export type CorpusFormat = (typeof corpusFormats)[number];

export interface CorpusInput {
  readonly path: string;
  readonly kind: CorpusKind;
}

export interface CorpusInputs {
  readonly files: readonly CorpusInput[];
  /** Bytes of all files as they are on disk; undefined where standard input is one of them. */
  readonly bytes: number | undefined;
}

export interface InputOptions {
  /** Patterns for the files of folders: `*`, `?`, and `**` for any folders. Default: all. */
  readonly include?: readonly string[] | undefined;
  readonly filesFrom?: string | undefined;
  /** Default: by each file's name (`.conllu`, `.jsonl`), otherwise running text. */
  readonly kind?: CorpusKind | undefined;
}

/**
 * The files of a corpus: those given, those of folders by name, then those of a list.
 *
 * @throws InputError for a path that leads nowhere, a folder without such files, or an empty list
 */
export async function corpusInputs(
  given: readonly string[],
  { include = [], filesFrom, kind }: InputOptions = {},
): Promise<CorpusInputs> {
  const all = filesFrom === undefined ? given : [...given, ...(await linesOf(filesFrom))];
  checkStandardInput(all);
  const patterns = include.map(patternOf);
  const files: CorpusInput[] = [];
  let bytes: number | undefined = 0;
  for (const given of all) {
    const isStandard = given === STANDARD_STREAM;
    const paths = isStandard || !isFolder(given) ? [given] : await chosenBelow(given, patterns);
    files.push(...paths.map((path) => ({ path, kind: kind ?? kindOf(path) })));
    if (isStandard || bytes === undefined) bytes = undefined;
    else for (const path of paths) bytes += sizeOfFile(path);
  }
  if (files.length === 0) throw new UsageError('name the files or folders of the corpus');
  return { files, bytes };
}

function kindOf(path: string): CorpusKind {
  const [, ending] = /\.(conllu|jsonl|ndjson)(?:\.\w+)?$/.exec(path) ?? [];
  if (ending === undefined) return 'text';
  return ending === 'conllu' ? 'conllu' : 'jsonl';
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw fileError(error, path, 'cannot be read');
  }
}

async function linesOf(file: string): Promise<string[]> {
  const text = await new TextFile(file).text();
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  if (lines.length === 0) throw new InputError('no paths, expected one a line', { file });
  return lines;
}

async function chosenBelow(folder: string, patterns: readonly RegExp[]): Promise<string[]> {
  const all = (await filesBelow(folder)).map((path) => relative(folder, path)).sort();
  const chosen = patterns.length === 0 ? all : all.filter((path) => patterns.some((one) => one.test(path)));
  if (chosen.length > 0) return chosen.map((path) => join(folder, path));
  throw new InputError(`none of its ${all.length} files is to be included`, { file: folder });
}

/** A pattern without `/` is for names in any folder. */
function patternOf(pattern: string): RegExp {
  const source = (pattern.includes('/') ? pattern : `**/${pattern}`)
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*\*|\*|\?/g, (found) => wildcards[found]!);
  return new RegExp(`^${source}$`, 'u');
}

const wildcards: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
};
