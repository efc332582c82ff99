import { Command } from 'commander';
import { type ParseFigures, parseFile } from '../../parsers/parse-file.ts';
import { type InputError, UsageError } from '../../src/errors.ts';
import { readModelFile } from '../../src/model/model-file.ts';
import { COLUMN_FORMATS, type ColumnFormat } from '../../src/treebank/format.ts';
import { examples } from '../help.ts';
import { isSameFile } from '../model-path.ts';
import {
  encodingOption,
  formatOption,
  jobsOption,
  jsonOption,
  quietOption,
  skipInvalidOption,
} from '../options.ts';
import { count, duration, note, plural, warn } from '../output.ts';
import { progress } from '../progress.ts';
import { SkippedSentences } from '../skipped.ts';

interface ParseFlags {
  readonly model: string;
  readonly output: string;
  readonly jobs: number;
  readonly format?: ColumnFormat;
  readonly encoding: string;
  readonly skipInvalid?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** `parliament parse --model M [INPUT|-] [-o OUT]` */
export function parseCommand(): Command {
  return new Command('parse')
    .description('Find the trees of the sentences in a file; nothing but heads and labels changes.')
    .argument('[input]', 'sentences in CoNLL-U, CoNLL-X or 3 columns (-: standard input)', '-')
    .requiredOption('--model <file>', 'a model that train has written')
    .option('-o, --output <file>', 'where the trees go (-: standard output)', '-')
    .addOption(formatOption(Object.keys(COLUMN_FORMATS) as ColumnFormat[]))
    .addOption(encodingOption())
    .addOption(skipInvalidOption())
    .addOption(jobsOption())
    .addOption(quietOption())
    .addOption(jsonOption('print figures as JSON: on stdout, or on stderr where the trees go to stdout'))
    .addHelpText(
      'after',
      examples(
        'parliament parse --model english.model new.conllu -o parsed.conllu',
        'gunzip -c new.conllu.gz | parliament parse --model english.model > parsed.conllu',
      ),
    )
    .action(parse);
}

async function parse(input: string, flags: ParseFlags): Promise<void> {
  const { output, quiet, json, ...options } = flags;
  if (isSameFile(output, flags.model)) throw new UsageError(`--output ${output} would replace the model`);
  const model = readModelFile(flags.model);
  const skipped = new SkippedSentences();
  const bar = progress('sentences', quiet);
  const onProgress = (sentences: number) => bar.update('parsing', sentences);
  const onSkip = (error: InputError) => {
    bar.clear();
    skipped.add(error);
  };
  const onNotice = (notice: string) => {
    bar.clear();
    if (!quiet) note(notice);
  };
  const onLacking = (column: string) => {
    bar.clear();
    warn(`${input} has no ${column}, which the model was trained to read: expect worse trees`);
  };
  const started = performance.now();
  const told = { onProgress, onSkip, onNotice, onLacking };
  const figures = await parseFile(model, input, output, { ...options, ...told }).finally(() => bar.clear());
  const seconds = (performance.now() - started) / 1000;
  skipped.summarize();
  if (json || !quiet) tell(figures, seconds, flags);
}

function tell(figures: ParseFigures, seconds: number, { json, output }: ParseFlags): void {
  const sentencesPerSecond = figures.sentences / seconds;
  if (json) {
    const stream = output === '-' ? process.stderr : process.stdout;
    stream.write(`${JSON.stringify({ ...figures, seconds, sentencesPerSecond }, null, 2)}\n`);
  } else {
    const rate = `${count(sentencesPerSecond)} sentences/s`;
    note(`${plural(figures.sentences, 'sentence')} parsed in ${duration(seconds)} (${rate})`);
  }
}
