import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CellCache } from '../cells/cell-cache.ts';
import type { CellMessage } from '../cells/cell-process.ts';

const cellProcess = fileURLToPath(new URL('../cells/cell-process.js', import.meta.url));

export interface CellStart {
  readonly cache: CellCache;
  /** Of the job, which is written down in the cache. */
  readonly name: string;
  /** Processor cores that it may use. */
  readonly cores: number;
  readonly signal: AbortSignal;
  onProgress(share: number): void;
}

/** Characters of a fault's output that are kept. */
const LAST_WORDS = 10_000;

/**
 * Works on a job in a process of its own, until its result's file is there. Throws an `Error` that says why
 * it is not, or the signal's reason where that is aborted already.
 */
export async function startCell({ cache, name, cores, signal, onProgress }: CellStart): Promise<void> {
  signal.throwIfAborted();
  const child = fork(cellProcess, [cache.folder, name, String(cores)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // A queue's password is no business of the code that a job runs.
    env: { ...process.env, PARLIAMENT_QUEUE_PASSWORD: undefined },
  });
  const stop = () => child.kill('SIGKILL');
  signal.addEventListener('abort', stop);
  let problem: string | undefined;
  child.on('message', (message: CellMessage) => {
    if ('share' in message) onProgress(message.share);
    else problem = message.problem;
  });
  const lastWords = collectLastWords(child);
  try {
    const [code, killedBy] = await once(child, 'close');
    if (problem !== undefined) throw new Error(problem);
    if (code === 0) return;
    const end = `its process ended with ${killedBy ?? `code ${code}`}`;
    throw new Error(lastWords() === '' ? end : `${lastWords()} (${end})`);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Of what a process wrote, the line that names its fault: `TypeError: …`; or nothing. */
function collectLastWords({ stderr }: ChildProcess): () => string {
  let text = '';
  stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-LAST_WORDS);
  });
  return () => {
    const lines = text.split('\n').map((line) => line.trim());
    return lines.find((line) => /^(\w*Error|FATAL ERROR)\b.*:/.test(line)) ?? '';
  };
}
