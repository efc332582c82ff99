import { type Command, Option } from 'commander';
import type { ColumnAnnotator, TextLayout, Tokenizer } from '../../annotators/annotator.ts';
import { fillsColumns, isAnnotator, openAnnotator, openTokenizer } from '../../annotators/registry.ts';
import { type ParseFigures, parseFile } from '../../parsers/run/parse-file.ts';
import { type InputError, UsageError } from '../../src/errors.ts';
import { readModelFile } from '../../src/model/model-file.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
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
  readonly input?: TextLayout | 'conllu';
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
    .argument(
      '[input]',
      'sentences in CoNLL-U, CoNLL-X, 3 columns or brackets; for a tokenizer, text (-: standard input)',
      '-',
    )
    .requiredOption('--model <file>', 'a model that train has written')
    .option('-o, --output <file>', 'where the trees go (-: standard output)', '-')
    .addOption(inputOption())
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
        'parliament parse --model tokenizer.model new.txt -o new.conllu',
        'parliament parse --model tagger.model new.conllu -o tagged.conllu',
        'gunzip -c new.conllu.gz | parliament parse --model english.model > parsed.conllu',
      ),
    )
    .action(parse);
}

function inputOption(): Option {
  return new Option(
    '--input <kind>',
    'what the input is: text, one sentence a line, one token a line, or cut already',
  )
    .choices(['text', 'lines', 'tokens', 'conllu'])
    .default(undefined, 'text for a tokenizer, sentences for a parser');
}

async function parse(input: string, flags: ParseFlags): Promise<void> {
  const model = readModelFile(flags.model);
  await (isAnnotator(model) ? annotate(model, input, flags) : parseTrees(model, input, flags));
}

/** Cuts text, or fills columns, whichever the model is for. */
async function annotate(model: ModelReader, input: string, flags: ParseFlags): Promise<void> {
  const annotator = await openAnnotator(model);
  if (fillsColumns(annotator)) await fill(annotator, input, flags);
  else await tokenize(await openTokenizer(model), input, flags);
}

/** Fills columns of sentences that are cut into words, and leaves all else as it is. */
async function fill(annotator: ColumnAnnotator, input: string, flags: ParseFlags): Promise<void> {
  const { output, quiet, json, input: kind = 'conllu', format, to, encoding, skipInvalid } = flags;
  if (kind !== 'conllu') {
    throw new UsageError(`--input ${kind}: a ${annotator.task} reads sentences that a tokenizer has cut`);
  }
  if (flags.allowMissing) throw new UsageError(`--allow-missing: a ${annotator.task} goes by what it finds`);
  const { fillFile } = await import('../../annotators/run/fill-file.ts');
  const skipped = new SkippedSentences();
  const bar = progress('sentences', quiet);
  const onProgress = (sentences: number) => bar.update('annotating', sentences);
  const onSkip = (error: InputError) => {
    bar.clear();
    skipped.add(error);
  };
  const started = performance.now();
  const options = { format, to, encoding, skipInvalid, onProgress, onSkip };
  const figures = await fillFile(annotator, input, output, options).finally(() => bar.clear());
  const seconds = (performance.now() - started) / 1000;
  skipped.summarize();
  const wordsPerSecond = figures.words / seconds;
  if (json) tellFigures({ ...figures, seconds, wordsPerSecond }, output);
  else if (!quiet) {
    const done = `${plural(figures.sentences, 'sentence')} of ${plural(figures.words, 'word')}`;
    note(`${done} annotated in ${duration(seconds)} (${count(wordsPerSecond)} words/s)`);
  }
}

/** Cuts text into sentences and words. */
async function tokenize(tokenizer: Tokenizer, input: string, flags: ParseFlags): Promise<void> {
  const { input: layout = 'text', output, encoding, quiet } = flags;
  if (layout === 'conllu') throw new UsageError('--input conllu: what is cut already needs no tokenizer');
  refuseForTokenizer(flags);
  const { tokenizeFile } = await import('../../annotators/run/tokenize-file.ts');
  const bar = progress('sentences', quiet);
  const onProgress = (sentences: number) => bar.update('cutting', sentences);
  const started = performance.now();
  const figures = await tokenizeFile(tokenizer, input, output, { layout, encoding, onProgress }).finally(() =>
    bar.clear(),
  );
  const seconds = (performance.now() - started) / 1000;
  const wordsPerSecond = figures.words / seconds;
  if (flags.json) tellFigures({ ...figures, seconds, wordsPerSecond }, output);
  else if (!quiet) {
    const cut = `${plural(figures.sentences, 'sentence')} of ${plural(figures.words, 'word')}`;
    note(`${cut} found in ${duration(seconds)} (${count(wordsPerSecond)} words/s)`);
  }
}

/** Options for files of sentences have nothing to say about text. */
function refuseForTokenizer({ format, to, skipInvalid, allowMissing }: ParseFlags): void {
  if (format !== undefined) throw new UsageError(`--format ${format}: a tokenizer reads text`);
  if (to !== undefined && to !== 'conllu') throw new UsageError(`--to ${to}: a tokenizer writes CoNLL-U`);
  if (skipInvalid) throw new UsageError('--skip-invalid: there are no malformed sentences in a text');
  if (allowMissing) throw new UsageError('--allow-missing: there are no columns in a text');
}

async function parseTrees(model: ModelReader, input: string, flags: ParseFlags): Promise<void> {
  const { output, quiet, json, input: kind = 'conllu', ...options } = flags;
  if (kind !== 'conllu') {
    throw new UsageError(
      `--input ${kind}: the model is a parser, and reads sentences that a tokenizer has cut`,
    );
  }
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
    tellFigures({ ...figures, seconds, sentencesPerSecond }, output);
  } else {
    const rate = `${count(sentencesPerSecond)} sentences/s`;
    note(`${plural(figures.sentences, 'sentence')} parsed in ${duration(seconds)} (${rate})`);
  }
}

/** Figures as JSON, out of the way of the output. */
function tellFigures(figures: object, output: string): void {
  printJson(figures, output === '-' ? process.stderr : process.stdout);
}
