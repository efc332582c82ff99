import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../../src/errors.ts';
import { writeTextFile } from '../../../src/files/atomic-file.ts';
import { DEFAULT_ENCODING, encodingNamed } from '../../../src/files/encoding.ts';
import { TextFile } from '../../../src/files/text-file.ts';
import { formatSentence } from '../../../src/treebank/columns/write.ts';
import type { DocumentFormat } from '../../../src/treebank/json/documents.ts';
import { Documents, documentText, isDocument } from '../../../src/treebank/json/documents.ts';
import { readSentences } from '../../../src/treebank/reading/treebank-file.ts';
import type { GivenFlags, ParseFlags } from './report.ts';

/** Reads or writes documents of spaCy or Stanza, which are in memory as a whole, and parses them as CoNLL-U. */
export async function parseDocuments(
  input: string,
  { format, to: asked, encoding, ...flags }: GivenFlags,
  parse: (input: string, flags: ParseFlags) => Promise<void>,
): Promise<void> {
  const to = asked ?? (format as DocumentFormat);
  checkFlags(flags, to);
  if (!isDocument(format) && encodingNamed(encoding) !== DEFAULT_ENCODING)
    throw new UsageError(
      `--encoding ${encoding} does not go with --to ${to}: convert the input to UTF-8 first`,
    );
  const folder = mkdtempSync(join(tmpdir(), 'parliament-'));
  const [given, parsed] = ['given.conllu', 'parsed.conllu'].map((name) => join(folder, name));
  try {
    const documents = isDocument(format)
      ? Documents.read(await new TextFile(input, encoding).text(), format, input)
      : undefined;
    const own = { ...flags, format, encoding };
    if (documents !== undefined) {
      const conllu = documents.sentences.map((sentence) => formatSentence(sentence, 'conllu')).join('');
      await writeTextFile(given!, conllu);
      Object.assign(own, { format: 'conllu', encoding: DEFAULT_ENCODING });
    }
    const reading = own as ParseFlags;
    const source = documents === undefined ? input : given!;
    if (!isDocument(to)) return await parse(source, { ...reading, to });
    await parse(source, { ...reading, to: 'conllu', output: parsed! });
    const text = await new TextFile(parsed!).text();
    const sentences = readSentences(text, { format: 'conllu', expect: 'tokens', name: parsed! });
    const isSame = documents !== undefined && format === to;
    await writeTextFile(flags.output, isSame ? documents.textWith(sentences) : documentText(sentences, to));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function checkFlags(flags: Omit<GivenFlags, 'format' | 'encoding'>, to: NonNullable<GivenFlags['to']>): void {
  const refused = [
    [flags.skipInvalid, '--skip-invalid does'],
    [flags.nBest !== undefined && isDocument(to), '--n-best does'],
    [flags.draw && isDocument(to), '--draw does'],
    [flags.confidence && to === 'spacy', '--confidence does'],
  ] as const;
  const wrong = refused.find(([isGiven]) => isGiven);
  if (wrong !== undefined) throw new UsageError(`${wrong[1]} not go with spacy and stanza`);
  if (flags.json && flags.output === '-' && isDocument(to))
    throw new UsageError('--json needs -o: standard output has the documents');
}
