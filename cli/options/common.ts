import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { MOST_JOBS, MOST_SEED } from '../../src/checks.ts';
import { UsageError, valueText } from '../../src/errors.ts';
import { TREEBANK_FORMATS, type TreebankFormat } from '../../src/treebank/reading/format.ts';

/** Options that several commands share; each command declares the ones that it supports. */
export interface CommonFlags {
  readonly format?: TreebankFormat;
  readonly encoding: string;
  readonly skipInvalid?: boolean;
  readonly allowMissing?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean | undefined;
}

export const quietOption = () =>
  new Option('--quiet', 'print only warnings and errors, no progress or notes');
export const compactOption = () =>
  new Option('--compact', 'write a small model file, quantized and compressed');
export const jsonOption = (what = 'print the figures as JSON') => new Option('--json', what);
export const encodingOption = () =>
  new Option('--encoding <name>', 'character encoding of the files, for example iso-8859-1').default('utf-8');
export const formatOption = (
  description = 'format of the treebanks',
  defaultText = 'recognised from their content',
) => choiceOption('--format <name>', description, TREEBANK_FORMATS, defaultText);
export const skipInvalidOption = () =>
  new Option('--skip-invalid', 'skip malformed sentences and report how many');
export const allowMissingOption = () =>
  new Option('--allow-missing', 'parse even where columns that the model was trained on are empty');
export const jobsOption = (what = 'worker threads') =>
  integerOption('--jobs <n>', what, { min: 1, max: MOST_JOBS }, availableParallelism(), 'all cores');
export const seedOption = (what = 'random seed') =>
  integerOption('--seed <n>', what, { min: 0, max: MOST_SEED }, 1);

/** An option with a choice of values; without one, the command chooses as `defaultText` says. */
export function choiceOption(
  flags: string,
  description: string,
  choices: readonly string[],
  defaultText: string,
) {
  return new Option(flags, description).choices(choices).default(undefined, defaultText);
}

export function integerOption(
  flags: string,
  description: string,
  range: Range = { min: 1 },
  ...defaults: [value?: number, text?: string]
): Option {
  return new Option(flags, description).argParser(integer(range)).default(...defaults);
}

interface Range {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** Returns a parser of whole numbers in a range; commander puts the option's name before its message. */
export const integer = (range: Range = {}) =>
  numberParser((text) => /^[+-]?\d+$/.test(text), 'a whole number', range);
export const decimal = (range: Range = {}) =>
  numberParser((text) => text.trim() !== '' && Number.isFinite(Number(text)), 'a number', range);

function numberParser(isNumber: (text: string) => boolean, what: string, range: Range) {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = range;
  return (text: string): number => {
    const value = Number(text);
    if (isNumber(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Expected ${what}${inRange(range)}.`);
  };
}

/** ` from 1 to 10`, ` of at least 1`, ` of at most 10`, or nothing. */
export function inRange({ min, max }: Range): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of at least ${min}`;
  return max === undefined ? '' : ` of at most ${max}`;
}

export function list(text: string): string[] {
  return text.split(',').map((value) => value.trim());
}

export function listOption(flags: string, description: string, known: readonly string[]): Option {
  return new Option(flags, description)
    .choices(known)
    .argParser((text) => [...new Set(knownValues(list(text), known))]);
}

/** Returns the values; throws `InvalidArgumentError` if one is not among the known ones. */
export function knownValues(values: readonly string[], known: readonly string[]): readonly string[] {
  const unknown = values.find((value) => !known.includes(value));
  if (unknown === undefined) return values;
  throw new InvalidArgumentError(`'${unknown}' is not one of ${known.join(', ')}.`);
}

/** The flag of an option: `miraTrees` → `--mira-trees`. */
export function flagName(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** An option as typed: `--mira-trees 5`, `--no-shuffle`. */
export function flag(option: string, value?: unknown): string {
  if (value === false) return `--no-${flagName(option).slice(2)}`;
  const text = value === true ? undefined : valueText(value);
  return text === undefined ? flagName(option) : `${flagName(option)} ${text}`;
}

const repeatables = new WeakSet<Option>();

/** An option that may be given several times; its value is the list of all values. */
export function repeatable(flags: string, description: string): Option {
  const option = new Option(flags, description);
  repeatables.add(option);
  return option.argParser((value: string, others: readonly string[] = []) => [...others, value]);
}

/** Makes commands refuse a repeated option, or a flag with its opposite: commander would ignore the first. */
export function refuseRepeated(command: Command): void {
  const given = new Map<string, Option>();
  for (const option of command.options) {
    command.on(`option:${option.name()}`, () => {
      const before = given.get(option.attributeName());
      if (before === option && takesOneValue(option))
        throw new UsageError(`${option.long} is given twice, expected one value`);
      if (before !== undefined && before !== option)
        throw new UsageError(`${before.long} or ${option.long}, not both`);
      given.set(option.attributeName(), option);
    });
  }
  for (const child of command.commands) refuseRepeated(child);
}

function takesOneValue(option: Option): boolean {
  return (option.required || option.optional) && !option.variadic && !repeatables.has(option);
}

/** Refuses arguments and options that would be ignored beside a given one, such as --status. */
export function refuseOthers(
  command: Command,
  given: string,
  does: string,
  own: readonly string[] = [],
): void {
  const known = [given, 'quiet', 'json', ...own];
  const stray = command.options.find((option) => {
    const name = option.attributeName();
    return command.getOptionValueSource(name) === 'cli' && !known.includes(name);
  });
  const other = command.args.length > 0 ? command.registeredArguments[0]!.name() : stray?.long;
  if (other) throw new UsageError(`--${given} ${does}: expected no ${other}`);
}
