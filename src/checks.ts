/** Checks of what programs ask for, where compilers cannot: names, numbers, texts. */
import { OptionError, UsageError } from './errors.ts';

export const MOST_SEED = 0xffff_ffff;
export const MOST_JOBS = 1024;
/** Maximum number of best trees per sentence in files. */
export const MOST_TREES = 100;

/** Throws `OptionError` for a value other than these names; undefined is the default. */
export function checkName(option: string, value: unknown, names: readonly unknown[]): void {
  if (value === undefined || names.includes(value)) return;
  throw new OptionError((say) => `${say(option, value)}: expected one of ${names.join(', ')}`);
}

/** Throws `OptionError` for a value other than a list of these names; undefined is the default. */
export function checkNames(option: string, values: unknown, names: readonly unknown[]): void {
  if (values === undefined) return;
  if (!Array.isArray(values))
    throw new OptionError((say) => `${say(option, values)}: expected a list of ${names.join(', ')}`);
  for (const value of values) checkName(option, value, names);
}

/** Throws `UsageError` for a field that is no option of a function, or for an invalid seed or number of jobs. */
export function checkFields<Field extends PropertyKey>(
  called: string,
  given: object,
  fields: readonly Field[],
): void {
  const known: readonly PropertyKey[] = fields;
  const stray = Object.keys(given).find((field) => !known.includes(field));
  if (stray !== undefined)
    throw new UsageError(`${called} has no option ${stray}, expected some of ${fields.join(', ')}`);
  const { seed, jobs } = given as { readonly seed?: unknown; readonly jobs?: unknown };
  checkWhole('seed', seed, 0, MOST_SEED);
  checkJobs(jobs);
}

/** Throws `OptionError` for a number of best trees that cannot be asked for. */
export const checkTreeCount = (k: number): void => checkWhole('k', k, 1, Number.MAX_SAFE_INTEGER);

export const checkJobs = (jobs: unknown): void => checkWhole('jobs', jobs, 1, MOST_JOBS);

/** Throws `OptionError` unless a value is a whole number in a range; undefined is the default. */
export function checkWhole(option: string, value: unknown, least: number, most: number): void {
  if (value === undefined) return;
  if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) return;
  throw new OptionError((say) => `${say(option, value)}: expected a whole number from ${least} to ${most}`);
}

/** Returns why a text cannot be parsed; undefined if it can. */
export function textProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'NUL character: expected text';
  if (/\p{Cs}/u.test(text)) return 'half of a surrogate pair: expected Unicode text';
  return undefined;
}
