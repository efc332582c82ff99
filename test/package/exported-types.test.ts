import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';
import { loadedWith } from '../support/imports.ts';

/** The names that a declaration file declares or imports. */
interface DeclarationFile {
  /** The text of each declaration, without comments and private members, by name. */
  readonly declarations: ReadonlyMap<string, string>;
  /** Names that come from files of this package, each with that file and its name there. */
  readonly imports: ReadonlyMap<string, { readonly file: string; readonly name: string }>;
}

const dist = join(packageFolder, 'dist');

/** The names between braces, without `type`: each as it is called here, and in the file that it comes from. */
function namesIn(list: string): { local: string; name: string }[] {
  const names = list.split(',').map((each) => each.replace(/\btype\b/, '').trim());
  return names
    .filter((each) => each !== '')
    .map((each) => {
      const [name, local = name] = each.split(/\s+as\s+/);
      return { local: local!, name: name! };
    });
}

function declarationsIn(file: string): DeclarationFile {
  const text = readFileSync(file, 'utf8')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/^\s*private .*$/gm, '');
  const declarations = new Map<string, string>();
  const start =
    /^(?:export )?(?:declare )?(?:abstract )?(?:class|interface|type|function\*?|const)\s+(\w+)/gm;
  const starts = [...text.matchAll(start)];
  for (const [i, { index: from, 1: name }] of starts.entries()) {
    const own = text.slice(from, starts[i + 1]?.index);
    declarations.set(name!, (declarations.get(name!) ?? '') + own);
  }
  const imports = new Map<string, { file: string; name: string }>();
  for (const [, list, path] of text.matchAll(/^import (?:type )?\{([^}]*)\} from '(\.[^']*)'/gm)) {
    const from = resolve(dirname(file), path!.replace(/\.(js|ts)$/, '.d.ts'));
    for (const { local, name } of namesIn(list!)) imports.set(local, { file: from, name });
  }
  return { declarations, imports };
}

/** The exports of the API’s entries, by `file name`; the main entry exports nothing more. */
function exported(): Map<string, { file: string; name: string }> {
  const all = new Map<string, { file: string; name: string }>();
  for (const entry of readdirSync(join(dist, 'api')).filter((name) => name.endsWith('.d.ts'))) {
    for (const { file, name } of exportsOf(join(dist, 'api', entry)))
      all.set(`${file} ${name}`, { file, name });
  }
  return all;
}

function exportsOf(entry: string): { readonly file: string; readonly name: string }[] {
  const exports = /^export (?:type )?\{([^}]*)\} from '(\.[^']*)'/gm;
  return [...readFileSync(entry, 'utf8').matchAll(exports)].flatMap(([, list, path]) => {
    const file = resolve(dirname(entry), path!.replace(/\.(js|ts)$/, '.d.ts'));
    return namesIn(list!).map(({ name }) => ({ file, name }));
  });
}

test('every type in the signature of an export of the API is exported, too', () => {
  expect(existsSync(join(dist, 'index.d.ts')), 'npm run build comes first').toBe(true);
  const api = exported();
  expect(api.size).toBeGreaterThan(100);
  const missing = new Set<string>();
  for (const { file, name } of api.values()) {
    const { declarations, imports } = declarationsIn(file);
    const signature = declarations.get(name);
    expect(signature, `${file} declares ${name}`).toBeDefined();
    for (const [word] of signature!.matchAll(/\b[A-Z]\w+/g)) {
      const origin = imports.get(word) ?? (declarations.has(word) ? { file, name: word } : undefined);
      if (origin === undefined || api.has(`${origin.file} ${origin.name}`)) continue;
      missing.add(`${origin.name} (${origin.file.slice(dist.length + 1)}), of ${name}`);
    }
  }
  expect([...missing]).toEqual([]);
});

test('the main entry exports at most 80 names, all of which the other entries export, too', () => {
  const api = exported();
  const names = exportsOf(join(dist, 'index.d.ts'));
  expect(names.length).toBeGreaterThan(50);
  expect(names.length).toBeLessThanOrEqual(80);
  const isOfEntry = ({ file, name }: { file: string; name: string }) =>
    dirname(file) === join(dist, 'api') || api.has(`${file} ${name}`);
  expect(names.filter((each) => !isOfEntry(each))).toEqual([]);
});

test('package.json lists the main entries and exactly the files of the folder api', () => {
  const { exports } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const named = Object.values(exports as Record<string, { types?: string }>).flatMap(
    ({ types }) => types ?? [],
  );
  const files = readdirSync(join(dist, 'api')).filter((name) => name.endsWith('.d.ts'));
  const others = ['./dist/index.d.ts', './dist/web/index.d.ts'];
  expect(named.sort()).toEqual([...others, ...files.map((name) => `./dist/api/${name}`)].sort());
});

test('the package’s types need no types of Node, which a user may not have installed', () => {
  const wait = [
    'index.d.ts',
    'web/index.d.ts',
    ...readdirSync(join(dist, 'api'))
      .filter((name) => name.endsWith('.d.ts'))
      .map((name) => `api/${name}`),
  ].map((name) => join(dist, name));
  const reached = new Set<string>();
  const ofNode: string[] = [];
  for (let file = wait.pop(); file !== undefined; file = wait.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    const text = readFileSync(file, 'utf8').replace(/\/\*.*?\*\//gs, '');
    for (const [name] of text.matchAll(/\b(Buffer|NodeJS)\b/g)) ofNode.push(`${file}: ${name}`);
    for (const [, path] of text.matchAll(/(?:\bfrom |\bimport\()'([^']+)'/g)) {
      if (path!.startsWith('node:')) ofNode.push(`${file}: ${path}`);
      if (path!.startsWith('.')) wait.push(resolve(dirname(file), path!.replace(/\.(js|ts)$/, '.d.ts')));
    }
  }
  expect(reached.size).toBeGreaterThan(100);
  expect(ofNode).toEqual([]);
});

const { peerDependencies } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));

test.each([
  'index.ts',
  ...readdirSync(join(packageFolder, 'api')).map((name) => `api/${name}`),
  'cli/main.ts',
])('%s loads no package of the service or the queue', (entry) => {
  const loaded = loadedWith(entry);
  expect(loaded.size).toBeGreaterThan(1);
  expect(Object.keys(peerDependencies).filter((name) => loaded.has(name))).toEqual([]);
});
