import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import { FactTable } from '../fact-table.ts';

/** What is known of strings of atoms and of places between two, each of which may be what is looked for. */
export interface SpanFacts {
  /**
   * How often a string was seen elsewhere than here, and how often it was a token, as a number. For the place
   * between two atoms: how often these were seen together, and how often a token ended between them.
   *
   * @param isSo whether it is a token, or the end of one, here
   */
  of(hash: number, isSo: boolean): number;
}

const SECTIONS = { hashes: 'tokenizer.spans', facts: 'tokenizer.spanFacts' };

/** Counts are told apart up to here. */
const MOST = 5;
/** Shares of strings that are tokens sometimes are told apart by this many classes. */
const SHARES = 7;
/** Classes of shares, with never, always and unseen. */
const CLASSES = SHARES + 3;

/**
 * The facts of a string that was seen `all` times, and as a token `tokens` times; 0 where it was not seen. One
 * that was seen once, and was no token, counts as such, too: most strings are, and it tells next to nothing.
 */
export function spanFacts(tokens: number, all: number): number {
  if (all <= 0 || (all === 1 && tokens === 0)) return 0;
  return countClass(tokens) * CLASSES + shareClass(tokens, all);
}

/** The class of the share of times that a string was a token; 0 where it was not seen. */
export function shareOf(facts: number): number {
  return facts % CLASSES;
}

function shareClass(tokens: number, all: number): number {
  if (tokens <= 0) return 1;
  return tokens >= all ? CLASSES - 1 : 2 + Math.floor((SHARES * tokens) / all);
}

/** 0 to 3, to 7, more. */
function countClass(count: number): number {
  if (count < 4) return count;
  return count < 8 ? 4 : MOST;
}

/** The facts of strings of atoms in the training data, to be looked up in other texts. */
export class SpanTable implements SpanFacts {
  constructor(private readonly table: FactTable) {}

  static load(model: ModelReader): SpanTable {
    return new SpanTable(FactTable.load(model, SECTIONS));
  }

  save(model: ModelWriter): void {
    this.table.save(model, SECTIONS);
  }

  of(hash: number): number {
    return this.table.of(hash);
  }
}
