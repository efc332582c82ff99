import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { describe, type TestFunction, test } from 'vitest';
import { packageFolder } from '../../src/platform/package.ts';

/** Tests and groups of tests that are skipped if something they need is missing. */
export interface Needing {
  readonly isPresent: boolean;
  readonly describe: (name: string, body: () => void) => void;
  readonly test: (name: string, body: TestFunction) => void;
}

/**
 * For tests that need something that not every machine has: a command (`zsh`), or a file or folder (`../shared`,
 * `/dev/full`; relative to the package's folder). Without it they are skipped. Their names say what they need, since
 * `.ci/run` counts a skipped test as failed if the thing in its name is present.
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
