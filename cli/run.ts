import { type Command, CommanderError } from 'commander';
import { InputError, inOneLine, OptionError, UsageError } from '../src/errors.ts';
import { fileError } from '../src/files/files.ts';
import { flag } from './options/common.ts';
import { canonical } from './program.ts';
import { log, printError, printMessage } from './terminal/output.ts';
import { ExitCode, endIfInterrupted, interruptedStatus } from './terminal/process.ts';

export async function run(commandLine: Promise<Command>, words: readonly string[]): Promise<void> {
  try {
    await (await commandLine).parseAsync(canonical(words), { from: 'user' });
  } catch (error) {
    report(error);
  }
  await endIfInterrupted();
}

/** Handles failures outside of any command: a closed output, errors in callbacks. */
export function handleStrayErrors(): void {
  // The reader of stdout, such as `head`, may close it early; without a reader of stderr, work continues.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') report(fileError(error, 'standard output', 'cannot be written'));
    process.exit();
  });
  process.stderr.on('error', () => undefined);
  process.on('uncaughtException', (error) => {
    report(error);
    process.exit();
  });
}

function report(error: unknown): void {
  if (error instanceof CommanderError && isHelp(error)) {
    process.exitCode = error.exitCode === 0 ? 0 : ExitCode.badInput;
    return;
  }
  const { message, exitCode } = describe(error);
  if (exitCode > ExitCode.signal) printMessage(message);
  else printError(message);
  if (process.env.PARLIAMENT_DEBUG && error instanceof Error) error.stack?.split('\n').forEach(log);
  process.exitCode = exitCode;
}

/** Commander throws after printing help or the version, too: on request (0), or because a command is missing. */
const isHelp = (error: CommanderError) => error.exitCode === 0 || error.code === 'commander.help';

function describe(error: unknown): { message: string; exitCode: number } {
  if (!(error instanceof Error)) return { message: String(error), exitCode: ExitCode.internalError };
  const message = shortLine(error instanceof OptionError ? error.say(flag) : error.message);
  if (error.name === 'AbortError') return { message, exitCode: interruptedStatus() };
  if (error instanceof CommanderError)
    return { message: message.replace(/^error: /, ''), exitCode: ExitCode.badInput };
  if (error instanceof InputError || error instanceof UsageError)
    return { message, exitCode: ExitCode.badInput };
  const lack = lackOf(error);
  if (lack !== undefined) return { message: `${lack}: ${message}`, exitCode: ExitCode.badInput };
  return {
    message: `${message} (a bug in Parliament; PARLIAMENT_DEBUG=1 shows where)`,
    exitCode: ExitCode.internalError,
  };
}

/** Maximum length of a message; its middle is left out beyond that. */
const LONGEST_MESSAGE = 1200;

function shortLine(message: string): string {
  const line = inOneLine(message);
  if (line.length <= LONGEST_MESSAGE) return line;
  const half = LONGEST_MESSAGE / 2;
  return `${line.slice(0, half)} … ${line.slice(-half)}`;
}

/** The lack of a resource, such as memory, that caused the error; undefined for other errors. */
function lackOf(error: Error): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EMFILE' || code === 'ENFILE') return 'too many open files (ulimit -n)';
  // V8 reserves addresses for each WebAssembly memory, however small, so that it need not check bounds.
  if (/^WebAssembly\.Memory\(\): could not/.test(error.message))
    return 'not enough address space (ulimit -v; a network reserves about 10 GB of addresses)';
  return isOutOfMemory(error) ? 'not enough memory for this' : undefined;
}

/** V8's messages for a failed allocation: of an array, of a string. */
const messages = /^(Array buffer allocation failed|Invalid (typed array|string) length(: \d+)?$)/;
/** Node's codes for a lack of memory: of a thread, of a process, for a file. */
const codes = ['ERR_WORKER_OUT_OF_MEMORY', 'ERR_MEMORY_ALLOCATION_FAILED', 'ERR_STRING_TOO_LONG', 'ENOMEM'];

export function isOutOfMemory(error: Error): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return codes.includes(code) || (error instanceof RangeError && messages.test(error.message));
}
