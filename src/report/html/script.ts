import { readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { packageFolder } from '../../files/package-folder.ts';

/** The compiled code: this file itself may run from its source, in a test. */
const compiled = join(packageFolder, 'dist', 'src', 'report', 'html', 'browser');

/**
 * The page's script: `browser/main` and all the modules that it needs, one after the other in one scope, as a
 * page that opens from disk can load no modules. Their top-level names must differ; a test sees to it.
 */
export function pageScript(): string {
  const texts = new Map<string, string>();
  addModule(join(compiled, 'main.js'), texts);
  return [...texts.values()].join('\n');
}

const importLine = /^import [^;]*? from '(.*?)';\n/gm;

/** Adds a module after those that it imports, once. */
function addModule(file: string, texts: Map<string, string>): void {
  if (texts.has(file)) return;
  const text = readFileSync(file, 'utf8');
  for (const [, name] of text.matchAll(importLine)) addModule(normalize(join(file, '..', name)), texts);
  texts.set(file, text.replace(importLine, '').replace(/^export /gm, ''));
}
