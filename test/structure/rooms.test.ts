import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';
import { importsOf, sourceFiles } from '../support/imports.ts';
import { needsShared, sharedFiles, sharedPath } from '../support/shared.ts';

const folders = [
  'api',
  'bench',
  'cli',
  'serve',
  'corpus',
  'web',
  'experiment',
  'combine',
  'annotators',
  'parsers',
  'src',
];
const files = sourceFiles(...folders);

/** Groups of files each of which reaches all others of its group by imports, types included (Tarjan 1972). */
function circles(next: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const number = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const visit = (file: string) => {
    number.set(file, number.size);
    low.set(file, number.get(file)!);
    stack.push(file);
    for (const target of next.get(file) ?? []) {
      if (!number.has(target)) visit(target);
      if (stack.includes(target)) low.set(file, Math.min(low.get(file)!, low.get(target)!));
    }
    if (low.get(file) !== number.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) found.push(group.sort());
  };
  for (const file of next.keys()) if (!number.has(file)) visit(file);
  return found;
}

test('this test finds circular imports', () => {
  const next = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', []],
  ]);
  expect(circles(next)).toEqual([['a', 'b', 'c']]);
});

test('no files import each other in a circle, not even for types', () => {
  const next = new Map(
    files.map((file) => [
      file,
      importsOf(file).flatMap(({ target, isPackage, isDynamic }) => (isPackage || isDynamic ? [] : target)),
    ]),
  );
  expect(circles(next)).toEqual([]);
});

test('a folder has at most twelve files', () => {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > 12)).toEqual([]);
});

test('no file is deeper than four folders', () => {
  expect(files.filter((file) => file.split('/').length > 5)).toEqual([]);
});

const IMPORT = /const \{ ([\w, ]+) \} = await lib\('([^']+)\.js'\)/g;

needsShared.test(
  'the modules and functions that the attack scripts import exist, even if modules have moved',
  () => {
    const scripts = sharedFiles('attack').filter((file) => file.endsWith('.mjs'));
    const imports = scripts.flatMap((file) => [
      ...readFileSync(sharedPath('attack', file), 'utf8').matchAll(IMPORT),
    ]);
    expect(imports.length).toBeGreaterThan(0);
    for (const [, names, module] of imports) {
      const there = `${module}.ts`;
      const found = files.includes(there)
        ? [there]
        : files.filter((file) => basename(file) === basename(there));
      expect(found, module).toHaveLength(1);
      const text = readFileSync(join(packageFolder, found[0]!), 'utf8');
      for (const name of names!.split(', '))
        expect(text).toMatch(new RegExp(`^export (async )?(function|class|const) ${name}\\b`, 'm'));
    }
  },
);
