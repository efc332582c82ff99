import { Command } from 'commander';
import { packageVersion } from '../src/files/package-version.ts';
import { configureHelp, examples } from './terminal/help.ts';

/** A command of the program; what carries it out is loaded when it is asked for. */
interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** What gives a command of that name its options and its action; `words` are those of the command line. */
  load(): Promise<(command: Command, words: readonly string[]) => unknown>;
}

/** An entry here and a file in `commands/` add a command. */
const entries: readonly CommandEntry[] = [
  {
    name: 'train',
    summary: 'Learn a parser from a treebank.',
    load: async () => (await import('./commands/train.ts')).trainCommand,
  },
  {
    name: 'parse',
    summary: 'Find the trees of the sentences in a file; nothing but these changes.',
    load: async () => (await import('./commands/parse.ts')).parseCommand,
  },
  {
    name: 'evaluate',
    summary: 'Score predicted trees against gold ones: dependencies, or brackets (PARSEVAL).',
    load: async () => (await import('./commands/evaluate/command.ts')).evaluateCommand,
  },
  {
    name: 'compare',
    summary: 'Tell which parser is better on your data, whether that is real, and where it comes from.',
    load: async () => (await import('./commands/compare.ts')).compareCommand,
  },
  {
    name: 'vote',
    summary: "Make one tree of several parsers' trees of the same sentences.",
    load: async () => (await import('./commands/vote/command.ts')).voteCommand,
  },
  {
    name: 'stats',
    summary: 'Count what a treebank consists of.',
    load: async () => (await import('./commands/stats.ts')).statsCommand,
  },
  {
    name: 'convert',
    summary: 'Write a treebank in another format; in the same format it is checked and copied byte for byte.',
    load: async () => (await import('./commands/convert.ts')).convertCommand,
  },
  {
    name: 'draw',
    summary: 'Draw trees in the terminal, or as a picture.',
    load: async () => (await import('./commands/draw.ts')).drawCommand,
  },
  {
    name: 'experiment',
    summary:
      'Make a whole table: train, parse and score every cell; what is done is kept and not done again.',
    load: async () => (await import('./commands/experiment.ts')).experimentCommand,
  },
  {
    name: 'data',
    summary: 'Treebanks that can be had by name.',
    load: async () => (await import('./commands/data.ts')).dataCommand,
  },
  {
    name: 'demo',
    summary:
      'Train every kind of parser, vote, compare and draw on the bundled sample, in less than a minute.',
    load: async () => (await import('./commands/demo.ts')).demoCommand,
  },
  {
    name: 'completion',
    summary: 'Print the script by which a shell completes commands, options, choices and files.',
    load: async () => (await import('./commands/completion.ts')).completionCommand,
  },
];

/**
 * The command line. Only the commands that stand among the words are loaded: the others are there by name, for
 * help and for advice on misspelt ones.
 */
export async function program(words: readonly string[]): Promise<Command> {
  const parliament = new Command('parliament')
    .description('Train, compare and combine parsers.')
    .version(packageVersion(), '-V, --version', 'print the version');
  for (const { name, summary, load } of entries) {
    const command = parliament.command(name).description(summary);
    if (words.includes(name)) await (await load())(command, words);
  }
  parliament.addHelpText(
    'after',
    `\nExit status: 0 done, 1 a comparison or check failed, 2 usage or bad input.\n${examples(
      'parliament train graph --train train.conllu --dev dev.conllu --model english.model',
      'parliament parse --model english.model new.conllu -o parsed.conllu',
    )}`,
  );
  configureHelp(parliament);
  throwInsteadOfExiting(parliament);
  return parliament;
}

/** The whole of it, whatever the words: for completion. */
export function wholeProgram(): Promise<Command> {
  return program(entries.map(({ name }) => name));
}

/** `run` prints errors and sets exit codes; commander only says what is wrong. */
function throwInsteadOfExiting(command: Command): void {
  command.exitOverride().configureOutput({ outputError: () => undefined });
  for (const child of command.commands) throwInsteadOfExiting(child);
}
