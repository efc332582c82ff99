import type { RuleColumns } from './inventory.ts';

/** The most substates that a symbol can have. */
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
    /** How many substates each symbol has. */
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
  for (let symbol = 0; symbol < substates.length; symbol++) {
    offsets[symbol + 1] = offsets[symbol] + substates[symbol];
  }
  return offsets;
}
