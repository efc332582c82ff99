import type { TreebankFormat } from '../reading/format.ts';
import type { Sentence } from '../sentence.ts';
import type { AnnotatedColumn } from './names.ts';
import { formatSentence } from './write.ts';

/** Annotation for the words of a sentence, laid out as in `Sentence`. */
export type FilledColumns = Partial<Pick<Sentence, AnnotatedColumn>>;

/** The formats that have a place for all that can be filled. */
export type FilledFormat = 'conllu' | 'conllx' | 'json';

export function isFilledFormat(format: TreebankFormat): format is FilledFormat {
  return format === 'conllu' || format === 'conllx' || format === 'json';
}

/**
 * A sentence as text with other values in some of its columns. One read from a file of the same format is given back
 * as it stood there, byte for byte, but for these; any other is written anew, and loses what `formatSentence` says.
 */
export function formatFilled(sentence: Sentence, format: FilledFormat, columns: FilledColumns): string {
  return formatSentence({ ...sentence, ...columns }, format);
}
