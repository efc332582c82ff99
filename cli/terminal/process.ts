import { constants } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/** Exit codes beside 0 (done) and 1 (a comparison or check failed), which the commands themselves set. */
export const ExitCode = {
  badInput: 2,
  internalError: 70,
  /** To which the number of the signal is added that ended the program: 130 after Ctrl-C. */
  signal: 128,
} as const;

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

/** By how many percent a heap may grow before it is collected again. */
const GROWTH = 20;

/**
 * Has the heaps of this process collected before they have grown by much. Left alone, V8 lets the small heap of a parsing
 * thread grow to several times what is in use. A service's memory would rise for hours after a start, and after models are
 * read anew. A training would keep what reading its treebank has left behind: 208 MB in place of 181 for UD English EWT.
 * It is for programs that do one thing: it holds for every thread of the process, and cannot be taken back.
 */
export function keepHeapsSteady(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
