import { InputError } from '../../errors.ts';
import { isMalformed, readTrees } from '../brackets/bracket-batch.ts';
import type { BracketedSentence } from '../brackets/phrase-tree.ts';
import { readColumns } from '../columns/columns.ts';
import { readJsonLines } from '../json/read-json.ts';
import { dependenciesOfPhrases } from '../phrases/phrase-dependencies.ts';
import type { Sentence } from '../sentence.ts';
import type { TextBatch } from './blocks.ts';
import type { ReadingOptions } from './reading-options.ts';

/**
 * The sentences of a batch, in order, with their dependencies (of bracketed trees: by the head rules).
 * Synchronous and without state, so that workers can do it.
 *
 * @throws InputError at the first sentence that is not as expected, unless `skipInvalid`
 */
export function readBatch(batch: TextBatch, options: ReadingOptions): Generator<Sentence> {
  const { format } = options;
  if (format === 'brackets') return readBracketBatch(batch, options);
  return format === 'json' ? readJsonLines(batch, options) : readColumns(batch, format, options);
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
