/**
 * How alternatives are put together on a chart of scores that add up along a tree: `best` gives scores of best
 * trees, `total` logarithms of sums over all trees.
 */
export interface Semiring {
  /** Puts together the first `count` terms, of which none is NaN; −∞ where there is none. */
  sum(terms: Float64Array, count: number): number;
}

/** The highest. */
export const best: Semiring = {
  sum(terms, count) {
    let highest = -Infinity;
    for (let t = 0; t < count; t++) if (terms[t] > highest) highest = terms[t];
    return highest;
  },
};

/** Terms that far below the highest change nothing that could be seen. */
const NEGLIGIBLE = -36;

/** log Σ exp, safe from overflow. */
export const total: Semiring = {
  sum(terms, count) {
    const highest = best.sum(terms, count);
    if (highest === -Infinity) return highest;
    let sum = 0;
    for (let t = 0; t < count; t++) {
      const below = terms[t] - highest;
      if (below > NEGLIGIBLE) sum += Math.exp(below);
    }
    return highest + Math.log(sum);
  },
};
