/**
 * The ranks of values, 1 for the best; equal ones share the mean of theirs (Demšar 2006, section 3.2.2).
 *
 * @param better whether higher or lower values are better
 */
export function ranks(values: readonly number[], better: 'higher' | 'lower' = 'higher'): number[] {
  const sign = better === 'higher' ? 1 : -1;
  return values.map((own) => {
    const before = values.filter((value) => sign * value > sign * own).length;
    const equal = values.filter((value) => value === own).length;
    return before + (equal + 1) / 2;
  });
}

/**
 * Nemenyi's critical difference: mean ranks of `systems` over `blocks` (treebanks) that differ by less are not told
 * apart, at α = 0.05 for all pairs together (Demšar 2006, section 3.2.2, formula 6): q √(k (k + 1) / 6N), with q that
 * of the studentized range with infinitely many degrees of freedom, divided by √2.
 */
export function criticalDifference(systems: number, blocks: number): number {
  return studentizedRange(systems) * Math.sqrt((systems * (systems + 1)) / (12 * blocks));
}

const ALPHA = 0.05;

/** The value that the range of k standard normal variables exceeds with probability α. */
function studentizedRange(k: number): number {
  let [low, high] = [0, 20];
  while (high - low > 1e-6) {
    const middle = (low + high) / 2;
    if (1 - rangeAtMost(middle, k) > ALPHA) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const STEP = 0.01;
const FAR = 8;

/** The probability that the range of k standard normal variables is at most q: `k ∫ φ(x) (Φ(x) − Φ(x − q))^(k−1) dx`. */
function rangeAtMost(q: number, k: number): number {
  let sum = 0;
  for (let x = -FAR; x <= FAR; x += STEP) {
    const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
    sum += density * (normalBelow(x) - normalBelow(x - q)) ** (k - 1);
  }
  return k * sum * STEP;
}

/** Φ, within 1.5 · 10⁻⁷ (Abramowitz & Stegun 1964, 7.1.26). */
function normalBelow(x: number): number {
  const t = 1 / (1 + (0.3275911 * Math.abs(x)) / Math.SQRT2);
  const series =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const half = (series * Math.exp((-x * x) / 2)) / 2;
  return x < 0 ? half : 1 - half;
}
