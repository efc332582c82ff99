import type { Command, Option } from 'commander';
import { fileDigest, isRegularFile, isSameFile, sizeOfFile } from '../../../src/files/files.ts';
import * as shared from '../../options/common.ts';
import { severalTimes } from '../../options/flags.ts';
import { acceptOldFormats, toOption } from '../../options/formats.ts';
import { examples } from '../../terminal/help.ts';
import { warn } from '../../terminal/output.ts';
import { explain } from './explain.ts';
import { type VoteMode, voteMode } from './modes.ts';
import * as own from './options.ts';
import { search } from './search.ts';
import { voteOverFiles, voteOverModels } from './trees.ts';

export function voteCommand(command: Command): Command {
  const voting = command
    .argument(
      '[trees...]',
      'trees of the parsers, one file each; with --model: one file of sentences (-: standard input)',
    )
    .option('-o, --output <file>', 'output file (-: standard output, the default, unless tables go there)')
    .addOption(
      severalTimes(
        '--model <file>',
        'a model that parses and votes, in place of a file of trees; may be repeated',
      ),
    )
    .optionsGroup('Weights (default: equal):')
    .addOption(own.weightsOption())
    .option(
      '--dev-gold <file>',
      'gold trees of sentences that no parser was trained on, to learn weights from',
    )
    .option(
      '--dev <files...>',
      'trees of the parsers for --dev-gold, in the same order (models parse it themselves)',
    )
    .addOption(own.weightingOption())
    .addOption(own.crossValidateOption())
    .optionsGroup('Trees:')
    .addOption(own.methodOption())
    .addOption(own.singleRootOption())
    .addOption(own.noSingleRootOption())
    .option(
      '--confidence',
      'write the confidence of each arc into the MISC column of CoNLL-U: Confidence=0.987',
    )
    .optionsGroup('Analysis:')
    .option('--explain', 'report members, agreement and gain of the vote; needs --gold')
    .option('--search', 'search for the best members, weights and method on --dev-gold; report on --gold')
    .addOption(
      shared.integerOption(
        '--folds <n>',
        'with --search: number of cross-validation folds',
        { min: 2, max: 100 },
        undefined,
        '5',
      ),
    )
    .addOption(own.speedsOption())
    .option('--gold <file>', 'gold trees of the sentences voted on')
    .addOption(toOption('format of the tables', own.voteTables))
    .addOption(shared.jsonOption('the same as --to json').implies({ to: 'json' }))
    .optionsGroup('Running:')
    .addOption(shared.formatOption())
    .addOption(shared.encodingOption())
    .addOption(withModels(shared.skipInvalidOption()))
    .addOption(withModels(shared.allowMissingOption()))
    .addOption(withModels(shared.jobsOption()))
    .addOption(shared.quietOption())
    .addHelpText(
      'after',
      examples(
        'parliament vote a.conllu b.conllu c.conllu --weighting agreement -o voted.conllu',
        'parliament vote graph.conllu eager.conllu bigram.conllu --weights 87.1,86.2,75.4 -o voted.conllu',
        'parliament vote a.conllu b.conllu c.conllu --dev-gold dev.conllu --dev a.dev b.dev c.dev -o voted.conllu',
        'parliament vote --model a.model --model b.model --model c.model new.conllu --dev-gold dev.conllu -o voted.conllu',
        'parliament vote a.mrg b.mrg c.mrg --dev-gold dev.mrg --dev a.dev.mrg b.dev.mrg c.dev.mrg -o voted.mrg',
        'parliament vote --explain a.conllu b.conllu c.conllu --gold gold.conllu --weights 87.1,86.2,75.4',
      ),
    )
    .action(run);
  return acceptOldFormats(voting, own.voteTables);
}

function withModels(option: Option): Option {
  option.description = `with --model: ${option.description}`;
  return option;
}

async function run(files: readonly string[], flags: own.VoteFlags): Promise<void> {
  const mode = voteMode(files, flags);
  await warnOfVoters(votersOf(mode));
  if (mode.kind === 'files') return voteOverFiles(mode, flags);
  if (mode.kind === 'models') return voteOverModels(mode, flags);
  return mode.kind === 'explain' ? explain(mode, flags) : search(mode, flags);
}

function votersOf(mode: VoteMode): readonly string[] {
  if (mode.kind === 'models') return mode.models;
  return mode.kind === 'search' ? mode.dev : mode.files;
}

/** Warns of a single voter, and of files or models that vote twice. */
async function warnOfVoters(voters: readonly string[]): Promise<void> {
  if (voters.length === 1)
    warn(`only ${voters[0]} votes: the trees will be its own, mended where they are none`);
  for (const [i, voter] of voters.entries()) {
    for (const other of voters.slice(0, i)) {
      if (!(await areAlike(other, voter))) continue;
      const same =
        other === voter ? `${voter} is named twice` : `${other} and ${voter} have the same content`;
      warn(`${same}: a parser that votes twice counts double`);
      break;
    }
  }
}

/** Whether two paths lead to one file, or to copies of it. */
async function areAlike(a: string, b: string): Promise<boolean> {
  if (isSameFile(a, b)) return true;
  const areFiles = isRegularFile(a) === true && isRegularFile(b) === true;
  if (!areFiles || sizeOfFile(a) !== sizeOfFile(b)) return false;
  return (await fileDigest(a)) === (await fileDigest(b));
}
