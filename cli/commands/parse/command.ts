import { join } from 'node:path';
import { Overrides, withOverrides } from '../../../annotators/overrides.ts';
import { fillsColumns, isAnnotator, isPipeline, openAnnotator } from '../../../annotators/registry.ts';
import { inputKinds, keepNames } from '../../../combine/names.ts';
import { MOST_TREES } from '../../../src/checks.ts';
import { InputError, OptionError, UsageError } from '../../../src/errors.ts';
import { writeTextFile } from '../../../src/files/atomic-file.ts';
import { DEFAULT_ENCODING, encodingNamed } from '../../../src/files/encoding.ts';
import { isRegularFile } from '../../../src/files/files.ts';
import { TextFile } from '../../../src/files/text-file.ts';
import { readModelFile } from '../../../src/model/model-file.ts';
import type { ModelReader } from '../../../src/model/model-reader.ts';
import { formatSentence, lostIn } from '../../../src/treebank/columns/write.ts';
import type { DocumentFormat } from '../../../src/treebank/json/documents.ts';
import {
  Documents,
  documentFormats,
  documentText,
  isDocument,
} from '../../../src/treebank/json/documents.ts';
import { TREEBANK_FORMATS } from '../../../src/treebank/reading/format.ts';
import { readSentences } from '../../../src/treebank/reading/treebank-file.ts';
import { withTemporaryFolder } from '../../folders.ts';
import type { Command } from '../../options/command.ts';
import * as shared from '../../options/common.ts';
import { parsedEncoding } from '../../options/formats.ts';
import { noteLost } from '../../terminal/output.ts';
import type { GivenFlags, ParseFlags } from './report.ts';
import { annotate, parseThrough, parseTrees } from './run.ts';

const formats = [...TREEBANK_FORMATS, ...documentFormats] as const;

const inputHelp = `
A pipeline reads its input as sentences if the first line that is neither blank nor a comment begins with a
number and a tab, as in CoNLL-U and CoNLL-X, or as JSON Lines and brackets do, and as text otherwise; --input
and --format override this.`;

export function parseCommand(command: Command): Command {
  return command
    .argument(
      '[input]',
      'sentences in CoNLL-U, CoNLL-X, 3 columns or brackets; for a pipeline or a tokenizer, text (-: standard input)',
      '-',
    )
    .requiredOption('--model <file>', 'model from train or pipeline, or the name of a ready one')
    .option('-o, --output <file>', 'output file (-: standard output)', '-')
    .choice(
      '--input <kind>',
      'kind of input: text, one sentence per line, one token per line, or tokenized (conllu, or as in --format)',
      inputKinds,
      'text for a tokenizer, sentences for a parser; for a pipeline see below',
    )
    .with(
      shared.listOption(
        '--keep <name,…>',
        'with a pipeline: annotation of the input to keep; the rest is predicted',
        keepNames,
      ),
    )
    .option(
      '--lexicon <file>',
      'with a pipeline, tagger or lemmatizer: file with lines of form, tag, lemma and features, which override predictions',
    )
    .choice(
      '--format <format>',
      'format of the input; spacy and stanza: their documents in JSON',
      formats,
      'recognised from its content, except spacy and stanza',
    )
    .choice(
      '--to <format>',
      'output format; brackets for models that predict phrases',
      formats,
      'json for an output named .json or .jsonl; otherwise as the input, CoNLL-U for text',
    )
    .option('--draw', 'draw the trees in the terminal; with -o, also write them')
    .option(
      '--confidence',
      'write the confidences of arcs, tags, lemmas and tokens into MISC: Confidence=0.987|TagConfidence=0.991',
    )
    .option('--offsets', 'for text: write the character offsets of each token into MISC: TokenRange=0:3')
    .integer(
      '--n-best <k>',
      `write up to k trees of each sentence: the best, then the others by probability (at most ${MOST_TREES})`,
      { min: 1, max: MOST_TREES },
    )
    .with(shared.encodingOption(), shared.skipInvalidOption(), shared.allowMissingOption())
    .with(shared.jobsOption(), shared.quietOption())
    .with(shared.jsonOption('print figures as JSON, on stderr if the trees go to stdout'))
    .addHelpText('after', inputHelp)
    .examples(
      'parliament parse --model english.model new.txt -o parsed.conllu',
      'echo "The dogs bark." | parliament parse --model english.model --draw',
      'parliament parse --model english.model tagged.conllu --keep tags -o parsed.conllu',
      'parliament parse --model english.model new.txt --lexicon names.tsv -o parsed.conllu',
      'parliament parse --model graph.model new.conllu -o parsed.conllu',
      'parliament parse --model graph.model new.conllu --confidence -o parsed.conllu',
      'parliament parse --model graph.model new.conllu --n-best 5 -o five.conllu',
      'parliament parse --model english.model spacy.json --format spacy -o parsed.json',
      'parliament parse --model phrases.model new.conllu --to brackets -o parsed.mrg',
      'parliament parse --model tokenizer.model new.txt -o new.conllu',
      'parliament parse --model tagger.model new.conllu -o tagged.conllu',
      'gunzip -c new.txt.gz | parliament parse --model english.model > parsed.conllu',
    )
    .action(parse);
}

async function parse(input: string, given: GivenFlags): Promise<void> {
  if (isDocument(given.format) || isDocument(given.to)) return parseDocuments(input, given);
  const to = given.to ?? (/\.jsonl?$/i.test(given.output) ? 'json' : undefined);
  return parseAs(input, { ...given, to } as ParseFlags);
}

async function parseAs(input: string, flags: ParseFlags): Promise<void> {
  return flags.draw ? parseAndDraw(input, flags) : parseInto(input, flags);
}

async function parseAndDraw(input: string, flags: ParseFlags): Promise<void> {
  if (flags.output !== '-' && isRegularFile(flags.output) === false)
    throw new InputError('not a regular file: --draw reads the trees back from it', { file: flags.output });
  const { drawFile } = await import('../draw.ts');
  await withTemporaryFolder(async (folder) => {
    const output = flags.output === '-' ? join(folder, 'parsed') : flags.output;
    const encoding = (await parsedEncoding(input, flags)) ?? DEFAULT_ENCODING;
    await parseInto(input, { ...flags, output });
    const { quiet } = flags;
    await drawFile(output, { encoding, quiet, sentence: [{ from: 1, to: Number.POSITIVE_INFINITY }] });
  });
}

async function parseInto(input: string, flags: ParseFlags): Promise<void> {
  const { lexicon } = flags;
  const saved = readModelFile(flags.model);
  if (lexicon !== undefined && !(await fillsOverridden(saved)))
    throw new UsageError('--lexicon overrides lemmas and features, which this model does not fill');
  const model =
    lexicon === undefined
      ? saved
      : withOverrides(saved, Overrides.read(await new TextFile(lexicon, flags.encoding).text(), lexicon));
  if (isPipeline(model)) return parseThrough(model, input, flags);
  if (flags.keep !== undefined) {
    throw new UsageError(
      '--keep is for pipelines: one model fills what it was trained for, and keeps the rest',
    );
  }
  if (isAnnotator(model)) return annotate(model, input, flags);
  return parseTrees(model, input, flags);
}

/** Whether a model, or a part of it, fills columns that a lexicon overrides. */
async function fillsOverridden(model: ModelReader): Promise<boolean> {
  const parts = isPipeline(model) ? model.partNames.map((name) => model.part(name)) : [model];
  const annotators = await Promise.all(parts.filter(isAnnotator).map(openAnnotator));
  return annotators.filter(fillsColumns).some(Overrides.canApplyTo);
}

/** Reads or writes documents of spaCy or Stanza, held in memory, and parses them as CoNLL-U in temporary files. */
async function parseDocuments(input: string, { format, to: asked, encoding, ...flags }: GivenFlags) {
  const to = asked ?? (format as DocumentFormat);
  checkFlags(flags, to);
  if (!isDocument(format) && encodingNamed(encoding) !== DEFAULT_ENCODING)
    throw new UsageError(
      `--encoding ${encoding} does not go with --to ${to}: convert the input to UTF-8 first`,
    );
  await withTemporaryFolder(async (folder) => {
    const [given, parsed] = ['given.conllu', 'parsed.conllu'].map((name) => join(folder, name));
    const documents = isDocument(format)
      ? Documents.read(await new TextFile(input, encoding).text(), format, input)
      : undefined;
    // Lines are those of the sentences, which the user does not see.
    const naming = (message: string) => message.replaceAll(given!, `${input}, as CoNLL-U`);
    const own = { ...flags, format, encoding, naming };
    if (documents !== undefined) {
      const conllu = documents.sentences.map((sentence) => formatSentence(sentence, 'conllu')).join('');
      await writeTextFile(given!, conllu);
      Object.assign(own, { format: 'conllu', encoding: DEFAULT_ENCODING });
    }
    const reading = own as ParseFlags;
    const source = documents === undefined ? input : given!;
    const work = isDocument(to) ? { to: 'conllu' as const, output: parsed! } : { to };
    await parseAs(source, { ...reading, ...work }).catch((error) => throwNaming(error, naming));
    if (!isDocument(to)) return;
    const text = await new TextFile(parsed!).text();
    const sentences = readSentences(text, { format: 'conllu', expect: 'tokens', name: parsed! });
    const isSame = documents !== undefined && format === to;
    await writeTextFile(flags.output, isSame ? documents.textWith(sentences) : documentText(sentences, to));
    if (isSame || flags.quiet) return;
    const lost = new Set(sentences.flatMap((sentence) => lostIn(sentence, to)));
    // The program itself has written comments.
    lost.delete('comments');
    noteLost(lost, to, flags.output);
  });
}

function throwNaming(error: unknown, naming: (message: string) => string): never {
  if (error instanceof OptionError) throw new OptionError((option) => naming(error.say(option)));
  if (!(error instanceof InputError)) throw error;
  const { problem, place } = error;
  throw new InputError(problem, { ...place, file: place.file && naming(place.file) });
}

function checkFlags(flags: Omit<GivenFlags, 'format' | 'encoding'>, to: NonNullable<GivenFlags['to']>): void {
  const refused = [
    [flags.skipInvalid, '--skip-invalid does not go with spacy and stanza'],
    [flags.nBest !== undefined && isDocument(to), '--n-best does not go with --to spacy and --to stanza'],
    [flags.draw && isDocument(to), '--draw does not go with --to spacy and --to stanza'],
    [flags.confidence && to === 'spacy', '--confidence does not go with --to spacy, which has no MISC'],
  ] as const;
  const wrong = refused.find(([isGiven]) => isGiven);
  if (wrong !== undefined) throw new UsageError(wrong[1]);
  if (flags.json && flags.output === '-' && isDocument(to))
    throw new UsageError('--json needs -o: standard output has the documents');
}
