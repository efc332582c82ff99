import { InputError } from '../errors.ts';
import { countLines } from '../files/encoding.ts';
import type { TextBatch } from './blocks.ts';
import { parseBrackets, TreeSplitter } from './brackets.ts';
import { readColumns } from './columns.ts';
import { dependenciesOfPhrases } from './phrase-dependencies.ts';
import type { BracketedSentence } from './phrase-tree.ts';
import type { ReadingOptions } from './reading.ts';
import type { Sentence } from './sentence.ts';

/**
 * The sentences of a batch, in order, with their dependencies (of bracketed trees: by the head rules).
 * Synchronous and without state, so that workers can do it.
 *
 * @throws InputError at the first sentence that is not as expected, unless `skipInvalid`
 */
export function readBatch(batch: TextBatch, options: ReadingOptions): Generator<Sentence> {
  return options.format === 'brackets'
    ? readBracketBatch(batch, options)
    : readColumns(batch, options.format, options);
}

function* readBracketBatch(batch: TextBatch, options: ReadingOptions): Generator<Sentence> {
  let { line } = batch;
  for (const text of treesOf(batch.text)) {
    let sentences: Sentence[] = [];
    try {
      const parsed = parseBrackets(text, { file: batch.file, line });
      sentences = Array.from(parsed, (tree) => dependenciesOf(tree, options));
    } catch (error) {
      if (!options.skipInvalid || !(error instanceof InputError)) throw error;
      options.onSkip?.(error);
    }
    yield* sentences;
    line += countLines(text, text.length);
  }
}

/** The texts of single trees. */
export function treesOf(text: string): string[] {
  const splitter = new TreeSplitter();
  return [...splitter.push(text), splitter.end()];
}

function dependenciesOf({ tree, source }: BracketedSentence, { traces }: ReadingOptions): Sentence {
  const sentence = dependenciesOfPhrases(tree, { traces, place: source });
  const lines = new Int32Array(sentence.length + 1).fill(source.line);
  return { ...sentence, phrases: tree, source: { ...source, format: 'brackets', lines } };
}
