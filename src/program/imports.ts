import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { packageFolder } from '../files/package.ts';

/** What the text of a module says of what it loads; absolute paths of files, names of packages. */
export interface Module {
  readonly text: string;
  /** Loaded with it, the modules that it gives to threads to run, and what it has that is compiled to WebAssembly. */
  readonly files: readonly string[];
  /** Loaded only when the code comes to it. */
  readonly later: readonly string[];
  readonly packages: readonly string[];
}

/** Imports and exports of a formatted file; `import type` is gone when the code runs. */
const STATIC = /^(?:import|export)\s(?!type\s)[^;'"]*?\bfrom\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
const THREAD = /\bnew URL\(\s*['"](\.[^'"]+\.js)['"],\s*import\.meta\.url/g;
/** What is compiled to WebAssembly, by its place in the package. */
const ASSEMBLY = /['"](dist\/[^'"]+\.wasm)['"]/g;

const known = new Map<string, Module>();

/** Reads a module, once in a process. */
export function moduleAt(path: string): Module {
  const found = known.get(path) ?? readModule(path);
  known.set(path, found);
  return found;
}

function readModule(path: string): Module {
  // Of bytes that are no text, every one is to count.
  const text = readFileSync(path, path.endsWith('.wasm') ? 'latin1' : 'utf8');
  const specifiers = (pattern: RegExp) =>
    Array.from(text.matchAll(pattern), ([, one, other]) => (one ?? other)!).filter(
      (name) => !isBuiltin(name),
    );
  const all = [...specifiers(STATIC), ...specifiers(DYNAMIC)];
  const filesOf = (names: readonly string[]) =>
    names.filter(isRelative).map((name) => asItStands(resolve(dirname(path), name)));
  return {
    text,
    files: [
      ...filesOf([...specifiers(STATIC), ...specifiers(THREAD)]),
      ...specifiers(ASSEMBLY).map((file) => join(packageFolder, file)),
    ],
    later: filesOf(specifiers(DYNAMIC)),
    packages: all.filter((name) => !isRelative(name)).map(packageName),
  };
}

function isRelative(specifier: string): boolean {
  return specifier.startsWith('.');
}

/** Threads are named as they are built, also by the sources. */
function asItStands(path: string): string {
  return existsSync(path) ? path : path.replace(/\.js$/, '.ts');
}

/** `@scope/name` of `@scope/name/part`. */
function packageName(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0];
}
