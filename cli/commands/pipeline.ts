import type { MethodName, WeightingName } from '../../combine/names.ts';
import { makePipeline } from '../../combine/pipeline/make-pipeline.ts';
import type { Pipeline } from '../../combine/pipeline/pipeline.ts';
import { savePipeline } from '../../combine/pipeline/saved-pipeline.ts';
import { OptionError, UsageError } from '../../src/errors.ts';
import { sizeOfFile } from '../../src/files/files.ts';
import { openTreebank } from '../../src/treebank/reading/treebank-file.ts';
import type { Command } from '../options/command.ts';
import type { CommonFlags } from '../options/common.ts';
import { compactOption, encodingOption, formatOption, jsonOption, quietOption } from '../options/common.ts';
import { checkModelPath } from '../options/output-paths.ts';
import { fileSize, print, printJson, warn } from '../terminal/output.ts';
import { methodOption, singleRootOptions, weightingOption } from './vote/modes.ts';

interface PipelineFlags extends CommonFlags {
  readonly output: string;
  readonly devGold?: string;
  readonly weighting?: WeightingName;
  readonly method?: MethodName;
  readonly singleRoot?: boolean;
  readonly compact?: boolean;
}

export function pipelineCommand(command: Command): Command {
  return command
    .argument(
      '<models...>',
      'tokenizer, tagger, lemmatizer, and one parser or several that vote, in any order; a pipeline adds all its parts',
    )
    .requiredOption('-o, --output <file>', 'output file')
    .optionsGroup('Several parsers:')
    .option(
      '--dev-gold <file>',
      'gold trees of sentences that no parser was trained on, to learn weights from; the pipeline parses these sentences itself',
    )
    .with(weightingOption('equal'), methodOption(), ...singleRootOptions())
    .optionsGroup('Running:')
    .with(compactOption(), formatOption('format of --dev-gold', 'recognised from its content'))
    .with(encodingOption(), quietOption(), jsonOption())
    .examples(
      'parliament pipeline tokenizer.model tagger.model lemmatizer.model graph.model -o english.model',
      'parliament pipeline tokenizer.model tagger.model graph.model beam.model bigram.model --dev-gold dev.conllu -o english.model',
      'parliament pipeline english.model --compact -o small.model',
      'parliament parse --model english.model new.txt -o parsed.conllu',
    )
    .action(pipeline)
    .acceptOldFormats();
}

async function pipeline(models: readonly string[], flags: PipelineFlags, command: Command): Promise<void> {
  const { output, devGold, weighting, method, singleRoot, format, encoding, compact } = flags;
  checkModelPath(output, [], models);
  if (weighting !== undefined && weighting !== 'equal' && devGold === undefined)
    throw new UsageError(`--weighting ${weighting} is learnt: it needs --dev-gold`);
  if (devGold === undefined) {
    if (format !== undefined) throw new UsageError('--format belongs to --dev-gold');
    if (command.getOptionValueSource('encoding') === 'cli')
      throw new UsageError('--encoding belongs to --dev-gold');
  }
  const twice = models.find((model, i) => models.indexOf(model) < i);
  if (twice !== undefined) warn(`${twice} is named twice: a parser that votes twice counts double`);
  const dev = devGold === undefined ? undefined : await openTreebank(devGold, { format, encoding });
  const options = { dev, weighting, method, singleRoot, onWarning: warn };
  const made = await makePipeline(models, options).catch((error) => {
    if (!(error instanceof OptionError)) throw error;
    throw new OptionError((say) =>
      error.say((option, value) => say(option === 'dev' ? 'devGold' : option, value)),
    );
  });
  savePipeline(output, made, {}, { compact });
  printSummary(made, flags);
}

function printSummary({ parts, vote }: Pipeline, { output, json, quiet }: PipelineFlags): void {
  const names = parts.map(({ model }) => ('task' in model ? model.task : model.paradigm));
  const bytes = sizeOfFile(output);
  const weighting = vote?.weighting.name;
  if (json) printJson({ model: output, bytes, parts: names, weighting });
  else if (!quiet) {
    const voting = weighting === undefined ? '' : `, weights of the vote: ${weighting}`;
    print(`${output}: ${names.join(', ')}${voting}, ${fileSize(bytes)}`);
  }
}
