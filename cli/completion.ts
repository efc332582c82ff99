import type { Argument, Command, Option } from 'commander';
import { bundledExperiments } from '../experiment/definition/experiment.ts';
import { Catalogue } from '../src/treebank/catalogue.ts';
import { FILES } from './commands/completion.ts';
import { readyModelNames, recipeNames } from './commands/models/recipe.ts';
import { canonical, program } from './program.ts';
import { printText } from './terminal/output.ts';

interface Completions {
  readonly candidates: readonly Candidate[];
  /** Whether the shell should complete file names, too. */
  readonly files: boolean;
}

interface Candidate {
  readonly value: string;
  readonly description: string;
}

const nothing: Completions = { candidates: [], files: false };

/** Completes a command line; the last of `words` is incomplete. Bash splits words at `=`, others do not. */
export async function completions(program: Command, words: readonly string[]): Promise<Completions> {
  const cursor = words.at(-1) ?? '';
  const place = placeAfter(program, words.slice(0, -1));
  const { candidates, files } = await allAt(place, cursor);
  const written = place.option !== undefined && cursor === '=' ? '' : cursor;
  return { candidates: candidates.filter(({ value }) => value.startsWith(written)), files };
}

/** Where the cursor is: in which command, after how many arguments, and after which option that needs a value. */
interface Place {
  command: Command;
  path: string[];
  given: number;
  option: Option | undefined;
  /** The option that takes further words as values, such as `--train <files...>` after a first one. */
  further: Option | undefined;
  /** After `--` there are no options. */
  optionsEnded: boolean;
}

function placeAfter(program: Command, words: readonly string[]): Place {
  const none = { option: undefined, further: undefined };
  const place: Place = { command: program, path: [], given: 0, ...none, optionsEnded: false };
  for (const word of words) {
    if (place.option !== undefined) {
      if (word === '=') continue;
      place.further = place.option.variadic ? place.option : undefined;
      place.option = undefined;
    } else if (place.optionsEnded || !word.startsWith('-') || word === '-') {
      if (place.further === undefined) enter(place, word);
    } else {
      place.further = undefined;
      place.optionsEnded = word === '--';
      const option = optionNamed(place.command, word);
      if (option !== undefined && takesValue(option)) place.option = option;
    }
  }
  return place;
}

function enter(place: Place, word: string): void {
  const child = place.command.commands.find((command) => command.name() === word);
  if (child === undefined) {
    if (word !== 'help') place.given++;
    return;
  }
  place.command = child;
  place.path.push(word);
}

async function allAt(place: Place, cursor: string): Promise<Completions> {
  const { command, path, option, further, optionsEnded } = place;
  if (option !== undefined) return valuesOf(option, path, cursor);
  if (!optionsEnded && cursor.startsWith('-') && cursor !== '-') {
    const [flag, value] = cursor.split(/=(.*)/s, 2) as [string, string | undefined];
    const known = optionNamed(command, flag);
    if (value !== undefined && known !== undefined)
      return withPrefix(`${flag}=`, await valuesOf(known, path, value));
  }
  if (!optionsEnded && cursor.startsWith('-')) return { candidates: optionsOf(command), files: false };
  if (further !== undefined) return valuesOf(further, path, cursor);
  if (command.commands.length > 0) return { candidates: commandsOf(command), files: false };
  return argumentAt(place);
}

function optionNamed(command: Command, flag: string): Option | undefined {
  return command.options.find(({ long, short }) => flag === long || flag === short);
}

const takesValue = (option: Option) => option.required || option.optional;

function optionsOf(command: Command): Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .map(({ long, short, description }) => candidate(long ?? short ?? '', description));
}

function commandsOf(command: Command): Candidate[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((child) => candidate(child.name(), child.description()));
}

async function argumentAt({ command, path, given }: Place): Promise<Completions> {
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[given] ?? (last?.variadic ? last : undefined);
  if (argument === undefined) return nothing;
  const names = await namesFor(path.join(' '));
  return { candidates: plain(argument.argChoices ?? names), files: takesFiles(argument) };
}

const takesFiles = (argument: Argument) => argument.argChoices === undefined && argument.name() !== 'name';

async function valuesOf(option: Option, path: readonly string[], written: string): Promise<Completions> {
  const choices = option.argChoices ?? (await namesFor([...path, option.long].join(' ')));
  if (choices.length === 0 || !option.flags.includes(','))
    return {
      candidates: plain(choices),
      files: /<([^>]*(file|folder)|models?(\.\.\.)?>)/.test(option.flags),
    };
  const others = written.split(',').slice(0, -1);
  const left = plain(choices.filter((choice) => !others.includes(choice)));
  return withPrefix(others.map((other) => `${other},`).join(''), { candidates: left, files: false });
}

function withPrefix(prefix: string, { candidates, files }: Completions): Completions {
  return {
    candidates: candidates.map(({ value, description }) => candidate(prefix + value, description)),
    files,
  };
}

const plain = (values: readonly string[]) => values.map((value) => candidate(value, ''));

function candidate(value: string, description: string): Candidate {
  return { value, description: description.replace(/\s+/g, ' ') };
}

/** Names to complete for commands and options that do not declare their choices, by the command's path. */
const sources: Readonly<Record<string, () => readonly string[] | Promise<readonly string[]>>> = {
  experiment: bundledExperiments,
  'experiment --treebank': treebanks,
  'data get': treebanks,
  'data path': treebanks,
  ...Object.fromEntries(
    ['parse', 'corpus', 'explain', 'sample', 'serve', 'vote'].map((name) => [
      `${name} --model`,
      readyModelNames,
    ]),
  ),
  'distil --teacher': readyModelNames,
  'models path': recipeNames,
  'models card': recipeNames,
  'models get': recipeNames,
  'models make': recipeNames,
};

async function namesFor(place: string): Promise<readonly string[]> {
  return (await sources[place]?.()) ?? [];
}

async function treebanks(): Promise<readonly string[]> {
  const catalogue = await Catalogue.open().catch(() => undefined);
  return catalogue?.entries.map(({ name }) => name) ?? [];
}

/** Prints the completions of a command line, as shells split it, by the options that its finished words call for. */
export async function printCompletions(words: readonly string[]): Promise<void> {
  const finished = canonical(words.slice(0, -1).filter((word) => word !== '='));
  const cursor = words.at(-1) ?? '';
  const { candidates, files } = await completions(await program(finished), [...finished, cursor]);
  const lines = candidates.map(({ value, description }) => `${value}\t${description}`);
  printText([...lines, ...(files ? [FILES] : [])].map((line) => `${line}\n`).join(''));
}
