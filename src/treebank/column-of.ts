import { UsageError } from '../errors.ts';
import type { Sentence } from './sentence.ts';

/** The columns of strings. */
export type StringColumn = 'forms' | 'lemmas' | 'upos' | 'xpos' | 'feats' | 'labels' | 'deps' | 'misc';

/**
 * A column of a sentence. Readers fill all of them; a program that puts a sentence together itself may leave out
 * one, or the artificial root.
 *
 * @throws UsageError where the column is not there, or not one string for the root and each token
 */
export function columnOf(sentence: Sentence, name: StringColumn): readonly string[] {
  const column = sentence[name] as readonly string[] | undefined;
  const { length } = sentence;
  if (column?.length === length + 1) return column;
  if (!Number.isInteger(length)) throw new UsageError(`a sentence of length ${length}, expected its tokens`);
  const found = column === undefined ? `no column ${name}` : `${column.length} ${name}`;
  throw new UsageError(
    `a sentence of ${length} tokens with ${found}, expected ${length + 1}: '' for the root, then one per token (sentenceOf makes them)`,
  );
}
