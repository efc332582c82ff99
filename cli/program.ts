import type { Command as BaseCommand } from 'commander';
import { packageVersion } from '../src/platform/package.ts';
import { Command } from './options/command.ts';
import { refuseRepeated } from './options/common.ts';
import { checkNamedOutputs } from './options/output-paths.ts';
import { configureHelp } from './terminal/help.ts';

/** Adds a command's options and action; `words` are the words of the command line. */
type Configure = (command: Command, words: readonly string[]) => unknown;

/** The commands in the order of the help. A command needs a line here, one below, and a file in `commands/`. */
const summaries = {
  train:
    'Train a parser, tokenizer, tagger or lemmatizer on a treebank, or all of them as a pipeline; or word vectors or a language model on text.',
  distil: 'Train a fast parser on the output of slower, more accurate ones for raw text (distillation).',
  parse: 'Parse a file of sentences or plain text.',
  corpus: 'Parse a large corpus in shards, on one or several machines; interrupted runs can be resumed.',
  pipeline: 'Bundle a tokenizer, tagger, lemmatizer and parser into one model for raw text.',
  serve: 'Serve models over HTTP, with UDPipe’s REST interface and a web page to try them.',
  evaluate: 'Score predicted trees against gold trees: dependencies, or brackets (PARSEVAL).',
  compare: 'Compare parsers on the same data: scores, significance tests, error analysis.',
  vote: 'Combine the output of several parsers into one tree per sentence by voting.',
  explain: 'Explain how a parser found its tree: scores, search steps, and the decisive features.',
  stats: 'Summarise a treebank: size, tags, labels, non-projective arcs.',
  sample: 'Select the sentences that a model is least certain of, for manual correction.',
  find: 'Find sentences by the structure of their trees: nodes, arcs, order.',
  convert: 'Convert a treebank to another format, or check it and copy it byte for byte.',
  draw: 'Draw trees in the terminal, as SVG or as LaTeX.',
  experiment: 'Run a table of experiments: train, parse and score every cell; finished cells are cached.',
  worker: 'Run cells of experiments and shards of corpora from a queue.',
  vectors: 'Print the nearest neighbours of words, or export word vectors as text.',
  models: 'List, download and make ready models, which `--model` finds by name.',
  data: 'List and download treebanks by name.',
  demo: 'Train every kind of parser on the bundled sample, vote, compare and draw, in less than a minute.',
  completion: 'Print a completion script for a shell.',
};

const loaders: Readonly<Record<keyof typeof summaries, () => Promise<Configure>>> = {
  train: async () => (await import('./commands/train/command.ts')).trainCommand,
  distil: async () => (await import('./commands/train/distil.ts')).distilCommand,
  parse: async () => (await import('./commands/parse/command.ts')).parseCommand,
  corpus: async () => (await import('./commands/corpus.ts')).corpusCommand,
  pipeline: async () => (await import('./commands/pipeline.ts')).pipelineCommand,
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  evaluate: async () => (await import('./commands/evaluate/command.ts')).evaluateCommand,
  compare: async () => (await import('./commands/compare/command.ts')).compareCommand,
  vote: async () => (await import('./commands/vote/command.ts')).voteCommand,
  explain: async () => (await import('./commands/explain/command.ts')).explainCommand,
  stats: async () => (await import('./commands/stats.ts')).statsCommand,
  sample: async () => (await import('./commands/search/sample.ts')).sampleCommand,
  find: async () => (await import('./commands/search/find.ts')).findCommand,
  convert: async () => (await import('./commands/convert.ts')).convertCommand,
  draw: async () => (await import('./commands/draw.ts')).drawCommand,
  experiment: async () => (await import('./commands/experiment/command.ts')).experimentCommand,
  worker: async () => (await import('./commands/worker.ts')).workerCommand,
  vectors: async () => (await import('./commands/vectors.ts')).vectorsCommand,
  models: async () => (await import('./commands/models/command.ts')).modelsCommand,
  data: async () => (await import('./commands/data.ts')).dataCommand,
  demo: async () => (await import('./commands/demo.ts')).demoCommand,
  completion: async () => (await import('./commands/completion.ts')).completionCommand,
};

const exitStatuses = `
Exit status:
  0    done
  1    a comparison or check failed
  2    usage error, bad input, or not enough memory
  70   a bug in Parliament
  130  stopped by Ctrl-C (other signals: 128 plus the signal's number)`;

const names = Object.keys(summaries) as (keyof typeof summaries)[];

/** Builds the command line. Loads only the commands that the words name (without words, all). */
export async function program(given: readonly string[] = names): Promise<Command> {
  const words = canonical(given);
  const parliament = new Command('parliament')
    .description('Train, compare and combine parsers.')
    .version(packageVersion(), '-V, --version', 'print the version');
  for (const name of names) {
    const command = parliament.command(name).description(summaries[name]);
    if (words.includes(name)) await (await loaders[name]())(command, words);
  }
  parliament
    .addHelpText('after', exitStatuses)
    .examples(
      'parliament train graph --train train.conllu --dev dev.conllu --model english.model',
      'parliament parse --model english.model new.conllu -o parsed.conllu',
    );
  configureHelp(parliament);
  refuseRepeated(parliament);
  parliament.hook('preAction', (_, command) => checkNamedOutputs(command));
  throwInsteadOfExiting(parliament);
  return parliament;
}

/**
 * Rewrites `help train graph` as `train graph --help`, and `train transition --system yamada-matsumoto`, a system with a
 * trainer of its own, as `train yamada-matsumoto`.
 */
export function canonical(words: readonly string[]): readonly string[] {
  if (words[0] === 'help' && words.length > 1) {
    const [, ...asked] = words;
    // An unknown command has no help: running it fails with a message that suggests a similar one.
    return Object.hasOwn(summaries, asked[0]) ? [...asked, '--help'] : asked;
  }
  const [train, transition, ...rest] = words;
  if (train !== 'train' || transition !== 'transition') return words;
  const at = rest.findIndex((word, i) =>
    word === '--system' ? rest[i + 1] === 'yamada-matsumoto' : word === '--system=yamada-matsumoto',
  );
  if (at === -1) return words;
  return [train, 'yamada-matsumoto', ...rest.toSpliced(at, rest[at] === '--system' ? 2 : 1)];
}

/** Makes commander throw its errors: `run` prints them and sets exit codes. */
function throwInsteadOfExiting(command: BaseCommand): void {
  command.configureOutput({ outputError: () => undefined }).exitOverride((error) => {
    const unknown = command.args.find((word) => /^-./.test(word));
    if (error.code === 'commander.missingMandatoryOptionValue' && unknown !== undefined) {
      // The missing option may be misspelt: `unknownOption`, which the types lack, throws and suggests a similar one.
      (command as BaseCommand & { unknownOption(flag: string): never }).unknownOption(unknown);
    }
    if (error.code === 'commander.unknownCommand' && !error.message.includes('Did you mean')) {
      error.message += `: expected one of ${command.commands.map((known) => known.name()).join(', ')}`;
    }
    throw error;
  });
  for (const child of command.commands) throwInsteadOfExiting(child);
}
