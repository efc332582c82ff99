import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installedVersions } from '../../src/program/packages.ts';
import { Sandbox } from '../support/sandbox.ts';

const sandbox = new Sandbox('packages');

function install(place: string, version: string, dependencies: Record<string, string> = {}): void {
  mkdirSync(sandbox.path(place), { recursive: true });
  writeFileSync(join(sandbox.path(place), 'package.json'), JSON.stringify({ version, dependencies }));
}

test('packages have the versions that are installed, and so have all that they depend on', () => {
  install('node_modules/a', '1.2.3', { b: '^1.0.0', c: '*' });
  install('node_modules/b', '2.0.0');
  install('node_modules/a/node_modules/b', '1.1.0', { a: '*' });
  install('app/deep', '0.0.0');
  const versions = installedVersions(['a', 'none'], sandbox.path('app/deep'));
  expect(versions).toEqual(['a@1.2.3', 'b@1.1.0', 'c', 'none']);
});
