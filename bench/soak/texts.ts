import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageFolder } from '../../src/files/package-folder.ts';
import type { Random } from '../../src/learn/random.ts';
import { readSentences } from '../../src/treebank/reading/read-sentences.ts';
import type { Sentence } from '../../src/treebank/sentence.ts';
import { textOf } from '../../src/treebank/surface/surface-tokens.ts';

/** A text, and what `parliament parse` writes for it. */
export interface KnownText {
  readonly text: string;
  readonly conllu: string;
  readonly sentences: readonly Sentence[];
}

const SHORT_TEXTS = 24;
const LONG_TEXTS = 4;
const LONG = 1 << 16;

/** Short texts, of one to three sentences of a treebank, and long ones of 64 kB, as a model parses them. */
export async function knownTexts(
  treebank: string,
  model: string,
  folder: string,
  random: Random,
): Promise<{ readonly short: readonly KnownText[]; readonly long: readonly KnownText[] }> {
  const pieces = readSentences(readFileSync(treebank, 'utf8')).map(textOf);
  const some = () => pieces[random.below(pieces.length)];
  const short = Array.from({ length: SHORT_TEXTS }, (_, i) => Array.from({ length: 1 + (i % 3) }, some));
  const long = Array.from({ length: LONG_TEXTS }, () => {
    let text = '';
    while (Buffer.byteLength(text) < LONG) text += some();
    return text;
  });
  const known: KnownText[] = [];
  for (const text of [...short.map((own) => own.join('')), ...long]) {
    known.push(await parsed(text, model, join(folder, 'text.txt')));
  }
  return { short: known.slice(0, SHORT_TEXTS), long: known.slice(SHORT_TEXTS) };
}

/** By the command, in a process of its own. */
async function parsed(text: string, model: string, file: string): Promise<KnownText> {
  writeFileSync(file, text);
  const command = join(packageFolder, 'dist', 'cli', 'main.js');
  const words = [command, 'parse', '--model', model, file, '--quiet', '--jobs', '1'];
  const { stdout: conllu } = await promisify(execFile)(process.execPath, words, { maxBuffer: 2 ** 28 });
  return { text, conllu, sentences: readSentences(conllu) };
}
