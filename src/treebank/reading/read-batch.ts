import { InputError } from '../../errors.ts';
import { readPlus } from '../columns/plus.ts';
import { readColumns } from '../columns/read.ts';
import { readJsonLines, validSentences } from '../json/read-json.ts';
import { isMalformed, readTrees, type TreeOrError } from '../phrases/brackets.ts';
import { dependenciesOfPhrases } from '../phrases/dependencies.ts';
import type { Sentence, TextBatch } from '../sentence.ts';
import { detectFormat, type ReadingOptions } from './format.ts';

/**
 * Reads a batch's sentences with their dependencies (converted by the head rules from bracketed trees).
 * Synchronous and stateless, for workers. Throws `InputError` unless `skipInvalid`.
 */
export function readBatch(batch: TextBatch, options: ReadingOptions): IterableIterator<Sentence> {
  const { format } = options;
  if (batch.sentences !== undefined) return batch.sentences.values();
  if (format === 'brackets') {
    return validSentences(readTrees(batch), (tree) => dependenciesOf(tree, options), options);
  }
  if (format === 'conllup') return readPlus(batch, options);
  return format === 'json' ? readJsonLines(batch, options) : readColumns(batch, format, options);
}

function dependenciesOf(found: TreeOrError, { traces }: ReadingOptions): Sentence {
  if (isMalformed(found)) throw found.error;
  const { tree, source } = found;
  const sentence = dependenciesOfPhrases(tree, { traces, place: source });
  const lines = new Int32Array(sentence.length + 1).fill(source.line);
  return { ...sentence, phrases: tree, source: { ...source, format: 'brackets', lines } };
}

export interface ReadSentencesOptions extends Omit<ReadingOptions, 'format' | 'expect'> {
  /** Default: recognised from the first lines. */
  readonly format?: ReadingOptions['format'] | undefined;
  /** Requirements on heads; default: `tokens`. */
  readonly expect?: ReadingOptions['expect'] | undefined;
  /** The name of the text in messages; default: `text`. */
  readonly name?: string | undefined;
}

/**
 * Reads a treebank's text. Heads may be missing (`_`) unless `expect` is `trees` or `heads`.
 *
 * @throws InputError without sentences, for an unrecognised format, or (unless skipped) a malformed sentence
 */
export function readSentences(text: string, options: ReadSentencesOptions = {}): Sentence[] {
  const { name: file = 'text', expect = 'tokens', format, ...reading } = options;
  if (text.trim() === '') throw new InputError('no sentences', { file });
  const found = format ?? detectFormat(text, file);
  const sentences = [...readBatch({ file, line: 1, text }, { ...reading, expect, format: found })];
  if (sentences.length === 0) throw new InputError('no valid sentences', { file });
  return sentences;
}
