import { InvalidArgumentError, Option } from 'commander';

/** Reads values separated by commas. */
export function list(text: string): string[] {
  return text.split(',').map((value) => value.trim());
}

/** An option that takes some of the names known, separated by commas, each once. */
export function listOption(flags: string, description: string, known: readonly string[]): Option {
  return new Option(flags, description).choices(known).argParser((text) => {
    const unknown = list(text).find((name) => !known.includes(name));
    if (unknown === undefined) return [...new Set(list(text))];
    throw new InvalidArgumentError(`'${unknown}' is not one of ${known.join(', ')}.`);
  });
}
