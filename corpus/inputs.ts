import { statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { InputError, OptionError, UsageError } from '../src/errors.ts';
import { explaining, filesBelow, isRegularFile, sizeOfFile } from '../src/files/files.ts';
import { checkStandardInput, STANDARD_STREAM, TextFile } from '../src/files/text-file.ts';

/** Plain text, one sentence per line, one token per line, CoNLL-U, or JSON Lines with one document per line. */
export const corpusKinds = ['text', 'lines', 'tokens', 'conllu', 'jsonl'] as const;
export type CorpusKind = (typeof corpusKinds)[number];

export const corpusFormats = ['conllu', 'jsonl', 'parquet'] as const;
export type CorpusFormat = (typeof corpusFormats)[number];

/** Maximum number of seconds for a shard: timers cannot wait longer. */
export const MOST_SECONDS = 2_147_483;

export interface CorpusInput {
  readonly path: string;
  readonly kind: CorpusKind;
  /** Whether the kind is only the default for a pipe: its first lines may show that it is no text. */
  readonly isAssumed?: boolean;
}

export interface CorpusInputs {
  readonly files: readonly CorpusInput[];
  /** Total size of the files on disk; undefined if standard input or a pipe is one of them. */
  readonly bytes: number | undefined;
  /** The folders that were searched. */
  readonly folders: readonly string[];
}

export interface InputOptions {
  /** Patterns for files in folders: `*`, `?`, and `**` for any folders. Default: all files that are not hidden. */
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
 * @throws OptionError for a file that by its name is text, but looks like CoNLL-U
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
    for (const path of paths) {
      const isPipe = isStandard || !isRegularFile(path);
      bytes = isPipe || bytes === undefined ? undefined : bytes + sizeOfFile(path);
      const isUnnamed = kind === undefined && kindOf(path) === 'text';
      if (isUnnamed && !isPipe) refuseSentences(path, await beginningOf(path));
      files.push({ path, kind: kind ?? kindOf(path), ...(isUnnamed && isPipe && { isAssumed: true }) });
    }
  }
  if (files.length === 0) throw new UsageError('name the files or folders of the corpus');
  return { files, bytes, folders };
}

function kindOf(path: string): CorpusKind {
  const [, ending] = /\.(conllu|jsonl|ndjson)(?:\.\w+)?$/.exec(path.toLowerCase()) ?? [];
  if (ending === undefined) return 'text';
  return ending === 'conllu' ? 'conllu' : 'jsonl';
}

/** Below comments and blank lines the number of a token and a tab. */
const CONLLU = /^\ufeff?(?:(?:#[^\n]*|[^\S\n]*)\n)*\d+(?:[-.]\d+)?\t/;

async function beginningOf(path: string): Promise<Buffer> {
  const chunks = new TextFile(path, undefined, false).byteChunks();
  // A file that cannot be read fails its shard, not the corpus.
  const { value: start = [] } = await chunks.next().catch(() => ({ value: undefined }));
  await chunks.return(undefined);
  return Buffer.from(start);
}

/** @throws OptionError if a file that is to be read as text begins like CoNLL-U */
export function refuseSentences(path: string, start: Buffer): void {
  if (!CONLLU.test(start.toString())) return;
  throw new OptionError((option) => {
    const kinds = (['conllu', 'text'] as const).map((kind) => option('input', kind));
    return `${path}: its first lines look like CoNLL-U: expected ${kinds.join(' or ')}`;
  });
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
  const visible = all.filter((path) => !path.split(sep).some((name) => name.startsWith('.')));
  const isChosen = (path: string) => patterns.length === 0 || patterns.some((one) => one.test(path));
  const chosen = visible.filter(isChosen);
  if (chosen.length > 0) return chosen.map((path) => join(folder, path));
  const which = all.length === 0 ? 'a folder without files' : 'a folder of hidden files alone';
  const problem = visible.length === 0 ? which : `none of its ${visible.length} files matches the patterns`;
  throw new InputError(problem, { file: folder });
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
