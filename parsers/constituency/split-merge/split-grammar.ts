import { detached } from '../../../src/encoding/vocabulary.ts';

/** Rules without probabilities, as columns of numbers: what they expand, and what into. */
export interface RuleColumns {
  /** Of every rule, the symbol that it expands. */
  readonly parents: Int32Array;
  /** The left child, or the only one; −1 where the rule gives a word. */
  readonly lefts: Int32Array;
  /** The right child; −1 where there is none. */
  readonly rights: Int32Array;
}

/** The symbols and rules that trees are made of, numbered in the order of their first appearance. */
export class Inventory {
  readonly symbols: string[] = [];
  readonly rules: { readonly parent: number; readonly left: number; readonly right: number }[] = [];
  readonly counts: number[] = [];
  private readonly symbolNumbers = new Map<string, number>();
  private readonly ruleNumbers = new Map<string, number>();

  /** The number of a symbol; the next free one where it is new. */
  symbol(name: string): number {
    const known = this.symbolNumbers.get(name);
    if (known !== undefined) return known;
    const number = this.symbols.length;
    this.symbolNumbers.set(detached(name), number);
    this.symbols.push(name);
    return number;
  }

  /**
   * The number of a rule, which is counted; the next free one where it is new. `kind` tells rules of the same
   * symbols apart: the phrases that a unary rule passes through, or the word that a tag gives.
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
 * A grammar whose symbols are split into substates that no treebank shows (Petrov, Barrett, Thibaux & Klein 2006,
 * "Learning accurate, compact, and interpretable tree annotation", P06-1055). A rule has a probability for every
 * combination of substates of its symbols; those that are 0 are left out.
 */
export class SplitGrammar {
  /** Relative frequencies of rules, no symbol split. */
  static unsplit(rules: RuleColumns, counts: ArrayLike<number>, symbolCount: number): SplitGrammar {
    const { parents } = rules;
    const totals = new Float64Array(symbolCount);
    for (let rule = 0; rule < parents.length; rule++) totals[parents[rule]] += counts[rule];
    return new SplitGrammar(
      rules,
      new Int32Array(symbolCount).fill(1),
      Int32Array.from({ length: parents.length + 1 }, (_, rule) => rule),
      new Int32Array(parents.length),
      Float64Array.from(parents, (parent, rule) => counts[rule] / totals[parent]),
    );
  }

  constructor(
    readonly rules: RuleColumns,
    readonly substates: Int32Array,
    /** Where the entries of each rule begin; at the end, how many there are. */
    readonly starts: Int32Array,
    /** Of every entry, the substates of parent, left and right child: `place`. */
    readonly places: Int32Array,
    /** Of every entry, P(rule with the children's substates | substate of the parent). */
    readonly probabilities: Float64Array,
  ) {}

  get ruleCount(): number {
    return this.rules.parents.length;
  }
}

/** The substates of a rule's parent, left and right child as one number; 0 where there is no child. */
export function place(parent: number, left: number, right: number): number {
  return (parent << 20) | (left << 10) | right;
}

export function parentOf(place: number): number {
  return place >>> 20;
}

export function leftOf(place: number): number {
  return (place >>> 10) & 1023;
}

export function rightOf(place: number): number {
  return place & 1023;
}

/** A place without its parent's substate: that of the children alone. */
export function childrenOf(place: number): number {
  return place & 0xf_ffff;
}

/** Where the substates of each symbol begin among those of all; at the end, how many these are. */
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

  /** The entries added from now on are those of the next rule. */
  endRule(): void {
    this.starts[++this.ruleCount] = this.count;
  }

  grammar(substates: Int32Array): SplitGrammar {
    const { rules, starts, count } = this;
    const places = this.places.slice(0, count);
    return new SplitGrammar(rules, substates, starts, places, this.probabilities.slice(0, count));
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
