import { ExitCode } from './exit-codes.ts';

/** Stops the job that is running, where it is one that can be stopped in its own way. */
let stopJob: (() => void) | undefined;

/**
 * Makes Ctrl-C, and a request to terminate, stop a `stoppable` job through its signal. Where there is none,
 * and the second time, the process ends at once, but in order: temporary files are removed.
 */
export function handleInterrupts(): void {
  const interrupt = () => {
    if (stopJob === undefined) process.exit(ExitCode.interrupted);
    stopJob();
    stopJob = undefined;
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
}

/** Runs a job that Ctrl-C stops through its signal: whose reason, an `AbortError`, the job should throw. */
export async function stoppable<T>(job: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  stopJob = () => controller.abort(new DOMException('stopped', 'AbortError'));
  try {
    return await job(controller.signal);
  } finally {
    stopJob = undefined;
  }
}
