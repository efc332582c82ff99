import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import { parse } from 'es-module-lexer/js';
import { packageFolder, packageVersion } from './platform/package.ts';

/** The version of the package and a SHA-256 digest of the code that some work runs, whatever the commit. */
export type Program = { readonly version: string; readonly code: string };
/** The root of the sources, or `dist/` in a built package. */
const root = resolve(import.meta.dirname, '..');
/** The path of a module's file as it runs: TypeScript source or compiled JavaScript. */
export const moduleFile = (path: string): string => join(root, `${path}${extname(import.meta.filename)}`);

/**
 * Computes the digest of all code that modules reach by imports, without comments, and of the versions of packages.
 * `choosers` are modules that load one of several others by name: their dynamic imports are not followed.
 */
export function programFrom(modules: readonly string[], choosers: ReadonlySet<string>): Program {
  const hash = createHash('sha256');
  const reached = reachableFrom(modules, choosers);
  for (const file of reached)
    hash.update(`${relative(root, file).replaceAll(sep, '/')}\0`).update(moduleAt(file).code);
  const packages = new Set(reached.flatMap((file) => moduleAt(file).packages));
  hash.update(installedVersions([...packages], root).join('\0'));
  return { version: packageVersion(), code: hash.digest('hex') };
}

const withoutComments = (text: string): string =>
  text.replace(/^[ \t]*(?:\/\/.*|\/\*(?:(?!\*\/)[\s\S])*\*\/[ \t]*)(?:\r?\n|$)/gm, '');

/** The files that modules reach by imports, entry files of worker threads included, in ascending order. */
export function reachableFrom(modules: readonly string[], choosers: ReadonlySet<string>): string[] {
  const reached = new Set<string>();
  const pending = [...modules];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    const { files, later } = moduleAt(next);
    pending.push(...files, ...(choosers.has(next) ? [] : later));
  }
  return [...reached].sort();
}

/** A parsed source file; files are absolute paths. */
interface Module {
  /** Without comments that stand on separate lines. */
  readonly code: string;
  /** Static imports, entry files of worker threads, and WebAssembly. */
  readonly files: readonly string[];
  /** Dynamic imports. */
  readonly later: readonly string[];
  readonly packages: readonly string[];
}

const modulesRead = new Map<string, Module>();

/** Reads a module, once per process. */
export function moduleAt(path: string): Module {
  const module = modulesRead.get(path) ?? readModule(path);
  modulesRead.set(path, module);
  return module;
}

/** Matches `new URL('./worker.js', ` before `import.meta.url`: the entry file of a worker thread. */
const THREAD = /\bnew URL\(\s*['"](\.[^'"]+\.js)['"],\s*$/;
/** Matches the paths of WebAssembly files within the package. */
const ASSEMBLY = /['"](dist\/[^'"]+\.wasm)['"]/g;

function readModule(path: string): Module {
  // A binary file is read as Latin-1, so that every byte counts.
  if (path.endsWith('.wasm'))
    return { code: readFileSync(path, 'latin1'), files: [], later: [], packages: [] };
  const text = readFileSync(path, 'utf8');
  const { imported, later, threads } = specifiersIn(text, path);
  const filesOf = (names: readonly string[]) =>
    names.filter(isRelative).map((name) => existingFile(resolve(dirname(path), name)));
  const assembly = Array.from(text.matchAll(ASSEMBLY), ([, file]) => join(packageFolder, file!));
  return {
    code: withoutComments(text),
    files: [...filesOf([...imported, ...threads]), ...assembly],
    later: filesOf(later),
    packages: [...imported, ...later]
      .filter((name) => !isRelative(name) && !isBuiltin(name))
      .map(packageName),
  };
}

function specifiersIn(text: string, path: string): Record<'imported' | 'later' | 'threads', string[]> {
  const found = { imported: [] as string[], later: [] as string[], threads: [] as string[] };
  for (const { n: name, d: dynamic, ss: start } of parse(text, path)[0]) {
    if (dynamic === -2) {
      const thread = THREAD.exec(text.slice(Math.max(0, start - 200), start));
      if (thread !== null) found.threads.push(thread[1]!);
    } else if (name !== undefined && dynamic >= 0) found.later.push(name);
    // `import type` and `export type` are gone when the code runs.
    else if (name !== undefined && !/^(?:im|ex)port\s+type\s/.test(text.slice(start, start + 20)))
      found.imported.push(name);
  }
  return found;
}

const isRelative = (specifier: string): boolean => specifier.startsWith('.');
/** Sources name the entry files of worker threads as compiled (`.js`); returns the file that exists. */
const existingFile = (path: string): string => (existsSync(path) ? path : path.replace(/\.js$/, '.ts'));
/** Returns `@scope/name` for `@scope/name/part`. */
const packageName = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0];

/** Lists packages and their dependencies as `name@version` (a missing one as `name`), resolved from a folder. */
export function installedVersions(names: readonly string[], folder: string): string[] {
  const versions = new Set<string>();
  const pending = names.map((name) => ({ name, folder }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { name } = next;
    const place = installedAt(name, next.folder);
    if (place === undefined) {
      versions.add(name);
      continue;
    }
    const { version, dependencies = {} } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as {
      readonly version: string;
      readonly dependencies?: Readonly<Record<string, string>>;
    };
    if (versions.has(`${name}@${version}`)) continue;
    versions.add(`${name}@${version}`);
    pending.push(...Object.keys(dependencies).map((each) => ({ name: each, folder: place })));
  }
  return [...versions].sort();
}

function installedAt(name: string, folder: string): string | undefined {
  const place = join(folder, 'node_modules', name);
  if (existsSync(join(place, 'package.json'))) return place;
  return dirname(folder) === folder ? undefined : installedAt(name, dirname(folder));
}
