import { createHash } from 'node:crypto';
import { extname, join, relative, resolve, sep } from 'node:path';
import { packageVersion } from '../files/package.ts';
import { moduleAt } from './imports.ts';
import { installedVersions } from './packages.ts';

/** A program: the package's version, and a digest of the code that its work runs, whichever commit that is. */
export interface Program {
  readonly version: string;
  readonly code: string;
}

const root = resolve(import.meta.dirname, '..', '..');

/** The file of a module of this package, as it runs: from the sources, or as it is built. */
export function moduleFile(path: string): string {
  return join(root, `${path}${extname(import.meta.filename)}`);
}

/**
 * The program that begins with some modules: the SHA-256 of all the code that they can reach, with the versions of
 * other packages. Of what `choosers` load later nothing counts but what is among `modules` itself: they load what
 * their work names, and no more.
 */
export function programFrom(modules: readonly string[], choosers: ReadonlySet<string>): Program {
  const hash = createHash('sha256');
  const reached = reachableFrom(modules, choosers);
  for (const file of reached) {
    hash.update(`${relative(root, file).replaceAll(sep, '/')}\0`).update(moduleAt(file).text);
  }
  const packages = new Set(reached.flatMap((file) => moduleAt(file).packages));
  hash.update(installedVersions([...packages], root).join('\0'));
  return { version: packageVersion(), code: hash.digest('hex') };
}

/** Every module that is reached from some, those of threads included. */
export function reachableFrom(modules: readonly string[], choosers: ReadonlySet<string>): string[] {
  const reached = new Set<string>();
  const wait = [...modules];
  for (let next = wait.pop(); next !== undefined; next = wait.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    const { files, later } = moduleAt(next);
    wait.push(...files, ...(choosers.has(next) ? [] : later));
  }
  return [...reached].sort();
}
