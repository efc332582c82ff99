import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';
import { importsOf, sourceFiles } from '../support/imports.ts';

/** The file that a page takes in place of another: its twin, if it has one. */
function inPage(file: string): string {
  const twin = file.replace(/\.ts$/, '.browser.ts');
  return existsSync(join(packageFolder, twin)) ? twin : file;
}

/** All that a page may load, dynamic imports included; and what of it is of Node. */
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

test('what a page loads for parsing, voting, explaining, comparing and training knows nothing of Node', () => {
  const { files, ofNode } = pageLoads('web/index.ts', 'web/worker.ts', 'web/playground/main.ts');
  expect(files.size).toBeGreaterThan(300);
  expect([...files]).toContain('parsers/network/paradigm.ts');
  expect(ofNode).toEqual([]);
});

test('a twin exports what its module exports', () => {
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
