import { type Command, Option } from 'commander';

import {
  allowMissingOption,
  encodingOption,
  fromOption,
  jobsOption,
  jsonOption,
  quietOption,
  skipInvalidOption,
} from '../../options/common.ts';
import { examples } from '../../terminal/help.ts';
import { explain } from './explain.ts';
import { voteMode } from './modes.ts';
import {
  crossValidateOption,
  foldsOption,
  methodOption,
  modelOption,
  noSingleRootOption,
  singleRootOption,
  speedsOption,
  type VoteFlags,
  weightingOption,
  weightsOption,
} from './options.ts';
import { search } from './search.ts';
import { voteOverFiles, voteOverModels } from './trees.ts';

/** `parliament vote PRED PRED… [--weights a,b,…|--dev-gold G --dev P P…] -o OUT` */
export function voteCommand(command: Command): Command {
  return command
    .argument(
      '[trees...]',
      'trees of the parsers, one file each; with --model: one file of sentences (-: standard input)',
    )
    .option('-o, --output <file>', 'output file (-: standard output, the default, unless tables go there)')
    .addOption(modelOption())
    .optionsGroup('Weights (default: equal):')
    .addOption(weightsOption())
    .option(
      '--dev-gold <file>',
      'gold trees of sentences that no parser was trained on, to learn weights from',
    )
    .option(
      '--dev <files...>',
      'trees of the parsers for --dev-gold, in the same order (models parse it themselves)',
    )
    .addOption(weightingOption())
    .addOption(crossValidateOption())
    .optionsGroup('Trees:')
    .addOption(methodOption())
    .addOption(singleRootOption())
    .addOption(noSingleRootOption())
    .option(
      '--confidence',
      'write the confidence of each arc into the MISC column of CoNLL-U: Confidence=0.987',
    )
    .optionsGroup('Analysis:')
    .option('--explain', 'report members, agreement and gain of the vote; needs --gold')
    .option('--search', 'search for the best members, weights and method on --dev-gold; report on --gold')
    .addOption(foldsOption())
    .addOption(speedsOption())
    .option('--gold <file>', 'gold trees of the sentences voted on')
    .addOption(
      new Option('--format <name>', 'format of the tables')
        .choices(['text', 'markdown', 'json'])
        .default('text'),
    )
    .addOption(jsonOption('the same as --format json').implies({ format: 'json' }))
    .optionsGroup('Running:')
    .addOption(fromOption())
    .addOption(encodingOption())
    .addOption(withModels(skipInvalidOption()))
    .addOption(withModels(allowMissingOption()))
    .addOption(withModels(jobsOption()))
    .addOption(quietOption())
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
}

function withModels(option: Option): Option {
  option.description = `with --model: ${option.description}`;
  return option;
}

async function run(files: readonly string[], flags: VoteFlags): Promise<void> {
  const mode = voteMode(files, flags);
  switch (mode.kind) {
    case 'files':
      return voteOverFiles(mode, flags);
    case 'models':
      return voteOverModels(mode, flags);
    case 'explain':
      return explain(mode, flags);
    case 'search':
      return search(mode, flags);
  }
}
