import { mix } from '../../../src/learn/hashing.ts';
import { FactTable } from '../fact-table.ts';
import { EMPTY_HASH } from '../feature-list.ts';
import { ATOM_PAD, type Atoms, Place } from '../segments/atoms.ts';
import { isToken, LONGEST_SEGMENT } from '../segments/segmenter.ts';
import { type SpanFacts, SpanTable, spanFacts } from '../segments/span-table.ts';

/** How often strings of atoms occur in the training data, and how often as tokens, by their hashes. */
export class SpanCounts implements SpanFacts {
  readonly #all = new Map<number, number>();
  readonly #tokens = new Map<number, number>();

  /** Adds all strings of atoms that may be tokens; `ends` says of each atom whether a token ends after it. */
  add({ lowers, places, end }: Atoms, ends: Uint8Array): void {
    for (let first = ATOM_PAD; first < end; first++) {
      let hash = EMPTY_HASH;
      for (let a = first; a < Math.min(end, first + LONGEST_SEGMENT); a++) {
        hash = mix(hash, lowers[a]);
        this.#all.set(hash, (this.#all.get(hash) ?? 0) + 1);
        if (isToken(ends, first, a)) this.#tokens.set(hash, (this.#tokens.get(hash) ?? 0) + 1);
        if (places[a] === Place.end) break;
      }
    }
  }

  /** The facts without one occurrence of the string: to the tokenizer, it will be an unseen one. */
  of(hash: number, isToken: boolean): number {
    return spanFacts((this.#tokens.get(hash) ?? 0) - (isToken ? 1 : 0), (this.#all.get(hash) ?? 0) - 1);
  }

  table(): SpanTable {
    const hashes: number[] = [];
    const facts: number[] = [];
    for (const [hash, all] of this.#all) {
      const fact = spanFacts(this.#tokens.get(hash) ?? 0, all);
      if (fact === 0) continue;
      hashes.push(hash);
      facts.push(fact);
    }
    return new SpanTable(new FactTable(Int32Array.from(hashes), Uint8Array.from(facts)));
  }
}
