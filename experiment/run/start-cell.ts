import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CellCache } from '../cells/cell-cache.ts';
import type { CellMessage } from '../cells/cell-process.ts';

const cellProcess = fileURLToPath(new URL('../cells/cell-process.js', import.meta.url));

export interface CellStart {
  readonly cache: CellCache;
  readonly name: string;
  readonly cores: number;
  readonly signal: AbortSignal;
  onProgress(share: number): void;
}

/** Maximum number of characters kept of a process's stderr: the last ones. */
const ERROR_LENGTH = 10_000;

/** Runs a job in its own process, which writes the result to the cache; throws an `Error` with the reason. */
export async function startCell({ cache, name, cores, signal, onProgress }: CellStart): Promise<void> {
  signal.throwIfAborted();
  const child = fork(cellProcess, [cache.folder, name, String(cores)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Jobs must not see the queue's password.
    env: { ...process.env, PARLIAMENT_QUEUE_PASSWORD: undefined },
  });
  const stop = () => child.kill('SIGKILL');
  signal.addEventListener('abort', stop);
  let problem: string | undefined;
  child.on('message', (message: CellMessage) => {
    if ('share' in message) onProgress(message.share);
    else problem = message.problem;
  });
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-ERROR_LENGTH);
  });
  const errorLine = () => {
    const lines = text.split('\n').map((line) => line.trim());
    return lines.find((line) => /^(\w*Error|FATAL ERROR)\b.*:/.test(line)) ?? '';
  };
  try {
    const [code, killedBy] = await once(child, 'close');
    if (problem !== undefined) throw new Error(problem);
    if (code === 0) return;
    const end = `its process ended with ${killedBy ?? `code ${code}`}`;
    throw new Error(errorLine() === '' ? end : `${errorLine()} (${end})`);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
