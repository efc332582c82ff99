import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolder } from '../../src/files/package-folder.ts';

/** What a declaration file says of the names in it. */
interface DeclarationFile {
  /** The text of each declaration, without comments and private members, by name. */
  readonly declarations: ReadonlyMap<string, string>;
  /** Names that come from files of this package, each with that file and its name there. */
  readonly imports: ReadonlyMap<string, { readonly file: string; readonly name: string }>;
}

const index = join(packageFolder, 'dist', 'index.d.ts');

/** Names between braces, `type` left out: what they are called here, and where they come from. */
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

/** What the API exports, by `file name`. */
function exported(): Map<string, { file: string; name: string }> {
  const all = new Map<string, { file: string; name: string }>();
  const exports = /^export (?:type )?\{([^}]*)\} from '(\.[^']*)'/gm;
  for (const [, list, path] of readFileSync(index, 'utf8').matchAll(exports)) {
    const file = resolve(dirname(index), path!.replace(/\.(js|ts)$/, '.d.ts'));
    for (const { name } of namesIn(list!)) all.set(`${file} ${name}`, { file, name });
  }
  return all;
}

test('every type in the signature of what the API exports is exported, too', () => {
  expect(existsSync(index), 'npm run build comes first').toBe(true);
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
      missing.add(`${origin.name} (${origin.file.slice(dirname(index).length + 1)}), of ${name}`);
    }
  }
  expect([...missing]).toEqual([]);
});
