import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolder } from '../../src/files/package-folder.ts';

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
}

function lockedPackages(file: string): [string, Locked][] {
  const { packages } = JSON.parse(readFileSync(join(packageFolder, file), 'utf8'));
  const { '': root, ...locked } = packages as Record<string, Locked>;
  expect(root).toBeDefined();
  return Object.entries(locked);
}

test.each(['package-lock.json'])(
  '%s has the digest of every package, and leaves where it comes from to npm’s settings',
  (file) => {
    const locked = lockedPackages(file);
    expect(locked.length).toBeGreaterThan(5);
    expect(locked.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ''))).toEqual([]);
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  },
);

test.each(['package.json'])('%s names every package with one exact version', (file) => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(packageFolder, file), 'utf8'));
  const versions = Object.entries({ ...dependencies, ...devDependencies });
  expect(versions.length).toBeGreaterThan(5);
  expect(versions.filter(([, version]) => !/^(npm:[^@]+@)?\d+\.\d+\.\d+$/.test(version as string))).toEqual(
    [],
  );
});
