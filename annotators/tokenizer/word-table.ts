import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';
import { HashIndex, NONE } from '../hash-index.ts';

type FactSections = { readonly hashes: string; readonly facts: string };

/** Maps hashes of strings to a byte each; 0 for other strings. */
export class FactTable {
  private readonly numbers: HashIndex;

  constructor(
    private readonly hashes: Int32Array,
    private readonly facts: Uint8Array,
  ) {
    this.numbers = HashIndex.of(hashes);
  }

  static load(model: ModelReader, sections: FactSections): FactTable {
    const hashes = model.section(sections.hashes, 'int32');
    const facts = model.section(sections.facts, 'uint8');
    if (facts.length !== hashes.length)
      model.refuse(`${facts.length} facts of words in section ${sections.facts}, expected ${hashes.length}`);
    return new FactTable(hashes, facts);
  }

  save(model: ModelWriter, sections: FactSections): void {
    model.section(sections.hashes, this.hashes);
    model.section(sections.facts, this.facts);
  }

  of(hash: number): number {
    const number = this.numbers.numberOf(hash);
    return number === NONE ? 0 : this.facts[number];
  }
}

/** Bits that describe a token. */
const Fact = {
  /** It occurs more than once in the training data. */
  known: 1,
  /** A longer token begins with it and a blank. */
  beginning: 2,
} as const;

/** Case of a word away from sentence starts: three bits above those of `Fact`. */
const CASE_SHIFT = 2;
export const Case = { unseen: 0, alwaysUpper: 1, neverUpper: 2, mostlyUpper: 3, mostlyLower: 4 } as const;
const SECTIONS = { hashes: 'tokenizer.words', facts: 'tokenizer.facts' };

/** The known tokens, by the hashes of their lower-cased characters: a byte of `Fact` bits and the case above them. */
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

  caseOf(hash: number): number {
    return this.table.of(hash) >> CASE_SHIFT;
  }
}

export const factsAs = (known: boolean, beginning: boolean, writtenAs: number): number =>
  (known ? Fact.known : 0) | (beginning ? Fact.beginning : 0) | (writtenAs << CASE_SHIFT);
