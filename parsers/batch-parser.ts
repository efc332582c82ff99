import { InputError, type Place } from '../src/errors.ts';
import type { TextBatch } from '../src/treebank/blocks.ts';
import type { ColumnFormat } from '../src/treebank/format.ts';
import { readBatch } from '../src/treebank/read-batch.ts';
import { formatSentence } from '../src/treebank/write.ts';
import type { Parser, ReadColumn } from './parser.ts';

export interface BatchOptions {
  readonly format: ColumnFormat;
  readonly skipInvalid: boolean;
}

/**
 * A malformed sentence, as data that can be sent between threads (an error would lose its class on the way).
 */
export interface Fault {
  readonly problem: string;
  readonly place: Place;
}

/** What became of a batch of sentences. */
export interface ParsedBatch {
  /** The batch's text with the heads and labels found; without the sentences left out. */
  readonly text: string;
  readonly sentences: number;
  readonly tokens: number;
  /** Sentences left out. */
  readonly skipped: readonly Fault[];
  /** What the parser had to say of single sentences: `file:line: notice`. */
  readonly notices: readonly string[];
  /** Columns that the parser reads and no token of the batch has anything in. */
  readonly lacking: readonly ReadColumn[];
  /** What ended the work, where malformed sentences are not to be left out: the text is then incomplete. */
  readonly fault?: Fault | undefined;
}

/** Parses a batch of text: the work of one thread, be it the only one or one of many. */
export function parseBatch(parser: Parser, batch: TextBatch, options: BatchOptions): ParsedBatch {
  const { format, skipInvalid } = options;
  const skipped: Fault[] = [];
  const notices: string[] = [];
  const onSkip = ({ problem, place }: InputError) => skipped.push({ problem, place });
  let lacking = parser.reads;
  let text = '';
  let sentences = 0;
  let tokens = 0;
  let fault: Fault | undefined;
  try {
    for (const sentence of readBatch(batch, { format, expect: 'tokens', skipInvalid, onSkip })) {
      const tree = parser.parse(sentence);
      if (lacking.length > 0) lacking = lacking.filter((column) => isEmpty(sentence[column]));
      if (tree.notice !== undefined) notices.push(`${batch.file}:${sentence.source?.line}: ${tree.notice}`);
      text += formatSentence(sentence, format, tree);
      sentences += 1;
      tokens += sentence.length;
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    fault = { problem: error.problem, place: error.place };
  }
  return { text, sentences, tokens, skipped, notices, lacking, fault };
}

/** Whether no token has a value. */
function isEmpty(column: readonly string[]): boolean {
  for (let i = 1; i < column.length; i++) if (column[i] !== '_') return false;
  return true;
}
