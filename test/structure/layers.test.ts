import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';
import { folderOf, type Import, importsOf, loadedWith, sourceFiles } from '../support/imports.ts';

/** From the top layer to the bottom one: a folder imports from itself and from those below it. */
const floors = ['cli', 'serve', 'web', 'corpus', 'experiment', 'combine', 'annotators', 'parsers', 'src'];

/** The folders of `src`, in the same order. */
const rooms = [
  'src/report',
  'src/explain',
  'src/training',
  'src/evaluate',
  'src/learn',
  'src/decode',
  'src/encoding',
  'src/model',
  'src/treebank',
  'src/threads',
  'src/files',
  'src/platform',
];

/** The modules that parsing needs: those that open models, and those that run the threads that parse files. */
const parsing = [
  ...loadersIn('parsers/registry.ts', 'paradigm'),
  ...loadersIn('annotators/registry.ts', 'task'),
  'annotators/registry.ts',
  'annotators/tokenize-file.ts',
  'annotators/fill-file.ts',
  'parsers/registry.ts',
  'parsers/run/parse-file.ts',
  'parsers/run/parse-worker.ts',
  'combine/vote/ensemble-worker.ts',
  'combine/pipeline/parse-with-pipeline.ts',
  'combine/pipeline/pipeline-worker.ts',
  'corpus/shard-worker.ts',
  'cli/commands/corpus.ts',
  'cli/commands/parse/command.ts',
  'cli/commands/parse/run.ts',
  'serve/tasks/worker.ts',
  'serve/service.ts',
];

const files = sourceFiles(...floors);
const imports = files.flatMap((file) => importsOf(file)).filter(({ target }) => !target.endsWith('.json'));
const within = imports.filter(({ isPackage }) => !isPackage);

/** Forbidden imports, written as `from → target`. */
const arrows = (wrong: readonly Import[]) => wrong.map(({ from, target }) => `${from} → ${target}`);

test('this test finds many imports, all of existing files', () => {
  expect(within.length).toBeGreaterThan(1000);
  expect(within.filter(({ target }) => !files.includes(target)).map(({ target }) => target)).toEqual([]);
});

describe('a folder imports only from those below it', () => {
  test.each(floors.map((floor, i) => [floor, floors.slice(0, i)] as const))('%s', (floor, above) => {
    const up = within.filter(
      ({ from, target }) => folderOf(from, 1) === floor && above.includes(folderOf(target, 1)),
    );
    expect(arrows(up)).toEqual([]);
  });

  test('serve and web import neither experiment nor each other, and only its command imports serve', () => {
    const across = within.filter(
      ({ from, target }) =>
        (/^(serve|web)$/.test(folderOf(from, 1)) &&
          /^(experiment|web)$/.test(folderOf(target, 1)) &&
          folderOf(from, 1) !== folderOf(target, 1)) ||
        (folderOf(target, 1) === 'serve' && !/^(serve\/|cli\/commands\/serve\.ts$)/.test(from)),
    );
    expect(arrows(across)).toEqual([]);
  });

  test('src imports only from itself', () => {
    const out = within.filter(
      ({ from, target }) => folderOf(from, 1) === 'src' && !target.startsWith('src/'),
    );
    expect(arrows(out)).toEqual([]);
  });
});

describe('a folder of src imports only from those below it', () => {
  test('every folder has its place in the order', () => {
    const all = new Set(sourceFiles('src').map((file) => folderOf(file, 2)));
    expect([...all].filter((room) => room !== 'src').sort()).toEqual([...rooms].sort());
  });

  test.each(rooms.map((room, i) => [room, rooms.slice(0, i)] as const))('%s', (room, above) => {
    const up = within.filter(
      ({ from, target }) => folderOf(from, 2) === room && above.includes(folderOf(target, 2)),
    );
    expect(arrows(up)).toEqual([]);
  });
});

test('no paradigm imports another', () => {
  const paradigms = new Set(sourceFiles('parsers').map((file) => folderOf(file, 2)));
  for (const other of ['parsers', 'parsers/run']) paradigms.delete(other);
  expect(paradigms.size).toBe(6);
  const across = within.filter(({ from, target }) => {
    const [here, there] = [folderOf(from, 2), folderOf(target, 2)];
    return paradigms.has(here) && paradigms.has(there) && here !== there;
  });
  expect(arrows(across)).toEqual([]);
});

describe('parsing loads no module that only training needs', () => {
  test.each(parsing)('%s', (file) => {
    const loaded = [...loadedWith(file)];
    expect(loaded.length).toBeGreaterThan(2);
    const learning = loaded.filter(
      (each) =>
        each === 'zod' ||
        each === 'ml-matrix' ||
        each.startsWith('src/training/') ||
        /(^|\/)(train|options|paradigm)\.ts$/.test(each.replace(/^cli\/.*/, '')),
    );
    expect(learning).toEqual([]);
  });
});

test('importing the main entry loads no parser and no code that trains one', () => {
  const loaded = [...loadedWith('index.ts')];
  expect(loaded.length).toBeGreaterThan(100);
  const trained = (each: string) =>
    /^parsers\/[\w-]+\/|^combine\/distil\/|^src\/training\/(encoder|skip-gram)\/train/.test(each);
  expect(loaded.filter((each) => trained(each) && !each.startsWith('parsers/run/'))).toEqual([]);
});

test('every paradigm and task has a module of its own that opens models', () => {
  expect(loadersIn('parsers/registry.ts', 'paradigm')).toHaveLength(7);
  expect(loadersIn('annotators/registry.ts', 'task')).toHaveLength(3);
});

test('only cli prints or sets exit codes', () => {
  const printing = /\bconsole\.|process\.(stdout|stderr|exit|exitCode)\b/;
  const others = sourceFiles(
    'serve',
    'corpus',
    'experiment',
    'combine',
    'annotators',
    'parsers',
    'src',
  ).filter((file) => printing.test(read(file)));
  // The exceptions are a process that ends with its parent, and the output `-`, which is standard output.
  expect(others).toEqual(['experiment/cells/cell-process.ts', 'src/files/atomic-file.ts']);
});

test('in cli, only the folder terminal writes to the terminal', () => {
  const writing = sourceFiles('cli').filter((file) =>
    /\bconsole\.|process\.(stdout|stderr)\.write\b/.test(read(file)),
  );
  expect(writing.filter((file) => !file.startsWith('cli/terminal/'))).toEqual([]);
});

test('only cli mentions flags in messages; the library names options', () => {
  const flag = /['"`][^'"`\n]*(?<![\w-])--[a-z]/;
  const isCode = (line: string) => !/^\s*(\/\/|\/?\*)/.test(line) && !line.includes('style="--');
  const speaking = sourceFiles(
    'serve',
    'corpus',
    'experiment',
    'combine',
    'annotators',
    'parsers',
    'src',
  ).flatMap((file) =>
    read(file)
      .split('\n')
      .filter((line) => isCode(line) && flag.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(speaking).toEqual([]);
});

/** The files that a registry imports to open models, without those named `complete`, which it imports to train. */
function loadersIn(registry: string, complete: string): string[] {
  return importsOf(registry)
    .filter(({ target, isDynamic }) => isDynamic && !target.endsWith(`/${complete}.ts`))
    .map(({ target }) => target);
}

function read(file: string): string {
  return readFileSync(join(packageFolder, file), 'utf8');
}
