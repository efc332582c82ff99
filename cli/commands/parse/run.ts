import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ColumnAnnotator, Tokenizer } from '../../../annotators/annotator.ts';
import { fillsColumns, openAnnotator, openTokenizer } from '../../../annotators/registry.ts';
import { UsageError } from '../../../src/errors.ts';
import { attempt } from '../../../src/files/files.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import { packageVersion } from '../../../src/platform/package.ts';
import { count, note, plural } from '../../terminal/output.ts';
import type { ParseFlags, Timing } from './report.ts';
import { adviseOnText, ParseReport, PIPELINE_ADVICE, timingText } from './report.ts';

export async function annotate(model: ModelReader, input: string, flags: ParseFlags): Promise<void> {
  const annotator = await openAnnotator(model);
  if (fillsColumns(annotator)) await fill(annotator, input, flags);
  else await tokenize(await openTokenizer(model), input, flags);
}

async function fill(annotator: ColumnAnnotator, input: string, flags: ParseFlags): Promise<void> {
  const { output, input: kind = 'conllu', format, to, encoding, skipInvalid, confidence } = flags;
  if (kind !== 'conllu') {
    throw new UsageError(
      `--input ${kind}: a ${annotator.task} reads sentences that a tokenizer has cut; ${PIPELINE_ADVICE}`,
    );
  }
  if (flags.allowMissing) throw new UsageError(`--allow-missing: a ${annotator.task} goes by what it finds`);
  refuseOffsets(flags);
  const { fillFile } = await import('../../../annotators/fill-file.ts');
  const report = new ParseReport('annotating', flags);
  const options = { format, to, encoding, skipInvalid, confidence };
  const { seconds, loadingSeconds, ...figures } = await report.follow(({ onProgress, onSkip }) =>
    adviseOnText(fillFile(annotator, input, output, { ...options, onProgress, onSkip })),
  );
  tell(figures, { seconds, loadingSeconds }, 'annotated', report);
}

async function tokenize(tokenizer: Tokenizer, input: string, flags: ParseFlags): Promise<void> {
  const { input: layout = 'text', output, encoding, confidence } = flags;
  if (layout === 'conllu') throw new UsageError('--input conllu: what is cut already needs no tokenizer');
  if (flags.format !== undefined) throw new UsageError(`--format ${flags.format}: a tokenizer reads text`);
  if (flags.to !== undefined && flags.to !== 'conllu')
    throw new UsageError(`--to ${flags.to}: a tokenizer writes CoNLL-U`);
  if (flags.skipInvalid) throw new UsageError('--skip-invalid: there are no malformed sentences in a text');
  if (flags.allowMissing) throw new UsageError('--allow-missing: there are no columns in a text');
  const { tokenizeFile } = await import('../../../annotators/tokenize-file.ts');
  const { withRanges } = await import('../../../annotators/token-ranges.ts');
  const report = new ParseReport('cutting', flags);
  const { seconds, loadingSeconds, ...figures } = await report.follow(({ onProgress }) =>
    tokenizeFile(flags.offsets ? withRanges(tokenizer) : tokenizer, input, output, {
      layout,
      encoding,
      confidence,
      onProgress,
    }),
  );
  tell(figures, { seconds, loadingSeconds }, 'found', report);
}

function tell(
  figures: { readonly sentences: number; readonly words: number },
  timing: Timing,
  done: string,
  report: ParseReport,
): void {
  const wordsPerSecond = figures.words / (timing.seconds - timing.loadingSeconds);
  report.tell({ ...figures, ...timing, wordsPerSecond }, () => {
    const what = `${plural(figures.sentences, 'sentence')} of ${plural(figures.words, 'word')}`;
    note(`${what} ${done} ${timingText(timing, `${count(wordsPerSecond)} words/s`)}`);
  });
}

function refuseOffsets({ offsets }: ParseFlags): void {
  if (offsets) throw new UsageError(`--offsets: the model reads no text; ${PIPELINE_ADVICE}`);
}

export async function parseTrees(model: ModelReader, input: string, flags: ParseFlags): Promise<void> {
  const {
    output,
    input: kind = 'conllu',
    quiet: _,
    json: __,
    keep: ___,
    offsets: ____,
    lexicon: _5,
    ...options
  } = flags;
  if (kind !== 'conllu') {
    throw new UsageError(
      `--input ${kind}: the model is a parser, and reads sentences that a tokenizer has cut; ${PIPELINE_ADVICE}`,
    );
  }
  refuseOffsets(flags);
  const { parseFile } = await import('../../../parsers/run/parse-file.ts');
  const report = new ParseReport('parsing', flags);
  const { seconds, loadingSeconds, ...figures } = await report.follow((told) =>
    adviseOnText(parseFile(model, input, output, { ...options, ...told })),
  );
  const timing = { seconds, loadingSeconds };
  const sentencesPerSecond = figures.sentences / (seconds - loadingSeconds);
  report.tell({ ...figures, ...timing, sentencesPerSecond }, () => {
    const rate = `${count(sentencesPerSecond)} sentences/s`;
    note(`${plural(figures.sentences, 'sentence')} parsed ${timingText(timing, rate)}`);
  });
}

export async function parseThrough(model: ModelReader, input: string, flags: ParseFlags): Promise<void> {
  const { output, quiet: _, json: __, lexicon: ___, ...options } = flags;
  const { parseWithPipeline } = await import('../../../combine/pipeline/parse-with-pipeline.ts');
  const report = new ParseReport('parsing', flags);
  const generator = `Parliament ${packageVersion()}, ${modelTitle(model.name)}`;
  const { seconds, loadingSeconds, tokens, ...figures } = await report.follow((told) =>
    adviseOnText(parseWithPipeline(model, input, output, { ...options, ...told, generator })),
  );
  tell({ ...figures, words: tokens }, { seconds, loadingSeconds }, 'parsed', report);
}

/** A model's name, with its version if it stands in a package: `english 1.0.0`, `mine`. */
function modelTitle(path: string): string {
  const name = basename(path).replace(/\.model$/, '');
  const text = attempt(() => readFileSync(join(dirname(path), 'package.json'), 'utf8'));
  const about =
    text && attempt(() => JSON.parse(text) as { readonly name?: unknown; readonly version?: unknown });
  return about && about.name === `parliament-${name}` ? `${name} ${about.version}` : name;
}
