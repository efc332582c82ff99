import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { InputError, UsageError } from '../src/errors.ts';
import { explaining, filesBelow, sizeOfFile } from '../src/files/files.ts';
import { checkStandardInput, STANDARD_STREAM, TextFile } from '../src/files/text-file.ts';

/** Plain text, one sentence per line, one token per line, CoNLL-U, or JSON Lines with one document per line. */
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
  /** Total size of the files on disk; undefined if standard input is one of them. */
  readonly bytes: number | undefined;
  /** The folders that were searched. */
  readonly folders: readonly string[];
}

export interface InputOptions {
  /** Patterns for files in folders: `*`, `?`, and `**` for any folders. Default: all files. */
  readonly include?: readonly string[] | undefined;
  /** A file with further paths, one per line. */
  readonly filesFrom?: string | undefined;
  /** Default: by each file's name (`.conllu`, `.jsonl`), otherwise plain text. */
  readonly kind?: CorpusKind | undefined;
}

/**
 * Lists the files of a corpus in order: the files given, files in the folders given by name, then files in `filesFrom`.
 *
 * @throws InputError for a path that does not exist, a folder without matching files, or an empty list
 */
export async function corpusInputs(
  given: readonly string[],
  { include = [], filesFrom, kind }: InputOptions = {},
): Promise<CorpusInputs> {
  const all = filesFrom === undefined ? given : [...given, ...(await linesOf(filesFrom))];
  checkStandardInput(all);
  const patterns = include.map(patternOf);
  const files: CorpusInput[] = [];
  const folders: string[] = [];
  let bytes: number | undefined = 0;
  for (const given of all) {
    const isStandard = given === STANDARD_STREAM;
    const isFile = isStandard || !explaining(given, 'cannot be read', () => statSync(given).isDirectory());
    if (!isFile) folders.push(given);
    const paths = isFile ? [given] : await filesMatching(given, patterns);
    files.push(...paths.map((path) => ({ path, kind: kind ?? kindOf(path) })));
    if (isStandard || bytes === undefined) bytes = undefined;
    else for (const path of paths) bytes += sizeOfFile(path);
  }
  if (files.length === 0) throw new UsageError('name the files or folders of the corpus');
  return { files, bytes, folders };
}

function kindOf(path: string): CorpusKind {
  const [, ending] = /\.(conllu|jsonl|ndjson)(?:\.\w+)?$/.exec(path) ?? [];
  if (ending === undefined) return 'text';
  return ending === 'conllu' ? 'conllu' : 'jsonl';
}

async function linesOf(file: string): Promise<string[]> {
  const text = await new TextFile(file).text();
  const lines = text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .filter((line) => line !== '');
  if (lines.length === 0) throw new InputError('no paths, expected one per line', { file });
  return lines;
}

async function filesMatching(folder: string, patterns: readonly RegExp[]): Promise<string[]> {
  const all = (await filesBelow(folder)).map((path) => relative(folder, path)).sort();
  const chosen = patterns.length === 0 ? all : all.filter((path) => patterns.some((one) => one.test(path)));
  if (chosen.length > 0) return chosen.map((path) => join(folder, path));
  throw new InputError(`none of its ${all.length} files matches the patterns`, { file: folder });
}

/** Compiles a pattern; one without `/` matches file names in any folder. */
function patternOf(pattern: string): RegExp {
  const source = (pattern.includes('/') ? pattern : `**/${pattern}`)
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*\*|\*|\?/g, (found) => wildcards[found]);
  return new RegExp(`^${source}$`, 'u');
}

const wildcards: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
};
