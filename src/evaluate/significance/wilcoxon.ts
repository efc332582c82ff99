import { ranks } from './ranks.ts';

/**
 * The two-sided p-value of Wilcoxon's signed-rank test that two systems are equally good, from one value each on
 * every treebank (Demšar 2006, section 3.1.3). Exact: of all ways to give the ranks of the differences' sizes signs,
 * the share in which one sum of them is at most as large as the smaller one found. Ranks of differences of zero are
 * left out with them (Wilcoxon 1945); 1 where nothing else is left.
 *
 * @param a values of the one, by treebank, as many as `b`
 */
export function wilcoxon(a: readonly number[], b: readonly number[]): number {
  const differences = a.map((value, i) => value - b[i]).filter((difference) => difference !== 0);
  // Twice the ranks: whole numbers, though equal sizes share a mean.
  const sizes = ranks(differences.map(Math.abs), 'lower').map((rank) => 2 * rank);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const positive = sizes.reduce((sum, size, i) => sum + (differences[i] > 0 ? size : 0), 0);
  const smaller = Math.min(positive, total - positive);
  return Math.min(1, 2 * shareAtMost(smaller, sizes, total));
}

/** Of all subsets, the share whose sizes sum to at most `bound`. */
function shareAtMost(bound: number, sizes: readonly number[], total: number): number {
  const shares = new Float64Array(total + 1);
  shares[0] = 1;
  for (const size of sizes) {
    for (let sum = total; sum >= 0; sum--) {
      shares[sum] = (shares[sum] + (sum >= size ? shares[sum - size] : 0)) / 2;
    }
  }
  return shares.subarray(0, bound + 1).reduce((sum, share) => sum + share, 0);
}
