import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll } from 'vitest';
import { cliPath } from './run-cli.ts';

/** A process that runs beside the test, with its output so far. */
export interface Running {
  readonly process: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** How many lines of stderr begin with this word. */
  times(word: string): number;
  /** Waits until this number of lines of stderr begin with this word; throws if the process ends before. */
  said(word: string, often?: number): Promise<void>;
  /** Waits for the end of the process; returns its exit code, or null if a signal ended it. */
  ended(): Promise<number | null>;
}

const all: ChildProcess[] = [];

/** Starts `parliament …args`. */
export function startCli(args: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
  return startScript(cliPath, args, env);
}

/** Starts a script of JavaScript; processes that still run after the tests are killed. */
export function startScript(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Running {
  if (all.length === 0) afterAll(() => all.forEach((child) => void child.kill('SIGKILL')));
  const child = spawn(process.execPath, [script, ...args], {
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
  const times = (word: string) => texts.stderr.split('\n').filter((line) => line.startsWith(word)).length;
  return {
    process: child,
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    times,
    said: async (word, often = 1) => {
      const end = closed.then(([code]) => {
        throw new Error(`it has ended, with ${code}, and said:\n${texts.stderr}`);
      });
      while (times(word) < often) await Promise.race([once(child.stderr, 'data'), end]);
      end.catch(() => undefined);
    },
    ended: async () => (await closed)[0],
  };
}
