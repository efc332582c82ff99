import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';

interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

/** The packages that a lock file names, without this one. */
function lockedPackages(file: string): [string, Locked][] {
  const { packages } = JSON.parse(readFileSync(join(packageFolder, file), 'utf8'));
  const { '': root, ...locked } = packages as Record<string, Locked>;
  expect(root).toBeDefined();
  return Object.entries(locked);
}

test.each(['package-lock.json', 'test/package/tools/package-lock.json'])(
  '%s has the digest of every package, but leaves its address to npm’s settings',
  (file) => {
    const locked = lockedPackages(file);
    expect(locked.length).toBeGreaterThan(5);
    expect(locked.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ''))).toEqual([]);
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  },
);

test('no package runs a script when it is installed', () => {
  const locked = lockedPackages('package-lock.json');
  expect(locked.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
});

test.each(['package.json', 'test/package/tools/package.json'])(
  '%s names every package with one exact version',
  (file) => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
      readFileSync(join(packageFolder, file), 'utf8'),
    );
    const versions = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(versions.length).toBeGreaterThan(3);
    expect(
      versions.filter(([, version]) => !/^(npm:[^@]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version as string)),
    ).toEqual([]);
  },
);

test('the README says how many packages come with this one', () => {
  const locked = lockedPackages('package-lock.json').map(([, each]) => each);
  const used = locked.filter(({ dev, devOptional }) => !(dev || devOptional));
  const required = used.filter(({ optional }) => !optional);
  // One machine gets the optional packages for any platform, and those for its own.
  const platforms = used
    .filter(({ optional }) => optional)
    .map(({ os = [], cpu = [], libc = [] }) => [...os, ...cpu, ...libc].join(' '));
  const countFor = (own: string) => platforms.filter((one) => one === '' || one === own).length;
  const native = Math.max(...platforms.map(countFor));
  const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8');
  expect(readme).toContain(`It brings ${required.length} packages, and up to ${native} native ones.`);
});
