import { InputError } from '../../src/errors.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';

/** The names of the sections that a table is kept in. */
export interface FactSections {
  readonly hashes: string;
  readonly facts: string;
}

/** What is known of strings, a byte each, by the strings' hashes: an open hash table of whole numbers. */
export class FactTable {
  private readonly keys: Int32Array;
  private readonly facts: Uint8Array;
  private readonly mask: number;

  constructor(
    private readonly hashes: Int32Array,
    private readonly factsOf: Uint8Array,
  ) {
    const size = 2 ** Math.ceil(Math.log2(2 * hashes.length + 2));
    this.keys = new Int32Array(size);
    this.facts = new Uint8Array(size);
    this.mask = size - 1;
    for (let i = 0; i < hashes.length; i++) {
      const slot = this.slotOf(hashes[i]);
      this.keys[slot] = hashes[i];
      this.facts[slot] = factsOf[i];
    }
  }

  static load(model: ModelReader, sections: FactSections): FactTable {
    const hashes = model.section(sections.hashes, 'int32');
    const facts = model.section(sections.facts, 'uint8');
    if (facts.length !== hashes.length) {
      const problem = `${facts.length} facts of words in section ${sections.facts}, expected ${hashes.length}`;
      throw new InputError(problem, { file: model.name });
    }
    return new FactTable(hashes, facts);
  }

  save(model: ModelWriter, sections: FactSections): void {
    model.section(sections.hashes, this.hashes);
    model.section(sections.facts, this.factsOf);
  }

  /** The facts of a string; 0 where nothing is known. */
  of(hash: number): number {
    return this.facts[this.slotOf(hash)];
  }

  /** Where a hash stands, or would. */
  private slotOf(hash: number): number {
    let slot = Math.imul(hash, 0x9e3779b1) & this.mask;
    while (this.facts[slot] !== 0 && this.keys[slot] !== hash) slot = (slot + 1) & this.mask;
    return slot;
  }
}
