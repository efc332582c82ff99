import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { checkFields } from '../checks.ts';
import { InputError, UsageError } from '../errors.ts';
import { cacheFolder, noHome } from '../files/cache-folder.ts';
import { attempt, explained, fileDigest, filesBelow } from '../files/files.ts';
import { parseJsonAs } from '../files/json-file.ts';
import { type DownloadOptions, download, type Source } from '../files/network/download.ts';
import { packageFolder } from '../platform/package.ts';

export const treebankParts = ['train', 'dev', 'test'] as const;
export type TreebankPart = (typeof treebankParts)[number];
/** A file name, but not `.` or `..`. */
const NAME = String.raw`(?!\.\.?(?:/|$))[\w.-]+`;
const fileNameSchema = z.string().regex(new RegExp(`^${NAME}$`), 'expected the name of a file');
const pathBelowSchema = z
  .string()
  .regex(new RegExp(`^${NAME}(?:/${NAME})*$`), 'expected a path below the folder of the catalogue');

const sourceSchema = z.union([
  z.strictObject({ url: z.url({ protocol: /^https$/ }) }),
  /** Name and version: npm's own settings say where packages come from. */
  z.strictObject({ npm: z.string().regex(/^(@[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+$/), path: z.string().min(1) }),
  /** A file bundled with the catalogue, relative to it; used in place, not copied. */
  z.strictObject({ file: pathBelowSchema }),
]);

/** Numbered files: `%` in the name is replaced by each number from the first to the last. */
const joinSchema = z.strictObject({
  name: z.string().regex(/^[\w.-]*%[\w.-]*$/),
  first: z.string().regex(/^\d+$/),
  last: z.string().regex(/^\d+$/),
});

const fileSchema = z.strictObject({
  part: z.enum(treebankParts),
  name: fileNameSchema,
  /** Sizes are absent where only the file's digest is known. */
  sentences: z.int().positive().optional(),
  tokens: z.int().positive().optional(),
  bytes: z.int().positive().optional(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Tried in order; empty where the file can only be taken from a folder. */
  sources: z.array(sourceSchema),
  /** The file is the concatenation of these files of a folder, each followed by a blank line. */
  join: joinSchema.optional(),
});

const entrySchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]+$/),
  title: z.string().min(1),
  language: z.string().min(1),
  licence: z.string().min(1),
  format: z.enum(['conllu', 'conllx', 'three-column', 'brackets']),
  /** Default: UTF-8. */
  encoding: z.string().min(1).optional(),
  description: z.string().min(1),
  /** The publisher of files that cannot be downloaded one by one. */
  publisher: z.string().min(1).optional(),
  files: z.array(fileSchema).min(1),
});

export type CatalogueFile = z.infer<typeof fileSchema>;
export type CatalogueEntry = z.infer<typeof entrySchema>;
const bundledCatalogue = join(packageFolder, 'data', 'catalogue.json');

export interface CatalogueOptions {
  /** The catalogue to read; default: the one that comes with the package. */
  readonly file?: string | undefined;
  /** Where to keep the treebanks; default: `cacheFolder()`. */
  readonly cache?: string | undefined;
}

/** The treebanks that can be downloaded or come with the package, and the cache that holds them. */
export class Catalogue {
  private constructor(
    readonly entries: readonly CatalogueEntry[],
    private readonly folder: string,
    /** Absent for a user without a home folder, who can still use what comes with the package. */
    private readonly cache: string | undefined,
  ) {}

  /** @throws {InputError} where the file is missing or does not follow the catalogue's schema */
  static async open(options: CatalogueOptions = {}): Promise<Catalogue> {
    checkFields<keyof CatalogueOptions>('Catalogue.open', options, ['file', 'cache']);
    const { file = bundledCatalogue, cache: given } = options;
    const cache = given ?? attempt(cacheFolder);
    const text = await explained(readFile(file, 'utf8'), file, 'cannot be read');
    const entries = parseJsonAs(z.array(entrySchema).min(1), text, file);
    return new Catalogue(entries, dirname(resolve(file)), cache);
  }

  entry(name: string): CatalogueEntry {
    const entry = this.entries.find((each) => each.name === name);
    if (entry !== undefined) return entry;
    const names = this.entries.map((each) => each.name).join(', ');
    throw new UsageError(`no treebank is called “${name}”; there are: ${names}`);
  }

  /** Returns a file's path in the package or the cache, existing or not; throws `InputError` without a cache. */
  pathOf(entry: CatalogueEntry, file: CatalogueFile): string {
    const path = bundledPath(file);
    if (path !== undefined) return join(this.folder, path);
    if (this.cache === undefined) throw noHome();
    return join(this.cache, 'treebanks', entry.name, file.name);
  }

  /** Whether a file is there, judged by its size: the digest was checked when the file entered the cache. */
  async has(entry: CatalogueEntry, file: CatalogueFile): Promise<boolean> {
    if (this.cache === undefined && bundledPath(file) === undefined) return false;
    const found = await stat(this.pathOf(entry, file)).catch(() => undefined);
    return found !== undefined && found.size === (file.bytes ?? found.size);
  }

  /**
   * Puts a file into the cache unless it is there; returns whether it was missing. If a folder `from` is given, its
   * file replaces the cached one (except for files bundled with the package).
   * @throws {InputError} when no source has the file with the right digest; nothing is left behind
   */
  async get(
    entry: CatalogueEntry,
    file: CatalogueFile,
    { from, ...options }: DownloadOptions & { readonly from?: string | undefined } = {},
  ): Promise<boolean> {
    const target = this.pathOf(entry, file);
    const sources = from === undefined ? file.sources : await localSources(file, from);
    const isBundled = bundledPath(file) !== undefined;
    const isThere = (await this.has(entry, file)) && (await fileDigest(target)) === file.sha256;
    if (isThere && (from === undefined || isBundled)) return false;
    if (isBundled)
      throw new InputError('damaged: it comes with this package, install that again', { file: target });
    if (sources.length === 0) {
      const origin = entry.publisher === undefined ? '' : `; it comes with ${entry.publisher}`;
      const problem = `cannot be downloaded${origin}: get ${entry.name} from a folder that has it`;
      throw new InputError(problem, { file: file.name });
    }
    await download(sources, target, file, options);
    return !isThere;
  }
}

/** Whether a file, or all files that it is joined from, are in a folder or below it. */
export async function folderHas(folder: string, file: CatalogueFile): Promise<boolean> {
  return (await localSources(file, folder).catch(() => [])).length > 0;
}

/** The path of a bundled file, relative to the catalogue; undefined for other files. */
const bundledPath = (file: CatalogueFile): string | undefined =>
  file.sources.map((source) => ('file' in source ? source.file : undefined)).find(Boolean);

async function localSources(file: CatalogueFile, folder: string): Promise<Source[]> {
  const files = await filesBelow(folder);
  const called = (name: string) => {
    const found = files.filter((path) => basename(path) === name);
    if (found.length > 0) return found;
    throw new InputError(`no file called ${name} in this folder or below it`, { file: folder });
  };
  if (file.join === undefined) return called(file.name).map((path) => ({ file: path }));
  return [{ files: joinedNames(file.join).map((name) => called(name)[0]) }];
}

function joinedNames({ name, first, last }: z.infer<typeof joinSchema>): string[] {
  const names: string[] = [];
  for (let number = Number(first); number <= Number(last); number++)
    names.push(name.replace('%', String(number).padStart(first.length, '0')));
  return names;
}
