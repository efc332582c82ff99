import type { ModelReader } from '../../../src/model/model-reader.ts';
import type { ModelWriter } from '../../../src/model/model-writer.ts';
import { FactTable } from '../word-table.ts';

/** Counts of strings of atoms (hits: tokens) and of places between atoms (hits: token ends), as classes. */
export interface SpanFacts {
  /** The class by counts without this occurrence; `isHit`: whether it is a hit, only used in training. */
  of(hash: number, isHit: boolean): number;
}

const SECTIONS = { hashes: 'tokenizer.spans', facts: 'tokenizer.spanFacts' };
const MOST = 5;
/** Classes of shares between never and always. */
const SHARES = 7;
/** Classes of shares with never, always and unseen. */
const CLASSES = SHARES + 3;

/** Facts of a string seen `all` times, `tokens` as a token; 0 if unseen, or seen once and not as a token. */
export function spanFacts(tokens: number, all: number): number {
  if (all <= 0 || (all === 1 && tokens === 0)) return 0;
  return countClass(tokens) * CLASSES + shareClass(tokens, all);
}

/** The class of the share of occurrences that were tokens; 0 if unseen. */
export const shareOf = (facts: number): number => facts % CLASSES;

function shareClass(tokens: number, all: number): number {
  if (tokens <= 0) return 1;
  return tokens >= all ? CLASSES - 1 : 2 + Math.floor((SHARES * tokens) / all);
}

/** 0, 1, 2, 3, 4–7, more. */
function countClass(count: number): number {
  if (count < 4) return count;
  return count < 8 ? 4 : MOST;
}

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
