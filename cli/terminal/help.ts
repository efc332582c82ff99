import type { Argument, Command, Option } from 'commander';

/** Adds choices and default to a description: `(choices: upos, xpos; default: upos)`. */
function describe(described: Option | Argument): string {
  const { description, argChoices, defaultValue, defaultValueDescription } = described;
  // A switch is off by default.
  const standard = defaultValueDescription ?? (typeof defaultValue === 'boolean' ? undefined : defaultValue);
  const notes: string[] = [];
  if (argChoices !== undefined) notes.push(`choices: ${argChoices.join(', ')}`);
  if (standard !== undefined) notes.push(`default: ${standard}`);
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
}

export function configureHelp(command: Command): void {
  command.configureHelp({ optionDescription: describe, argumentDescription: describe });
  command.helpOption('-h, --help', 'show this help');
  if (command.commands.length > 0) {
    command.helpCommand('help [command]', 'show the help of a command');
    if (command.registeredArguments.length === 0) command.on('beforeHelp', () => refuseUnknown(command));
  }
  for (const child of command.commands) configureHelp(child);
}

/** Refuses to show the help of a command for a word that is none of its subcommands: throws, and suggests a similar one. */
function refuseUnknown(command: Command): void {
  if (command.args[0] === 'help') command.args.shift();
  const [word] = command.args;
  // The types lack `unknownCommand`.
  if (word !== undefined && word !== 'help' && !word.startsWith('-'))
    (command as Command & { unknownCommand(): never }).unknownCommand();
}

export function glossary(title: string, meanings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(meanings).map(([name, meaning]) => `  ${name.padEnd(9)} ${meaning}`);
  return `\n${title}:\n${lines.join('\n')}`;
}

export function summaries(title: string, known: Readonly<Record<string, { readonly summary: string }>>) {
  const meanings = Object.entries(known).map(([name, { summary }]) => [name, summary]);
  return glossary(title, Object.fromEntries(meanings));
}
