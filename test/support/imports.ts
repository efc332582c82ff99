import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { packageFolder } from '../../src/platform/package.ts';

/** An import in a file: of another file of this package, by its path from the top, or of another package. */
export interface Import {
  readonly from: string;
  readonly target: string;
  readonly isPackage: boolean;
  /** Whether it exists only for the type check, not when the code runs. */
  readonly isTypeOnly: boolean;
  /** Whether it is loaded only when the code reaches it. */
  readonly isDynamic: boolean;
}

/** The TypeScript files of the package below some folders, as paths from the top. */
export function sourceFiles(...folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(packageFolder, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
      .map((file) => join(folder, file)),
  );
}

const STATEMENT = /^(?:import|export)\s+(type\s+)?(?:([\w\s,*]*(?:\{[^}]*\})?)\s+from\s+)?['"]([^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** All imports of a file. */
export function importsOf(from: string): Import[] {
  const text = readFileSync(join(packageFolder, from), 'utf8');
  const found = (specifier: string, isTypeOnly: boolean, isDynamic: boolean): Import => {
    const isPackage = !specifier.startsWith('.');
    const target = isPackage ? specifier : normalize(join(dirname(from), specifier));
    return { from, target, isPackage, isTypeOnly, isDynamic };
  };
  const statements = [...text.matchAll(STATEMENT)].map(([, type, names = '', specifier]) =>
    found(specifier!, type !== undefined || areTypes(names), false),
  );
  return [
    ...statements,
    ...[...text.matchAll(DYNAMIC)].map(([, specifier]) => found(specifier!, false, true)),
  ];
}

/** Whether all names in braces are types: `{ type A, type B }`. */
function areTypes(names: string): boolean {
  const [, inner] = /^\{([^}]*)\}$/s.exec(names.trim()) ?? [];
  const all = (inner ?? '').split(',').filter((name) => name.trim() !== '');
  return all.length > 0 && all.every((name) => name.trim().startsWith('type '));
}

/** Everything that is loaded together with a file: files as paths from the top, and packages as names. */
export function loadedWith(file: string): Set<string> {
  const loaded = new Set<string>();
  const wait = [file];
  for (let next = wait.pop(); next !== undefined; next = wait.pop()) {
    if (loaded.has(next)) continue;
    loaded.add(next);
    for (const { target, isPackage, isTypeOnly, isDynamic } of importsOf(next)) {
      if (isTypeOnly || isDynamic) continue;
      if (isPackage) loaded.add(target);
      else wait.push(target);
    }
  }
  return loaded;
}

/** The first `depth` folder names of a path from the top. */
export function folderOf(path: string, depth: number): string {
  return relative('.', path).split('/').slice(0, -1).slice(0, depth).join('/');
}
