/** Errors as plain data: between threads they lose their class and fields. */
import { InputError, OptionError, type Place, UsageError } from './errors.ts';

export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly problem?: string;
  readonly place?: Place;
  readonly wording?: Wording;
}

/** The message of an `OptionError`: texts at even positions, numbers of options between them. */
interface Wording {
  readonly parts: readonly string[];
  readonly options: readonly [name: string, value?: unknown][];
}

/** Separates the numbers of options from the text; no message contains it. */
const MARK = '\0';

export function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message } = error;
  if (error instanceof InputError) return { name, message, problem: error.problem, place: error.place };
  return error instanceof OptionError ? { name, message, wording: wordingOf(error) } : { name, message };
}

export function receivedError({ name, message, problem, place, wording }: SentError): Error {
  if (problem !== undefined) return new InputError(problem, place);
  if (wording !== undefined) return optionError(wording);
  return name === 'UsageError' ? new UsageError(message) : new Error(message);
}

function wordingOf({ say }: OptionError): Wording {
  const options: [name: string, value?: unknown][] = [];
  const text = say((...option) => `${MARK}${options.push(option) - 1}${MARK}`);
  return { parts: text.split(MARK), options };
}

function optionError({ parts, options }: Wording): OptionError {
  return new OptionError((option) =>
    parts.map((part, i) => (i % 2 === 0 ? part : option(...options[Number(part)]!))).join(''),
  );
}

/** The work of a thread, whose users' errors are thrown as data; `WorkerPool` makes them errors again. */
export function sendingErrors<Task, Result>(work: (task: Task) => Result | Promise<Result>) {
  return async (task: Task): Promise<Result> => {
    try {
      return await work(task);
    } catch (error) {
      throw error instanceof InputError || error instanceof UsageError ? sentError(error) : error;
    }
  };
}
