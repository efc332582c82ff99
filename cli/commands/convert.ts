import { UsageError } from '../../src/errors.ts';
import { AtomicFile } from '../../src/files/atomic-file.ts';
import { TextFile } from '../../src/files/text-file.ts';
import { formatSentence, lostIn } from '../../src/treebank/columns/write.ts';
import type { DocumentFormat } from '../../src/treebank/json/documents.ts';
import { Documents, documentFormats, documentText, isDocument } from '../../src/treebank/json/documents.ts';
import { type TraceTreatment, traceTreatments } from '../../src/treebank/phrases/traces.ts';
import { TREEBANK_FORMATS, type TreebankFormat, writtenEncoding } from '../../src/treebank/reading/format.ts';
import { openTreebank, readSentences, type TreebankFile } from '../../src/treebank/reading/treebank-file.ts';
import { PlainText } from '../../src/treebank/surface.ts';
import type { Command } from '../options/command.ts';
import { type CommonFlags, encodingOption, quietOption, skipInvalidOption } from '../options/common.ts';
import { noteLost, SkippedSentences } from '../terminal/output.ts';
import { hidesProgress, watch } from '../terminal/progress.ts';

const inputFormats = [...TREEBANK_FORMATS, ...documentFormats] as const;
const outputFormats = [...inputFormats, 'text'] as const;
type OutputFormat = Exclude<(typeof outputFormats)[number], DocumentFormat>;

interface ConvertFlags extends Omit<CommonFlags, 'format'> {
  readonly format?: (typeof inputFormats)[number];
  readonly to?: (typeof outputFormats)[number];
  readonly traces?: TraceTreatment;
  readonly outputEncoding?: string;
}

const formatsByExtension: Readonly<Record<string, TreebankFormat>> = {
  conllu: 'conllu',
  conllup: 'conllup',
  conllx: 'conllx',
  conll: 'conllx',
  jsonl: 'json',
  json: 'json',
  dp: 'three-column',
  txt: 'three-column',
  mrg: 'brackets',
};

const extensions = Object.keys(formatsByExtension).map((name) => `.${name}`);

export function convertCommand(command: Command): Command {
  return command
    .argument('<input>', 'treebank (-: standard input); brackets become dependencies by head rules')
    .argument('<output>', 'output file (-: standard output)')
    .choice(
      '--format <format>',
      'format of the input; spacy and stanza: their documents in JSON',
      inputFormats,
      'recognised from its content, except spacy and stanza',
    )
    .choice(
      '--to <format>',
      'format of the output; text: the plain text of the sentences; a file named .txt is three-column',
      outputFormats,
      `by the file name: ${extensions.join(', ')}`,
    )
    .choice(
      '--traces <treatment>',
      'for brackets: ignore traces, or move phrases back to the positions of their traces',
      traceTreatments,
      'ignore',
    )
    .with(encodingOption())
    .option(
      '--output-encoding <name>',
      "character encoding of the output (default: the input's; utf-8 if another format becomes CoNLL-U or JSON)",
    )
    .with(skipInvalidOption(), quietOption())
    .examples(
      'parliament convert basque.conllx basque.conllu --encoding iso-8859-1',
      'parliament convert wsj.mrg wsj.conllu',
      'parliament convert english.conllu english.jsonl',
      'parliament convert english.conllu english.txt --to text',
      'parliament convert stanza.json stanza.conllu --format stanza',
      'parliament convert english.conllu spacy.json --to spacy',
    )
    .action(convert)
    .acceptOldFormats();
}

async function convert(input: string, output: string, flags: ConvertFlags): Promise<void> {
  const { traces, encoding, skipInvalid, quiet, format } = flags;
  const to = flags.to ?? formatByName(output);
  if (isDocument(format) || isDocument(to)) return convertDocuments(input, output, to, flags);
  const skipped = new SkippedSentences();
  const treebank = await openTreebank(input, {
    format,
    traces,
    encoding,
    skipInvalid,
    onSkip: skipped.add,
    expect: 'partial-trees',
  });
  if (to === 'brackets' && treebank.format !== 'brackets')
    throw new UsageError('cannot make brackets of dependencies: they do not say what the phrases are');
  if (traces !== undefined && (treebank.format !== 'brackets' || to === 'brackets' || to === 'text'))
    throw new UsageError('--traces is for converting brackets to dependencies');
  // Tokens of CoNLL-X can look like CoNLL-U.
  const from = treebank.format === to ? (formatNamed(input) ?? to) : treebank.format;
  const written = flags.outputEncoding ?? writtenEncoding(from, to, encoding);
  const lost = await write(treebank, to, output, written, quiet);
  skipped.summarize();
  if (!quiet) noteLost(lost, to, output);
}

/** Converts documents of spaCy or Stanza, in memory: their sentences refer to the text of the document. */
async function convertDocuments(
  input: string,
  output: string,
  to: (typeof outputFormats)[number],
  { format, encoding, outputEncoding, quiet, traces, skipInvalid }: ConvertFlags,
): Promise<void> {
  if (traces !== undefined || skipInvalid)
    throw new UsageError(`${traces ? '--traces' : '--skip-invalid'} does not go with spacy and stanza`);
  if (to === 'brackets' || to === 'conllup')
    throw new UsageError(`--to ${to}: documents have no such columns`);
  const text = await new TextFile(input, encoding).text();
  const options = { name: input, expect: 'partial-trees' } as const;
  const sentences = isDocument(format)
    ? Documents.read(text, format, input).sentences
    : readSentences(text, { ...options, ...(format && { format }) });
  const plain = new PlainText();
  const fill = async (file: AtomicFile) => {
    if (format === to) await file.write(text);
    else if (isDocument(to)) await file.write(documentText(sentences, to));
    else
      for (const sentence of sentences)
        await file.write(to === 'text' ? plain.add(sentence) : formatSentence(sentence, to));
    if (to === 'text') await file.write(plain.end());
  };
  await AtomicFile.writeWhole(output, fill, { encoding: outputEncoding ?? 'utf-8' });
  if (to !== 'text' && format !== to)
    if (!quiet) noteLost(new Set(sentences.flatMap((each) => lostIn(each, to))), to, output);
}

function formatNamed(file: string): TreebankFormat | undefined {
  const [, extension = ''] = /\.(\w+)(?:\.gz)?$/.exec(file) ?? [];
  return formatsByExtension[extension.toLowerCase()];
}

function formatByName(output: string): TreebankFormat {
  const format = formatNamed(output);
  if (format !== undefined) return format;
  throw new UsageError(
    `the name ${output} does not say which format is wanted: add --to ${outputFormats.join('|')}`,
  );
}

/** Writes the whole treebank or nothing; returns the names of the information that the format cannot represent. */
async function write(
  treebank: TreebankFile,
  to: OutputFormat,
  output: string,
  encoding: string | undefined,
  quiet: boolean | undefined,
): Promise<Set<string>> {
  const lost = new Set<string>();
  const text = new PlainText();
  const fill = async (file: AtomicFile) => {
    for await (const sentence of watch(treebank, 'converting', hidesProgress(quiet, output))) {
      if (to === 'text') await file.write(text.add(sentence));
      else if (to === treebank.format || to === 'brackets') await file.write(sentence.source!.text);
      else {
        await file.write(formatSentence(sentence, to));
        for (const name of lostIn(sentence, to)) lost.add(name);
      }
    }
    await file.write(text.end());
  };
  await AtomicFile.writeWhole(output, fill, { encoding });
  return lost;
}
