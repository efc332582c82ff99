import { detached } from '../../../src/platform/platform.ts';

/** Rules without probabilities, as columns; `parents` are the symbols that they expand. */
export interface RuleColumns {
  readonly parents: Int32Array;
  /** The left or only child; −1 for a rule that yields a word. */
  readonly lefts: Int32Array;
  /** The right child; −1 for none. */
  readonly rights: Int32Array;
}

/** Symbols and rules, numbered in order of first appearance. */
export class Inventory {
  readonly symbols: string[] = [];
  readonly rules: { readonly parent: number; readonly left: number; readonly right: number }[] = [];
  readonly counts: number[] = [];
  private readonly symbolNumbers = new Map<string, number>();
  private readonly ruleNumbers = new Map<string, number>();

  symbol(name: string): number {
    const known = this.symbolNumbers.get(name);
    if (known !== undefined) return known;
    const number = this.symbols.length;
    this.symbolNumbers.set(detached(name), number);
    this.symbols.push(name);
    return number;
  }

  /**
   * Counts a rule and returns its number; `kind`: the phrases along a unary rule, or the word below a tag.
   */
  use(parent: number, left = -1, right = -1, kind = ''): number {
    const key = `${parent} ${left} ${right} ${kind}`;
    let rule = this.ruleNumbers.get(key);
    if (rule === undefined) {
      rule = this.rules.length;
      this.ruleNumbers.set(detached(key), rule);
      this.rules.push({ parent, left, right });
      this.counts.push(0);
    }
    this.counts[rule]++;
    return rule;
  }

  columns(): RuleColumns {
    return {
      parents: Int32Array.from(this.rules, ({ parent }) => parent),
      lefts: Int32Array.from(this.rules, ({ left }) => left),
      rights: Int32Array.from(this.rules, ({ right }) => right),
    };
  }
}

export const MOST_SUBSTATES = 1024;

/**
 * A grammar with latent substates (Petrov, Barrett, Thibaux & Klein 2006, "Learning accurate, compact, and
 * interpretable tree annotation", P06-1055). A rule has an entry for every combination of its symbols'
 * substates with a probability above 0. Plain data that can be sent between threads.
 */
export interface SplitGrammar {
  readonly rules: RuleColumns;
  readonly substates: Int32Array;
  /** Where each rule's entries begin, and the number of all. */
  readonly starts: Int32Array;
  /** The substates of parent, left and right child of each entry, as `place` packs them. */
  readonly places: Int32Array;
  /** P(rule, children's substates | parent's substate), by entry. */
  readonly probabilities: Float64Array;
}

/** Relative frequencies, one substate per symbol. */
export function unsplit(rules: RuleColumns, counts: ArrayLike<number>, symbolCount: number): SplitGrammar {
  const { parents } = rules;
  const totals = new Float64Array(symbolCount);
  for (let rule = 0; rule < parents.length; rule++) totals[parents[rule]] += counts[rule];
  return {
    rules,
    substates: new Int32Array(symbolCount).fill(1),
    starts: Int32Array.from({ length: parents.length + 1 }, (_, rule) => rule),
    places: new Int32Array(parents.length),
    probabilities: Float64Array.from(parents, (parent, rule) => counts[rule] / totals[parent]),
  };
}

/** Packs the substates of parent, left and right child (0 for none) into one number. */
export function place(parent: number, left: number, right: number): number {
  return (parent << 20) | (left << 10) | right;
}

export const parentOf = (place: number): number => place >>> 20;
export const leftOf = (place: number): number => (place >>> 10) & 1023;
export const rightOf = (place: number): number => place & 1023;
/** A place without the parent's substate. */
export const childrenOf = (place: number): number => place & 0xf_ffff;

/** Where each symbol's substates begin, and the number of all. */
export function substateOffsets(substates: Int32Array): Int32Array {
  const offsets = new Int32Array(substates.length + 1);
  for (const [symbol, count] of substates.entries()) offsets[symbol + 1] = offsets[symbol] + count;
  return offsets;
}

export class EntryBuilder {
  private readonly starts: Int32Array;
  private places = new Int32Array(1024);
  private probabilities = new Float64Array(1024);
  private count = 0;
  private ruleCount = 0;

  constructor(private readonly rules: RuleColumns) {
    this.starts = new Int32Array(rules.parents.length + 1);
  }

  add(place: number, probability: number): void {
    if (this.count === this.places.length) this.grow();
    this.places[this.count] = place;
    this.probabilities[this.count++] = probability;
  }

  endRule(): void {
    this.starts[++this.ruleCount] = this.count;
  }

  grammar(substates: Int32Array): SplitGrammar {
    const { rules, starts, count } = this;
    const [places, probabilities] = [this.places.slice(0, count), this.probabilities.slice(0, count)];
    return { rules, substates, starts, places, probabilities };
  }

  private grow(): void {
    const places = new Int32Array(2 * this.count);
    const probabilities = new Float64Array(2 * this.count);
    places.set(this.places);
    probabilities.set(this.probabilities);
    this.places = places;
    this.probabilities = probabilities;
  }
}
