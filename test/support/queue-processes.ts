import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll } from 'vitest';
import { cliPath } from './run-cli.ts';

/** A process of the program as it is built, and what it has said. */
export interface Running {
  readonly process: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Ends with the process; gives its exit code, or null where a signal has ended it. */
  ended(): Promise<number | null>;
  /** Ends when it has said so on stderr. */
  said(pattern: RegExp): Promise<void>;
}

const all: ChildProcess[] = [];

/** Starts `parliament …args`; what still runs when the tests are done is killed. */
export function startCli(args: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
  if (all.length === 0) afterAll(() => all.forEach((child) => void child.kill('SIGKILL')));
  const child = spawn(process.execPath, [cliPath, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  all.push(child);
  const closed = once(child, 'close');
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  return {
    process: child,
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    ended: async () => (await closed)[0],
    said: async (pattern) => {
      while (!pattern.test(texts.stderr)) await Promise.race([once(child.stderr, 'data'), failing(closed)]);
    },
  };
}

async function failing(closed: Promise<unknown[]>): Promise<never> {
  throw new Error(`it has ended, with ${(await closed)[0]}`);
}
