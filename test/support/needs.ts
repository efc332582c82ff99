import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { describe, type TestFunction, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';

/** Groups of tests, and tests, for want of something are skipped where it is missing. */
export interface Needing {
  readonly isPresent: boolean;
  readonly describe: (name: string, body: () => void) => void;
  readonly test: (name: string, body: TestFunction) => void;
}

/**
 * Tests that need what not every machine has: a command (`zsh`), or a file or folder (`../shared`, `/dev/full`;
 * from the package's folder). Elsewhere they are skipped, and their names say for want of what: `.ci/run` takes
 * a skipped test for a failed one where what it names is there.
 */
export function needs(thing: string, isPresent: boolean = isHere(thing)): Needing {
  const named = (name: string) => `${name} (needs ${thing})`;
  return {
    isPresent,
    describe: (name, body) => void describe.skipIf(!isPresent)(named(name), body),
    test: (name, body) => test.skipIf(!isPresent)(named(name), body),
  };
}

function isHere(thing: string): boolean {
  if (thing.includes('/')) return existsSync(resolve(packageFolder, thing));
  return process.env.PATH!.split(delimiter).some((folder) => isExecutable(join(folder, thing)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
