import { mix } from '../../../src/learn/hashing.ts';
import { FactTable } from '../fact-table.ts';
import { EMPTY_HASH } from '../feature-list.ts';
import { ATOM_PAD, type Atoms, Place } from '../segments/atoms.ts';
import { isToken, LONGEST_SEGMENT } from '../segments/segmenter.ts';
import { type SpanFacts, SpanTable, spanFacts } from '../segments/span-table.ts';

/** How often strings of atoms and places occur in the training data, and how often as tokens or their ends. */
export class SpanCounts implements SpanFacts {
  private readonly all = new Map<number, number>();
  private readonly hits = new Map<number, number>();

  /** Adds the places, and all strings of atoms that may be tokens. `ends`: whether a token ends after each. */
  add(atoms: Atoms, ends: Uint8Array): void {
    const { lowers, places, end } = atoms;
    for (let first = ATOM_PAD; first < end; first++) {
      if (places[first] !== Place.end) this.count(atoms.placeHash(first), ends[first] === 1);
      let hash = EMPTY_HASH;
      for (let a = first; a < Math.min(end, first + LONGEST_SEGMENT); a++) {
        hash = mix(hash, lowers[a]);
        this.count(hash, isToken(ends, first, a));
        if (places[a] === Place.end) break;
      }
    }
  }

  /** The facts without one occurrence: to the tokenizer, it will be an unseen one. */
  of(hash: number, isSo: boolean): number {
    return spanFacts((this.hits.get(hash) ?? 0) - (isSo ? 1 : 0), (this.all.get(hash) ?? 0) - 1);
  }

  private count(hash: number, isSo: boolean): void {
    this.all.set(hash, (this.all.get(hash) ?? 0) + 1);
    if (isSo) this.hits.set(hash, (this.hits.get(hash) ?? 0) + 1);
  }

  table(): SpanTable {
    const hashes: number[] = [];
    const facts: number[] = [];
    for (const [hash, all] of this.all) {
      const fact = spanFacts(this.hits.get(hash) ?? 0, all);
      if (fact === 0) continue;
      hashes.push(hash);
      facts.push(fact);
    }
    return new SpanTable(new FactTable(Int32Array.from(hashes), Uint8Array.from(facts)));
  }
}
