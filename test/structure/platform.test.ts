import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';
import { importsOf, sourceFiles } from '../support/imports.ts';

/** The file that a web page loads in place of this one: its `.browser.ts` twin, if it has one. */
function inPage(file: string): string {
  const twin = file.replace(/\.ts$/, '.browser.ts');
  return existsSync(join(packageFolder, twin)) ? twin : file;
}

/** All files that a web page may load, also by dynamic imports, and their imports of Node’s modules. */
function pageLoads(...entries: readonly string[]) {
  const files = new Set(entries);
  const ofNode: string[] = [];
  for (const file of files) {
    for (const { target, isPackage, isTypeOnly } of importsOf(file)) {
      if (isTypeOnly) continue;
      if (!isPackage) files.add(inPage(target));
      else if (isBuiltin(target) || target === 'piscina') ofNode.push(`${file} → ${target}`);
    }
  }
  return { files, ofNode };
}

test('the modules that a web page may load import nothing from Node', () => {
  const { files, ofNode } = pageLoads('web/index.ts', 'web/worker.ts', 'web/playground/main.ts');
  expect(files.size).toBeGreaterThan(300);
  expect([...files]).toContain('parsers/network/paradigm.ts');
  expect(ofNode).toEqual([]);
});

test('a browser twin exports the same names as its module', () => {
  const namesOf = (file: string) => {
    const text = readFileSync(join(packageFolder, file), 'utf8');
    const declared = [...text.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, name]) => name!);
    const listed = [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, names]) =>
      names!.split(',').map((name) => name.trim().split(' as ').at(-1)!),
    );
    return [...declared, ...listed].filter((name) => name !== '').sort();
  };
  const twins = sourceFiles('src/platform').filter((file) => file.endsWith('.browser.ts'));
  expect(twins).toHaveLength(6);
  for (const twin of twins) expect(namesOf(twin)).toEqual(namesOf(twin.replace('.browser', '')));
});
