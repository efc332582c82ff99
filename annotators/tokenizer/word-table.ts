import { InputError } from '../../src/errors.ts';
import type { ModelReader } from '../../src/model/model-reader.ts';
import type { ModelWriter } from '../../src/model/model-writer.ts';

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

/**
 * What is known of the tokens of the training data, by the hashes of their lower-cased characters: an open
 * hash table of whole numbers.
 */
export class WordTable {
  readonly #keys: Int32Array;
  readonly #facts: Uint8Array;
  readonly #mask: number;

  constructor(
    private readonly hashes: Int32Array,
    private readonly factsOf: Uint8Array,
  ) {
    const size = 2 ** Math.ceil(Math.log2(2 * hashes.length + 2));
    this.#keys = new Int32Array(size);
    this.#facts = new Uint8Array(size);
    this.#mask = size - 1;
    for (let i = 0; i < hashes.length; i++) {
      const slot = this.#slotOf(hashes[i]);
      this.#keys[slot] = hashes[i];
      this.#facts[slot] = factsOf[i];
    }
  }

  static load(model: ModelReader): WordTable {
    const hashes = model.section('tokenizer.words', 'int32');
    const facts = model.section('tokenizer.facts', 'uint8');
    if (facts.length !== hashes.length) {
      const problem = `${facts.length} facts of words in section tokenizer.facts, expected ${hashes.length}`;
      throw new InputError(problem, { file: model.name });
    }
    return new WordTable(hashes, facts);
  }

  save(model: ModelWriter): void {
    model.section('tokenizer.words', this.hashes);
    model.section('tokenizer.facts', this.factsOf);
  }

  isKnown(hash: number): boolean {
    return (this.#facts[this.#slotOf(hash)] & Fact.known) !== 0;
  }

  isBeginning(hash: number): boolean {
    return (this.#facts[this.#slotOf(hash)] & Fact.beginning) !== 0;
  }

  /** One of `Case`. */
  caseOf(hash: number): number {
    return this.#facts[this.#slotOf(hash)] >> CASE_SHIFT;
  }

  /** Where a hash stands, or would; facts are 0 where there is none. */
  #slotOf(hash: number): number {
    let slot = Math.imul(hash, 0x9e3779b1) & this.#mask;
    while (this.#facts[slot] !== 0 && this.#keys[slot] !== hash) slot = (slot + 1) & this.#mask;
    return slot;
  }
}

/** The facts of one token as a number; 0 where nothing is known. */
export function factsAs(known: boolean, beginning: boolean, writtenAs: number): number {
  return (known ? Fact.known : 0) | (beginning ? Fact.beginning : 0) | (writtenAs << CASE_SHIFT);
}
