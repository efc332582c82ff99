import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ColumnAnnotator, Tokenizer } from '../../../annotators/annotator.ts';
import { fillsColumns, openAnnotator, openTokenizer } from '../../../annotators/registry.ts';
import type { ParseFileOptions } from '../../../parsers/run/parse-file.ts';
import { UsageError } from '../../../src/errors.ts';
import { attempt } from '../../../src/files/files.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import { packageVersion } from '../../../src/platform/package.ts';
import { count, note, plural } from '../../terminal/output.ts';
import type { ParseFlags, Timing } from './report.ts';
import { adviseOnText, follow, PIPELINE_ADVICE, printFigures, timingText } from './report.ts';

/** Runs a single annotator: a tokenizer on text, others on sentences. */
export async function annotate(model: ModelReader, input: string, flags: ParseFlags): Promise<void> {
  const annotator = await openAnnotator(model);
  if (flags.nBest !== undefined) throw new UsageError(`--n-best: a ${annotator.task} predicts no trees`);
  if (fillsColumns(annotator)) await fill(annotator, input, flags);
  else await tokenize(await openTokenizer(model), input, flags);
}

async function fill(annotator: ColumnAnnotator, input: string, flags: ParseFlags): Promise<void> {
  const { output, format, to, encoding, skipInvalid, confidence } = flags;
  refuseText(flags, `a ${annotator.task}`);
  if (flags.allowMissing) throw new UsageError(`--allow-missing: a ${annotator.task} needs no columns`);
  const { fillFile } = await import('../../../annotators/fill-file.ts');
  const options = { format, to, encoding, skipInvalid, confidence };
  const figures = await follow('annotating', flags, ({ onProgress, onSkip }) =>
    adviseOnText(fillFile(annotator, input, output, { ...options, onProgress, onSkip })),
  );
  printSummary(figures, 'annotated', flags);
}

async function tokenize(tokenizer: Tokenizer, input: string, flags: ParseFlags): Promise<void> {
  const { input: layout = 'text', output, encoding, confidence } = flags;
  if (layout === 'conllu') throw new UsageError('--input conllu: these sentences are already tokenized');
  if (flags.format !== undefined) throw new UsageError(`--format ${flags.format}: a tokenizer reads text`);
  if (flags.to !== undefined && flags.to !== 'conllu')
    throw new UsageError(`--to ${flags.to}: a tokenizer writes conllu, spacy or stanza`);
  if (flags.skipInvalid) throw new UsageError('--skip-invalid: there are no malformed sentences in a text');
  if (flags.allowMissing) throw new UsageError('--allow-missing: there are no columns in a text');
  const { tokenizeFile } = await import('../../../annotators/tokenize-file.ts');
  const { withRanges } = await import('../../../annotators/token-ranges.ts');
  const splitter = flags.offsets ? withRanges(tokenizer) : tokenizer;
  const figures = await follow('tokenizing', flags, ({ onProgress }) =>
    tokenizeFile(splitter, input, output, { layout, encoding, confidence, onProgress }),
  );
  printSummary(figures, 'found', flags);
}

function printSummary(
  figures: Timing & { readonly sentences: number; readonly words: number },
  done: string,
  flags: ParseFlags,
): void {
  const { sentences, words, seconds, loadingSeconds } = figures;
  const wordsPerSecond = words / (seconds - loadingSeconds);
  printFigures({ ...figures, wordsPerSecond }, flags, () => {
    const size = `${plural(sentences, 'sentence')} of ${plural(words, 'word')}`;
    note(`${size} ${done} ${timingText(figures, `${count(wordsPerSecond)} words/s`)}`);
  });
}

/** Refuses options for text with a model that reads tokenized sentences. */
function refuseText({ input = 'conllu', offsets }: ParseFlags, model: string): void {
  if (input !== 'conllu')
    throw new UsageError(`--input ${input}: ${model} reads tokenized sentences; ${PIPELINE_ADVICE}`);
  if (offsets) throw new UsageError(`--offsets: ${model} reads no text; ${PIPELINE_ADVICE}`);
}

function fileOptions(flags: ParseFlags): ParseFileOptions {
  const { format, to, encoding, skipInvalid, allowMissing, jobs, confidence, nBest } = flags;
  return { format, to, encoding, skipInvalid, allowMissing, jobs, confidence, nBest };
}

export async function parseTrees(model: ModelReader, input: string, flags: ParseFlags): Promise<void> {
  refuseText(flags, 'a parser');
  const { parseFile } = await import('../../../parsers/run/parse-file.ts');
  const figures = await follow('parsing', flags, (callbacks) =>
    adviseOnText(parseFile(model, input, flags.output, { ...fileOptions(flags), ...callbacks })),
  );
  const sentencesPerSecond = figures.sentences / (figures.seconds - figures.loadingSeconds);
  printFigures({ ...figures, sentencesPerSecond }, flags, () => {
    const rate = `${count(sentencesPerSecond)} sentences/s`;
    note(`${plural(figures.sentences, 'sentence')} parsed ${timingText(figures, rate)}`);
  });
}

export async function parseThrough(model: ModelReader, input: string, flags: ParseFlags): Promise<void> {
  const { output, input: kind, keep, offsets } = flags;
  const options = { ...fileOptions(flags), input: kind, keep, offsets };
  const { parseWithPipeline } = await import('../../../combine/pipeline/parse-with-pipeline.ts');
  const generator = `Parliament ${packageVersion()}, ${modelTitle(model.name)}`;
  const figures = await follow('parsing', flags, async (callbacks) => {
    const parsing = parseWithPipeline(model, input, output, { ...options, ...callbacks, generator });
    const { tokens: words, ...others } = await adviseOnText(parsing, adviceFor(model));
    return { ...others, words };
  });
  printSummary(figures, 'parsed', flags);
}

function adviceFor({ name, partNames }: ModelReader): string {
  if (partNames.includes('tokenizer')) return 'for text, --input text';
  const command = `parliament pipeline tokenizer.model ${name} -o with-tokenizer.model`;
  return `the pipeline has no tokenizer, which train pipeline learns only from a treebank with text: for text, ${command}`;
}

/** A model's name, with its version if it is in a package: `english 1.0.0`, `mine`. */
function modelTitle(path: string): string {
  const name = basename(path).replace(/\.model$/, '');
  const text = attempt(() => readFileSync(join(dirname(path), 'package.json'), 'utf8'));
  const about =
    text && attempt(() => JSON.parse(text) as { readonly name?: unknown; readonly version?: unknown });
  return about && about.name === `parliament-${name}` ? `${name} ${about.version}` : name;
}
