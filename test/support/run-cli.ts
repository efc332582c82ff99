import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../src/files/package-folder.ts';

/** The executable as users get it; `npm test` builds it first. */
export const cliPath = join(packageFolder, 'dist', 'cli', 'main.js');

export interface RunCliOptions {
  /** What standard input gives. */
  readonly input?: string | Uint8Array;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A file or device that is its standard output. */
  readonly stdout?: string;
}

/** Runs `parliament …args` to its end: exit code (`status`), stdout and stderr as text. */
export function runCli(args: readonly string[], options: RunCliOptions = {}): SpawnSyncReturns<string> {
  const { input = '', cwd, env = {}, stdout } = options;
  const target = stdout === undefined ? undefined : openSync(stdout, 'w');
  try {
    return spawnSync(process.execPath, [cliPath, ...args], {
      input,
      cwd,
      env: { ...process.env, ...env },
      stdio: ['pipe', target ?? 'pipe', 'pipe'],
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
  } finally {
    if (target !== undefined) closeSync(target);
  }
}
