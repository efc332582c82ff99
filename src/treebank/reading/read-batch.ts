import { InputError } from '../../errors.ts';
import { readColumns } from '../columns/read.ts';
import { readJsonLines } from '../json/read-json.ts';
import { isMalformed, readTrees } from '../phrases/brackets.ts';
import { dependenciesOfPhrases } from '../phrases/dependencies.ts';
import type { BracketedSentence } from '../phrases/phrase-tree.ts';
import type { Sentence, TextBatch } from '../sentence.ts';
import { detectFormat, type ReadingOptions } from './format.ts';

/**
 * The sentences of a batch, in order, with their dependencies (of bracketed trees: by the head rules).
 * Synchronous and without state, so that workers can do it.
 *
 * @throws InputError at the first sentence that is not as expected, unless `skipInvalid`
 */
export function readBatch(batch: TextBatch, options: ReadingOptions): Generator<Sentence> {
  const { format } = options;
  if (batch.sentences !== undefined) return each(batch.sentences);
  if (format === 'brackets') return readBracketBatch(batch, options);
  return format === 'json' ? readJsonLines(batch, options) : readColumns(batch, format, options);
}

function* each(sentences: readonly Sentence[]): Generator<Sentence> {
  yield* sentences;
}

function* readBracketBatch(batch: TextBatch, options: ReadingOptions): Generator<Sentence> {
  for (const found of readTrees(batch)) {
    let sentence: Sentence | undefined;
    try {
      if (isMalformed(found)) throw found.error;
      sentence = dependenciesOf(found, options);
    } catch (error) {
      if (!options.skipInvalid || !(error instanceof InputError)) throw error;
      options.onSkip?.(error);
    }
    if (sentence !== undefined) yield sentence;
  }
}

function dependenciesOf({ tree, source }: BracketedSentence, { traces }: ReadingOptions): Sentence {
  const sentence = dependenciesOfPhrases(tree, { traces, place: source });
  const lines = new Int32Array(sentence.length + 1).fill(source.line);
  return { ...sentence, phrases: tree, source: { ...source, format: 'brackets', lines } };
}

export interface ReadSentencesOptions extends Omit<ReadingOptions, 'format' | 'expect'> {
  /** Default: recognised from the first lines. */
  readonly format?: ReadingOptions['format'] | undefined;
  /** What the heads must form; default: `tokens`. */
  readonly expect?: ReadingOptions['expect'] | undefined;
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
