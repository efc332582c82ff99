import { InputError } from '../../errors.ts';
import { countLines } from '../../files/text/encoding.ts';
import { readColumns } from '../columns/columns.ts';
import { isBlank, lineAfter, type TextBatch } from '../reading/blocks.ts';
import type { ReadingOptions } from '../reading/reading-options.ts';
import type { Sentence } from '../sentence.ts';
import { type ConlluText, conlluOf } from './conllu-of-json.ts';

/**
 * The sentences of a batch of JSON Lines, in order; joining their source texts gives the batch back (where none is
 * skipped).
 *
 * @throws InputError at the first sentence that is not as expected, unless `skipInvalid`
 */
export function* readJsonLines(batch: TextBatch, options: ReadingOptions): Generator<Sentence> {
  for (const block of blocksOf(batch)) {
    let sentence: Sentence | undefined;
    try {
      sentence = readBlock(block, options);
    } catch (error) {
      if (!options.skipInvalid || !(error instanceof InputError)) throw error;
      options.onSkip?.(error);
    }
    if (sentence !== undefined) yield sentence;
  }
}

/** A line with the blank lines after it; the first one's has those before it, too. */
interface LineBlock extends TextBatch {
  /** The number of the line that is not blank. */
  readonly sentenceLine: number;
}

function* blocksOf({ file, line: firstLine, text }: TextBatch): Generator<LineBlock> {
  let line = firstLine;
  for (let start = 0; start < text.length; ) {
    let at = start;
    while (at < text.length && isBlank(text, at)) at = lineAfter(text, at);
    if (at === text.length) return;
    const sentenceLine = line + countLines(text.slice(start, at), at - start);
    at = lineAfter(text, at);
    while (at < text.length && isBlank(text, at)) at = lineAfter(text, at);
    const block = text.slice(start, at);
    yield { file, line, sentenceLine, text: block };
    line += countLines(block, block.length);
    start = at;
  }
}

function readBlock({ file, line, sentenceLine, text }: LineBlock, options: ReadingOptions): Sentence {
  let conllu: ConlluText | undefined;
  try {
    conllu = conlluOf(text);
    const reading = { ...options, skipInvalid: false };
    const sentence = readColumns({ file, line: 1, text: conllu.text }, 'conllu', reading).next()
      .value as Sentence;
    const lines = new Int32Array(sentence.length + 1).fill(sentenceLine);
    lines[0] = line;
    return { ...sentence, source: { file, format: 'json', line, text, lines } };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const name = conllu?.names[(error.place.line ?? 0) - 1];
    const problem = name === undefined ? error.problem : `${name}: ${error.problem}`;
    throw new InputError(problem, { file, line: sentenceLine });
  }
}
