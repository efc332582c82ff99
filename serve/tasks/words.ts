import type { TextLayout } from '../../annotators/annotator.ts';
import type { TextBatch } from '../../src/treebank/reading/blocks.ts';
import type { TreebankFormat } from '../../src/treebank/reading/format.ts';

/** Text to be cut into sentences. */
export interface TextWords {
  readonly text: string;
  readonly layout: TextLayout;
}

/** Sentences in a format of treebanks. */
export interface SentenceWords {
  readonly batch: TextBatch;
  readonly format: TreebankFormat;
}

/** Words that are given, cut into sentences or not. */
export type Words = TextWords | SentenceWords;

/** What messages call the words that were sent. */
export const WORDS_NAME = 'data';

export function sentenceWords(text: string, format: TreebankFormat): SentenceWords {
  return { batch: { file: WORDS_NAME, line: 1, text }, format };
}

/** Why a text cannot be written as a file of words; undefined where it can. */
export function faultOf(text: string): string | undefined {
  if (text.includes('\0')) return 'NUL character: expected text';
  if (/\p{Cs}/u.test(text)) return 'half of a surrogate pair: expected Unicode text';
  return undefined;
}

/** Characters of the words. */
export function lengthOf(words: Words): number {
  return 'batch' in words ? words.batch.text.length : words.text.length;
}
