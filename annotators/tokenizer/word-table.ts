import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import { FactTable } from './fact-table.ts';

/** Facts about a token, as bits. */
export const Fact = {
  /** It occurs more than once in the training data. */
  known: 1,
  /** A longer token begins with it and a blank. */
  beginning: 2,
} as const;

/** How a word is written where no sentence begins, as a number of three bits above those. */
const CASE_SHIFT = 2;
export const Case = { unseen: 0, alwaysUpper: 1, neverUpper: 2, mostlyUpper: 3, mostlyLower: 4 } as const;

const SECTIONS = { hashes: 'tokenizer.words', facts: 'tokenizer.facts' };

/** What is known of the tokens of the training data, by the hashes of their lower-cased characters. */
export class WordTable {
  constructor(private readonly table: FactTable) {}

  static load(model: ModelReader): WordTable {
    return new WordTable(FactTable.load(model, SECTIONS));
  }

  save(model: ModelWriter): void {
    this.table.save(model, SECTIONS);
  }

  isKnown(hash: number): boolean {
    return (this.table.of(hash) & Fact.known) !== 0;
  }

  isBeginning(hash: number): boolean {
    return (this.table.of(hash) & Fact.beginning) !== 0;
  }

  /** One of `Case`. */
  caseOf(hash: number): number {
    return this.table.of(hash) >> CASE_SHIFT;
  }
}

/** The facts of one token as a number; 0 where nothing is known. */
export function factsAs(known: boolean, beginning: boolean, writtenAs: number): number {
  return (known ? Fact.known : 0) | (beginning ? Fact.beginning : 0) | (writtenAs << CASE_SHIFT);
}
