import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolder } from '../src/platform/package.ts';
import { installedVersions, moduleAt, reachableFrom } from '../src/program-digest.ts';
import { Sandbox } from './support/sandbox.ts';

const sandbox = new Sandbox('imports');
const installed = new Sandbox('packages');

test('a module’s imports, exports, threads and packages are found in every syntactic form', () => {
  mkdirSync(sandbox.path('folder'));
  sandbox.save('built.js', '');
  const module = sandbox.save(
    'module.ts',
    `import './effect.ts';
import one from "./one.ts";
import { a, type B } from './two.ts';
import {
  c,
  d,
} from './three.ts';
import type { Gone } from './gone.ts';
import { readFileSync } from 'node:fs';
import { z } from 'zod/v4';
import x from '@scope/package/part';
export * from './four.ts';
export { e } from './five.ts';
export type { F } from './gone.ts';
export const text = 'from here';
// import './comment.ts';
export const quoted = \`
import './quoted.ts';
\`;
const thread = new URL('./thread.js', import.meta.url);
const built = new URL('./built.js', import.meta.url);
const page = new URL('./page.html', import.meta.url);
const later = () => import('./later.ts');
const library = await import('tar');
`,
  );
  const { files, later, packages } = moduleAt(module);
  const names = ['effect', 'one', 'two', 'three', 'four', 'five', 'thread'].map((name) => `${name}.ts`);
  expect([...files].sort()).toEqual([...names, 'built.js'].map((name) => sandbox.path(name)).sort());
  expect(later).toEqual([sandbox.path('later.ts')]);
  expect([...packages].sort()).toEqual(['@scope/package', 'tar', 'zod']);
});

test('the WebAssembly that a module uses is part of its program, byte for byte', () => {
  const assembly = join(packageFolder, 'dist/src/learn/network/kernels.wasm');
  const reached = (path: string) => reachableFrom([join(packageFolder, path)], new Set());
  expect(reached('parsers/network/network-parser.ts')).toContain(assembly);
  expect(reached('parsers/graph/graph-parser.ts')).not.toContain(assembly);
  expect(Buffer.from(moduleAt(assembly).code, 'latin1').subarray(0, 4)).toEqual(Buffer.from('\0asm'));
});

function install(place: string, version: string, dependencies: Record<string, string> = {}): void {
  mkdirSync(installed.path(place), { recursive: true });
  writeFileSync(join(installed.path(place), 'package.json'), JSON.stringify({ version, dependencies }));
}

test('packages and their dependencies are listed with their installed versions', () => {
  install('node_modules/a', '1.2.3', { b: '^1.0.0', c: '*' });
  install('node_modules/b', '2.0.0');
  install('node_modules/a/node_modules/b', '1.1.0', { a: '*' });
  install('app/deep', '0.0.0');
  const versions = installedVersions(['a', 'none'], installed.path('app/deep'));
  expect(versions).toEqual(['a@1.2.3', 'b@1.1.0', 'c', 'none']);
});
