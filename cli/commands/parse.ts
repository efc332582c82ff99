import { type Command, Option } from 'commander';
import { type ParseFigures, parseFile } from '../../parsers/run/parse-file.ts';
import type { InputError } from '../../src/errors.ts';
import { readModelFile } from '../../src/model/model-file.ts';
import { TREEBANK_FORMATS, type TreebankFormat } from '../../src/treebank/reading/format.ts';
import {
  allowMissingOption,
  encodingOption,
  formatOption,
  jobsOption,
  jsonOption,
  quietOption,
  skipInvalidOption,
} from '../options/common.ts';
import { examples } from '../terminal/help.ts';
import { count, duration, note, plural, printJson, warn } from '../terminal/output.ts';
import { progress } from '../terminal/progress.ts';
import { SkippedSentences } from '../terminal/skipped-sentences.ts';

interface ParseFlags {
  readonly model: string;
  readonly output: string;
  readonly jobs: number;
  readonly format?: TreebankFormat;
  readonly to?: TreebankFormat;
  readonly encoding: string;
  readonly skipInvalid?: boolean;
  readonly allowMissing?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** How many sentences that were not parsed as usual are described one by one. */
const DESCRIBED = 5;

/** `parliament parse --model M [INPUT|-] [-o OUT]` */
export function parseCommand(command: Command): Command {
  return command
    .argument('[input]', 'sentences in CoNLL-U, CoNLL-X, 3 columns or brackets (-: standard input)', '-')
    .requiredOption('--model <file>', 'a model that train has written')
    .option('-o, --output <file>', 'where the trees go (-: standard output)', '-')
    .addOption(formatOption())
    .addOption(
      new Option('--to <format>', 'format of the output; brackets where the model finds phrases')
        .choices(TREEBANK_FORMATS)
        .default(undefined, 'that of the input'),
    )
    .addOption(encodingOption())
    .addOption(skipInvalidOption())
    .addOption(allowMissingOption())
    .addOption(jobsOption())
    .addOption(quietOption())
    .addOption(jsonOption('print figures as JSON: on stdout, or on stderr where the trees go to stdout'))
    .addHelpText(
      'after',
      examples(
        'parliament parse --model english.model new.conllu -o parsed.conllu',
        'parliament parse --model phrases.model new.conllu --to brackets -o parsed.mrg',
        'gunzip -c new.conllu.gz | parliament parse --model english.model > parsed.conllu',
      ),
    )
    .action(parse);
}

async function parse(input: string, flags: ParseFlags): Promise<void> {
  const { output, quiet, json, ...options } = flags;
  const model = readModelFile(flags.model);
  const skipped = new SkippedSentences();
  const bar = progress('sentences', quiet);
  const onProgress = (sentences: number) => bar.update('parsing', sentences);
  const onSkip = (error: InputError) => {
    bar.clear();
    skipped.add(error);
  };
  let notices = 0;
  const onNotice = (notice: string) => {
    notices++;
    if (quiet || notices > DESCRIBED) return;
    bar.clear();
    note(notice);
  };
  const onWarning = (warning: string) => {
    bar.clear();
    warn(warning);
  };
  const started = performance.now();
  const told = { onProgress, onSkip, onNotice, onWarning };
  const figures = await parseFile(model, input, output, { ...options, ...told }).finally(() => bar.clear());
  const seconds = (performance.now() - started) / 1000;
  skipped.summarize();
  if (!quiet && notices > DESCRIBED) note(`… and so on: ${plural(notices, 'sentence')} not parsed as usual`);
  if (json || !quiet) tell(figures, seconds, flags);
}

function tell(figures: ParseFigures, seconds: number, { json, output }: ParseFlags): void {
  const sentencesPerSecond = figures.sentences / seconds;
  if (json) {
    printJson({ ...figures, seconds, sentencesPerSecond }, output === '-' ? process.stderr : process.stdout);
  } else {
    const rate = `${count(sentencesPerSecond)} sentences/s`;
    note(`${plural(figures.sentences, 'sentence')} parsed in ${duration(seconds)} (${rate})`);
  }
}
