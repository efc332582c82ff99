import { type Command, Option } from 'commander';
import { UsageError } from '../../src/errors.ts';

/** The flag of an option: `miraTrees` → `--mira-trees`. */
export function flagName(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** An option as typed: `--mira-trees 5`, `--no-shuffle`. */
export function flag(option: string, value?: unknown): string {
  if (value === false) return `--no-${flagName(option).slice(2)}`;
  return value === undefined || value === true ? flagName(option) : `${flagName(option)} ${value}`;
}

const collecting = new WeakSet<Option>();

/** An option that may be given several times; its value is the list of all values. */
export function severalTimes(flags: string, description: string): Option {
  const option = new Option(flags, description);
  collecting.add(option);
  return option.argParser((value: string, others: readonly string[] = []) => [...others, value]);
}

/** Makes commands refuse repeated options and a switch with its opposite: commander would drop the first. */
export function refuseRepeated(command: Command): void {
  const given = new Map<string, Option>();
  for (const option of command.options) {
    command.on(`option:${option.name()}`, () => {
      const before = given.get(option.attributeName());
      if (before === option && takesOneValue(option)) {
        throw new UsageError(`${option.long} is given twice, expected one value`);
      }
      if (before !== undefined && before !== option) {
        throw new UsageError(`${before.long} or ${option.long}, not both`);
      }
      given.set(option.attributeName(), option);
    });
  }
  for (const child of command.commands) refuseRepeated(child);
}

function takesOneValue(option: Option): boolean {
  return (option.required || option.optional) && !option.variadic && !collecting.has(option);
}
