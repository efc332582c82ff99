import { constants } from 'node:os';
import { ExitCode } from './exit-codes.ts';

/** Ctrl-C, requests to terminate (as systems make before they shut down), a terminal that is closed, Ctrl-\. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** Stops the job that is running, where it is one that can be stopped in its own way. */
let stopJob: (() => void) | undefined;

/** What SIGHUP means to the job that is running, where it does not mean its end. */
let onHangUp: (() => void) | undefined;

let received: NodeJS.Signals = 'SIGINT';

/**
 * Makes Ctrl-C, and other signals that ask for an end, stop a `stoppable` job through its signal. Where there is
 * none, and the second time, the process ends at once, but in order: temporary files are removed.
 */
export function handleInterrupts(): void {
  const interrupt = (signal: NodeJS.Signals) => {
    if (signal === 'SIGHUP' && onHangUp !== undefined) return onHangUp();
    received = signal;
    if (stopJob === undefined) process.exit(interruptedStatus());
    stopJob();
    stopJob = undefined;
  };
  for (const signal of signals) process.on(signal, interrupt);
}

/** The exit status that tells which signal ended the program. */
export function interruptedStatus(signal = received): number {
  return ExitCode.signal + constants.signals[signal];
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

/** Does something at each SIGHUP while a job is running, which goes on. */
export async function withHangUp<T>(action: () => void, job: () => Promise<T>): Promise<T> {
  onHangUp = action;
  try {
    return await job();
  } finally {
    onHangUp = undefined;
  }
}
