import { FactTable } from '../fact-table.ts';
import { FIELDS, Field, type TokenList } from '../sentences/token-list.ts';
import type { Units } from '../text/units.ts';
import { hashOf } from '../tokens/token-features.ts';
import { Case, factsAs, WordTable } from '../word-table.ts';

/** Numbers a word: how often it occurs where a sentence begins, elsewhere with a capital, elsewhere without. */
const COUNTS = 3;
const INITIAL = 0;
const UPPER = 1;
const LOWER = 2;

/** Counts the tokens of the training data, by the hashes of their lower-cased characters. */
export class WordCounts {
  private readonly numbers = new Map<number, number>();
  private counts = new Int32Array(COUNTS * 1024);
  private readonly beginnings = new Set<number>();

  /** Adds token t, which begins a sentence or not. */
  add({ data }: TokenList, t: number, isInitial: boolean): void {
    const lower = data[t * FIELDS + Field.lower];
    let number = this.numbers.get(lower);
    if (number === undefined) {
      number = this.numbers.size;
      this.numbers.set(lower, number);
      if (COUNTS * (number + 1) > this.counts.length) this.grow();
    }
    this.counts[COUNTS * number + kindOf(data, t, isInitial)]++;
  }

  /** Adds the parts of a token that end before one of its blanks. */
  addBeginnings(units: Units, tokens: TokenList, t: number): void {
    const start = tokens.startOf(t);
    for (let i = start; i < tokens.endOf(t); i++) {
      if (units.isBlank(i)) this.beginnings.add(hashOf(units.lowers, start, i));
    }
  }

  /** How a word is written elsewhere than at token t itself: to the tokenizer it will be an unseen one. */
  caseElsewhere({ data }: TokenList, t: number, isInitial: boolean): number {
    const at = COUNTS * this.numbers.get(data[t * FIELDS + Field.lower])!;
    const own = kindOf(data, t, isInitial);
    const left = (kind: number) => this.counts[at + kind] - (kind === own ? 1 : 0);
    return caseBy(left(INITIAL), left(UPPER), left(LOWER));
  }

  table(): WordTable {
    const hashes: number[] = [];
    const facts: number[] = [];
    for (const hash of new Set([...this.numbers.keys(), ...this.beginnings])) {
      const number = this.numbers.get(hash);
      const [initial, upper, lower] = number === undefined ? [0, 0, 0] : this.countsOf(number);
      const isKnown = initial + upper + lower > 1;
      hashes.push(hash);
      facts.push(factsAs(isKnown, this.beginnings.has(hash), caseBy(initial, upper, lower)));
    }
    return new WordTable(new FactTable(Int32Array.from(hashes), Uint8Array.from(facts)));
  }

  private countsOf(number: number): Int32Array {
    return this.counts.subarray(COUNTS * number, COUNTS * (number + 1));
  }

  private grow(): void {
    const longer = new Int32Array(2 * this.counts.length);
    longer.set(this.counts);
    this.counts = longer;
  }
}

function kindOf(data: Int32Array, t: number, isInitial: boolean): number {
  if (isInitial) return INITIAL;
  return data[t * FIELDS + Field.upper] === 1 ? UPPER : LOWER;
}

function caseBy(initial: number, upper: number, lower: number): number {
  if (initial + upper + lower === 0) return Case.unseen;
  if (upper === 0) return Case.neverUpper;
  if (lower === 0) return Case.alwaysUpper;
  return upper > lower ? Case.mostlyUpper : Case.mostlyLower;
}
