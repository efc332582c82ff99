import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { setFlagsFromString } from 'node:v8';

/** Exit codes besides 0 (done) and 1 (a comparison or check failed), which the commands themselves set. */
export const ExitCode = {
  badInput: 2,
  internalError: 70,
  /** Plus the number of the signal that ended the program: 130 after Ctrl-C. */
  signal: 128,
} as const;

/** Ctrl-C, requests to terminate (as before a shutdown), a closed terminal, Ctrl-\. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
/** Seconds that a stopped job may take to end. */
const PATIENCE = 10;
let stopJob: (() => void) | undefined;
/** What the current job does on SIGHUP instead of stopping. */
let onHangUp: (() => void) | undefined;
let received: NodeJS.Signals | undefined;

/**
 * Makes signals abort a `stoppable` job; without one, and the second time, the process ends at once. Without a terminal
 * SIGHUP is ignored: Node resets the signals that `nohup` has set to be ignored.
 */
export function handleInterrupts(): void {
  for (const signal of signals) process.on(signal, interrupt);
}

function interrupt(signal: NodeJS.Signals): void {
  if (signal === 'SIGHUP') {
    onHangUp?.();
    const hasTerminal = isatty(0) || process.stdout.isTTY || process.stderr.isTTY;
    if (onHangUp !== undefined || !hasTerminal) return;
  }
  received = signal;
  if (stopJob === undefined) process.exit(interruptedStatus());
  stopJob();
  stopJob = undefined;
}

/** Lets signals end the process at once amid long synchronous work, in which Node runs no listeners. */
export function endOnSignals(): void {
  for (const signal of signals) if (signal !== 'SIGHUP') process.off(signal, interrupt);
}

export function interruptedStatus(signal = received ?? 'SIGINT'): number {
  return ExitCode.signal + constants.signals[signal];
}

/** Ends the process if a signal has stopped its job: connections to an unreachable server would keep it alive. */
export async function endIfInterrupted(): Promise<void> {
  if (received === undefined) return;
  for (const stream of [process.stdout, process.stderr])
    await new Promise<unknown>((resolve) => stream.write('', resolve));
  process.exit();
}

/**
 * Runs a job that Ctrl-C aborts; the job should throw the signal's reason, an `AbortError`, to which `advice` is added.
 * The process ends in any case `patience` seconds after the signal.
 */
export async function stoppable<T>(
  job: (signal: AbortSignal) => Promise<T>,
  { patience = PATIENCE, advice }: { readonly patience?: number; readonly advice?: () => string } = {},
): Promise<T> {
  const controller = new AbortController();
  stopJob = () => {
    setTimeout(() => process.exit(interruptedStatus()), 1000 * patience).unref();
    controller.abort(new DOMException('stopped', 'AbortError'));
  };
  try {
    return await job(controller.signal);
  } catch (error) {
    if (advice === undefined || !isStop(error)) throw error;
    throw new DOMException(`stopped; ${advice()}`, error.name);
  } finally {
    stopJob = undefined;
  }
}

export function isStop(error: unknown): error is Error {
  return error instanceof Error && error.name === 'AbortError';
}

/** Runs a job during which SIGHUP calls `action` instead of stopping it. */
export async function withHangUp<T>(action: () => void, job: () => Promise<T>): Promise<T> {
  onHangUp = action;
  try {
    return await job();
  } finally {
    onHangUp = undefined;
  }
}

/** Growth of a heap, in percent, that triggers a garbage collection. */
const GROWTH = 20;

/**
 * Collects the heaps of this process before they grow much. By default V8 lets the small heap of a parsing thread grow
 * to several times its live size: a service's memory would rise for hours after a start or reload, and training would
 * keep the garbage of reading its treebank (208 MB rather than 181 for UD English EWT). It affects every thread of the
 * process and cannot be undone.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
