import { lineAfter } from '../reading/blocks.ts';
import type { TreebankFormat } from '../reading/format.ts';
import type { Sentence, SentenceSource } from '../sentence.ts';
import { ColumnLine } from './column-line.ts';
import { asJson, formatSentence, sourceIn } from './write.ts';

/** Columns that can be filled, in the order of the two formats that have all of them, and where they stand there. */
const places = [
  ['lemmas', 2],
  ['upos', 3],
  ['xpos', 4],
  ['feats', 5],
] as const;

/** Columns of words, laid out as in `Sentence`. */
export type FilledColumns = Partial<Pick<Sentence, (typeof places)[number][0]>>;

/** The formats that have a place for all that can be filled. */
export type FilledFormat = 'conllu' | 'conllx' | 'json';

export function isFilledFormat(format: TreebankFormat): format is FilledFormat {
  return format === 'conllu' || format === 'conllx' || format === 'json';
}

/** Reused from line to line; nothing here is asynchronous. */
const row = new ColumnLine();

/**
 * A sentence as text with other values in some of its columns. One read from a file of the same format is given back
 * as it stood there, byte for byte, but for these; any other is written anew, and loses what `formatSentence` says.
 */
export function formatFilled(sentence: Sentence, format: FilledFormat, columns: FilledColumns): string {
  if (format === 'json') return asJson(sentence, formatFilled(sentence, 'conllu', columns));
  const source = sourceIn(format, sentence);
  if (source !== undefined) return refilled(sentence.length, source, columns);
  return formatSentence({ ...sentence, ...columns, source: undefined }, format);
}

/** The source's text with the columns replaced where they differ. */
function refilled(
  length: number,
  { text, lines, line: first }: SentenceSource,
  columns: FilledColumns,
): string {
  let result = '';
  let copied = 0;
  let at = 0;
  let line = first;
  for (let d = 1; d <= length; d++) {
    for (; line < lines[d]; line++) at = lineAfter(text, at);
    row.read(text, at);
    for (const [name, place] of places) {
      const value = columns[name]?.[d];
      if (value === undefined || row.equals(place, value)) continue;
      result += text.slice(copied, row.start(place)) + value;
      copied = row.start(place + 1) - 1;
    }
  }
  return result + text.slice(copied);
}
