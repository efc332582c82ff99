import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { program } from '../../cli/program.ts';
import { run } from '../../cli/run.ts';
import type { RunCliOptions } from './run-cli.ts';

/** The outcome of a command, with the same field names as that of a separate process. */
export interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `parliament …args` in this process. */
export async function runInProcess(
  ...args: readonly string[]
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const { status, ...texts } = await runHere(args);
  return { ...texts, exitCode: status };
}

/** Commands cannot run at the same time, since this process has only one standard output. */
let isRunning = false;

/**
 * Runs `parliament …args` in this process, several times faster than `runCli`, which starts a separate one. It cannot
 * test processes themselves: signals, threads and broken pipes.
 */
export async function runHere(
  args: readonly string[],
  { input = '', cwd, env = {} }: Omit<RunCliOptions, 'stdout'> = {},
): Promise<Outcome> {
  if (isRunning) throw new Error('a command runs here already: await its end');
  isRunning = true;
  const [stdout, stderr] = [caught('stdout'), caught('stderr')];
  const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(asStandardInput(input));
  // Threads would run the built program, so none are started unless a command requests them.
  const cores = vi.spyOn(os, 'availableParallelism').mockReturnValue(1);
  syncBuiltinESMExports();
  const oldFolder = process.cwd();
  const oldEnv = { ...process.env };
  if (cwd !== undefined) process.chdir(cwd);
  Object.assign(process.env, env);
  process.exitCode = 0;
  try {
    await run(program(args), args);
    return { status: Number(process.exitCode), stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    for (const spy of [stdout.spy, stderr.spy, stdin, cores]) spy.mockRestore();
    syncBuiltinESMExports();
    process.chdir(oldFolder);
    for (const name of Object.keys(env)) restoreEnv(name, oldEnv[name]);
    process.exitCode = 0;
    isRunning = false;
  }
}

function restoreEnv(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

function asStandardInput(input: string | Uint8Array): typeof process.stdin {
  return Readable.from(input.length === 0 ? [] : [Buffer.from(input)]) as typeof process.stdin;
}

/** Collects the text that is written to a stream. */
function caught(name: 'stdout' | 'stderr') {
  const chunks: Buffer[] = [];
  const spy = vi.spyOn(process[name], 'write').mockImplementation((chunk, ...rest: unknown[]) => {
    chunks.push(Buffer.from(chunk as Uint8Array));
    const done = rest.at(-1);
    if (typeof done === 'function') queueMicrotask(() => done());
    return true;
  });
  return { spy, text: () => Buffer.concat(chunks).toString('utf8') };
}
