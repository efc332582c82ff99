import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFolder } from '../../src/platform/package.ts';

/** The executable as users get it, which `npm test` builds first. */
export const cliPath = join(packageFolder, 'dist', 'cli', 'main.js');

export interface RunCliOptions {
  /** The content of standard input. */
  readonly input?: string | Uint8Array;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A file or device for standard output. */
  readonly stdout?: string;
}

/** Runs `parliament …args` to its end; returns its exit code (`status`), and stdout and stderr as text. */
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

/** Code that appends a mark to the file `THREADS` for every thread that is started beside the main one. */
const threadMarks = `
  import { appendFileSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  if (!isMainThread) appendFileSync(process.env.THREADS, '.');`;

/** Runs `parliament …args` to its end, and counts the threads that it starts beside the main one. */
export function runCountingThreads(args: readonly string[], options: RunCliOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'parliament-threads-'));
  const THREADS = join(folder, 'threads');
  try {
    writeFileSync(THREADS, '');
    const marking = `--import=data:text/javascript,${encodeURIComponent(threadMarks)}`;
    const run = runCli(args, { ...options, env: { ...options.env, THREADS, NODE_OPTIONS: marking } });
    return { ...run, threads: readFileSync(THREADS, 'utf8').length };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
