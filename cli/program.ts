import { Command } from 'commander';
import { paradigms } from '../combine/paradigms.ts';
import type { Paradigm } from '../parsers/parser.ts';
import { compareCommand } from './commands/compare.ts';
import { completionCommand } from './commands/completion.ts';
import { convertCommand } from './commands/convert.ts';
import { dataCommand } from './commands/data.ts';
import { demoCommand } from './commands/demo.ts';
import { drawCommand } from './commands/draw.ts';
import { evaluateCommand } from './commands/evaluate/command.ts';
import { experimentCommand } from './commands/experiment.ts';
import { parseCommand } from './commands/parse.ts';
import { statsCommand } from './commands/stats.ts';
import { trainCommand } from './commands/train.ts';
import { voteCommand } from './commands/vote/command.ts';
import { configureHelp, examples } from './terminal/help.ts';
import { version } from './version.ts';

/** The whole command line, for the paradigms given. A line here and a file in `commands/` add a command. */
export function program(known: readonly Paradigm[] = paradigms): Command {
  const parliament = new Command('parliament')
    .description('Train, compare and combine parsers.')
    .version(version, '-V, --version', 'print the version')
    .addCommand(trainCommand(known))
    .addCommand(parseCommand())
    .addCommand(evaluateCommand())
    .addCommand(compareCommand())
    .addCommand(voteCommand())
    .addCommand(statsCommand())
    .addCommand(convertCommand())
    .addCommand(drawCommand())
    .addCommand(experimentCommand())
    .addCommand(dataCommand())
    .addCommand(demoCommand())
    .addCommand(completionCommand())
    .addHelpText(
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

/** `run` prints errors and sets exit codes; commander only says what is wrong. */
function throwInsteadOfExiting(command: Command): void {
  command.exitOverride().configureOutput({ outputError: () => undefined });
  for (const child of command.commands) throwInsteadOfExiting(child);
}
