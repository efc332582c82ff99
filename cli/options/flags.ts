/** The flag of an option: `miraTrees` is `--mira-trees`. */
export function flagName(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** An option as it is typed: `--mira-trees 5`, `--no-shuffle`. */
export function flag(option: string, value?: unknown): string {
  if (value === false) return `--no-${flagName(option).slice(2)}`;
  return value === undefined || value === true ? flagName(option) : `${flagName(option)} ${value}`;
}
