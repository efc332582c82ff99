/** Pairs have the lower bits of packed counts, arcs those above them, but for the sign. */
const PAIR_BITS = 16;
const MOST_PAIRS = 2 ** PAIR_BITS - 1;
const MOST_ARCS = 2 ** (31 - PAIR_BITS) - 1;

/**
 * Counts of pairs, and of arcs among them, packed into one whole number of 32 bits: in tables of millions of
 * such counts nearly all are small. Where they do not fit, the number is negative: their place in a list.
 */
export class PackedCounts {
  private readonly largePairs: number[] = [];
  private readonly largeArcs: number[] = [];

  pairs(packed: number): number {
    return packed < 0 ? this.largePairs[~packed] : packed & MOST_PAIRS;
  }

  arcs(packed: number): number {
    return packed < 0 ? this.largeArcs[~packed] : packed >> PAIR_BITS;
  }

  /** Packed counts of so many more; 0 are those of none. */
  plus(packed: number, pairs: number, arcs: number): number {
    const allPairs = this.pairs(packed) + pairs;
    const allArcs = this.arcs(packed) + arcs;
    if (packed >= 0 && allPairs <= MOST_PAIRS && allArcs <= MOST_ARCS)
      return (allArcs << PAIR_BITS) | allPairs;
    const place = packed < 0 ? ~packed : this.largePairs.length;
    this.largePairs[place] = allPairs;
    this.largeArcs[place] = allArcs;
    return ~place;
  }
}
