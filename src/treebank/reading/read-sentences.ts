import { InputError } from '../../errors.ts';
import type { Sentence } from '../sentence.ts';
import { detectFormat } from './format.ts';
import { readBatch } from './read-batch.ts';
import type { TreebankOptions } from './treebank-file.ts';

export interface ReadSentencesOptions extends Omit<TreebankOptions, 'encoding'> {
  /** What messages call the text; `text` by default. */
  readonly name?: string | undefined;
}

/**
 * The sentences of a treebank's text. Its format is recognised from its first lines unless it is given. Heads may
 * be missing (`_`) unless `expect` says `trees` (right trees, to learn from or to score by).
 *
 * @throws InputError where the text has no sentences, its format is not recognised, or at the first sentence that
 *   is malformed, unless these are skipped
 */
export function readSentences(text: string, options: ReadSentencesOptions = {}): Sentence[] {
  const { name: file = 'text', expect = 'tokens', format, ...reading } = options;
  if (text.trim() === '') throw new InputError('no sentences', { file });
  const found = format ?? detectFormat(text, file);
  const sentences = [...readBatch({ file, line: 1, text }, { ...reading, expect, format: found })];
  if (sentences.length === 0) throw new InputError('no valid sentences', { file });
  return sentences;
}
