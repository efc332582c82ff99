import { Command } from 'commander';
import { packageVersion } from '../src/files/package.ts';
import { refuseRepeated } from './options/flags.ts';
import { checkNamedOutputs } from './options/output-paths.ts';
import { configureHelp, examples } from './terminal/help.ts';

/** Gives a command of the program its options and its action; `words` are those of the command line. */
type Configure = (command: Command, words: readonly string[]) => unknown;

/** The commands, in the order of the help; a line here, one below and a file in `commands/` add a command. */
const summaries = {
  train: 'Train a parser, a tokenizer, a tagger or a lemmatizer on a treebank, or all of them as a pipeline.',
  parse: 'Parse the sentences of a file, or plain text.',
  pipeline: 'Put models together, from a tokenizer to a parser, as one that takes text.',
  serve: 'Answer requests over HTTP, as UDPipe’s service does, with a page to try models on.',
  evaluate: 'Score predicted trees against gold ones: dependencies, or brackets (PARSEVAL).',
  compare: 'Tell which parser is better on your data, whether that is significant, and where it comes from.',
  vote: "Combine several parsers' trees of the same sentences into one tree by a vote.",
  explain: 'Show how a parser came to its tree: scores, search, steps, and the features that decided.',
  stats: 'Summarise a treebank: its size, tags, labels and crossing arcs.',
  convert: 'Write a treebank in another format; in the same format it is checked and copied byte for byte.',
  draw: 'Draw trees in the terminal, or as a picture.',
  experiment: 'Make a whole table: train, parse and score every cell; finished cells are kept.',
  worker: 'Work on the cells of any experiment that waits in a queue.',
  data: 'List and download treebanks by name.',
  demo: 'Train every kind of parser, vote, compare and draw on the bundled sample, in less than a minute.',
  completion: 'Print a script with which a shell completes commands, options, choices and files.',
};

/** What carries them out, loaded when it is asked for. */
const loaders: Readonly<Record<keyof typeof summaries, () => Promise<Configure>>> = {
  train: async () => (await import('./commands/train/command.ts')).trainCommand,
  parse: async () => (await import('./commands/parse/command.ts')).parseCommand,
  pipeline: async () => (await import('./commands/pipeline.ts')).pipelineCommand,
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  evaluate: async () => (await import('./commands/evaluate/command.ts')).evaluateCommand,
  compare: async () => (await import('./commands/compare/command.ts')).compareCommand,
  vote: async () => (await import('./commands/vote/command.ts')).voteCommand,
  explain: async () => (await import('./commands/explain/command.ts')).explainCommand,
  stats: async () => (await import('./commands/stats.ts')).statsCommand,
  convert: async () => (await import('./commands/convert.ts')).convertCommand,
  draw: async () => (await import('./commands/draw.ts')).drawCommand,
  experiment: async () => (await import('./commands/experiment/command.ts')).experimentCommand,
  worker: async () => (await import('./commands/worker.ts')).workerCommand,
  data: async () => (await import('./commands/data.ts')).dataCommand,
  demo: async () => (await import('./commands/demo.ts')).demoCommand,
  completion: async () => (await import('./commands/completion.ts')).completionCommand,
};

const exitStatuses = `Exit status:
  0    done
  1    a comparison or check failed
  2    usage or bad input, or not enough memory
  70   a fault in Parliament
  130  stopped by Ctrl-C; by another signal, 128 and its number`;

const names = Object.keys(summaries) as (keyof typeof summaries)[];

/**
 * The command line. Only the commands that stand among the words are loaded: the others are there by name, for
 * help and for advice on misspelt ones. Without words it is the whole of it.
 */
export async function program(given: readonly string[] = names): Promise<Command> {
  const words = canonical(given);
  const parliament = new Command('parliament')
    .description('Train, compare and combine parsers.')
    .version(packageVersion(), '-V, --version', 'print the version');
  for (const name of names) {
    const command = parliament.command(name).description(summaries[name]);
    if (words.includes(name)) await (await loaders[name]())(command, words);
  }
  parliament.addHelpText(
    'after',
    `\n${exitStatuses}\n${examples(
      'parliament train graph --train train.conllu --dev dev.conllu --model english.model',
      'parliament parse --model english.model new.conllu -o parsed.conllu',
    )}`,
  );
  configureHelp(parliament);
  refuseRepeated(parliament);
  parliament.hook('preAction', (_, command) => checkNamedOutputs(command));
  throwInsteadOfExiting(parliament);
  return parliament;
}

/**
 * `train transition --system yamada-matsumoto` is another way to say `train yamada-matsumoto`: a transition
 * system by its kind, but learnt in a way of its own.
 */
export function canonical(words: readonly string[]): readonly string[] {
  const [train, transition, ...rest] = words;
  if (train !== 'train' || transition !== 'transition') return words;
  const at = rest.findIndex((word, i) =>
    word === '--system' ? rest[i + 1] === 'yamada-matsumoto' : word === '--system=yamada-matsumoto',
  );
  if (at === -1) return words;
  return [train, 'yamada-matsumoto', ...rest.toSpliced(at, rest[at] === '--system' ? 2 : 1)];
}

/** `run` prints errors and sets exit codes; commander only says what is wrong. */
function throwInsteadOfExiting(command: Command): void {
  command.exitOverride().configureOutput({ outputError: () => undefined });
  for (const child of command.commands) throwInsteadOfExiting(child);
}
