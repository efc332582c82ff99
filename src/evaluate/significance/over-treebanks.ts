/** The value without its rounding errors, which would make equal means differ. */
const withoutRoundingError = (value: number) => Math.round(value * 1e9) / 1e9;

/** Ranks values, 1 for the best; ties share their mean rank (Demšar 2006, section 3.2.2). */
export function ranks(values: readonly number[], better: 'higher' | 'lower' = 'higher'): number[] {
  const sign = better === 'higher' ? 1 : -1;
  const compared = values.map(withoutRoundingError);
  return compared.map((own) => {
    const before = compared.filter((value) => sign * value > sign * own).length;
    return before + (compared.filter((value) => value === own).length + 1) / 2;
  });
}

/**
 * Nemenyi's critical difference at α = 0.05 (Demšar 2006, section 3.2.2, formula 6): mean ranks of k `systems` over
 * N `blocks` (treebanks) that differ by less do not differ significantly. q √(k (k + 1) / 6N), where q is the
 * quantile of the studentized range with infinite degrees of freedom, divided by √2.
 */
export const criticalDifference = (systems: number, blocks: number): number =>
  studentizedRange(systems) * Math.sqrt((systems * (systems + 1)) / (12 * blocks));

const ALPHA = 0.05;

/** The (1 − α) quantile of the range of k standard normal variables. */
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

/** P(range of k standard normal variables ≤ q) = `k ∫ φ(x) (Φ(x) − Φ(x − q))^(k−1) dx`. */
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

/**
 * Computes the exact two-sided p-value of Wilcoxon's signed-rank test on two systems' values by treebank (Demšar
 * 2006, section 3.1.3): twice the share of sign assignments whose rank sum is at most the smaller observed
 * one. Zero differences are dropped (Wilcoxon 1945); p = 1 if none is left.
 */
export function wilcoxon(a: readonly number[], b: readonly number[]): number {
  const differences = a
    .map((value, i) => withoutRoundingError(value - b[i]))
    .filter((difference) => difference !== 0);
  // Doubled, so that mean ranks of ties are integers.
  const sizes = ranks(differences.map(Math.abs), 'lower').map((rank) => 2 * rank);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const positive = sizes.reduce((sum, size, i) => sum + (differences[i] > 0 ? size : 0), 0);
  const shares = new Float64Array(total + 1);
  shares[0] = 1;
  for (const size of sizes) {
    for (let sum = total; sum >= 0; sum--)
      shares[sum] = (shares[sum] + (sum >= size ? shares[sum - size] : 0)) / 2;
  }
  return Math.min(
    1,
    2 * shares.subarray(0, Math.min(positive, total - positive) + 1).reduce((sum, share) => sum + share, 0),
  );
}
