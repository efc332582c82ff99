/** Passes after which the search ends, converged or not: contradictory constraints have no answer. */
const PASSES = 1000;
/** A constraint counts as met where it is off by no more than this part of the largest violation. */
const TOLERANCE = 1e-6;

/**
 * Hildreth's algorithm (Censor & Zenios 1997, Parallel Optimization, ch. 6) for the smallest change that
 * meets k constraints: the Δ of least |Δ|² with Δ·fᵢ ≥ bᵢ for all i. That Δ is Σ αᵢ fᵢ; the multipliers α ≥ 0
 * are found by setting one after the other, in a fixed order, so that its own constraint is just met, or to 0
 * where it is met anyhow.
 *
 * @param gram the inner products fᵢ·fⱼ at i * k + j
 * @param violations the bᵢ: by how much the constraints are violated before the change; below 0 where they
 *   are not
 * @param multipliers where the k multipliers go; a constraint with fᵢ = 0, which no change can help, gets 0
 */
export function hildreth(
  gram: Float64Array,
  violations: Float64Array,
  k: number,
  multipliers: Float64Array,
): void {
  let tolerance = 0;
  for (let i = 0; i < k; i++) tolerance = Math.max(tolerance, TOLERANCE * violations[i]);
  multipliers.fill(0, 0, k);
  for (let pass = 0; pass < PASSES; pass++) {
    let worst = 0;
    for (let i = 0; i < k; i++) {
      const squaredNorm = gram[i * k + i];
      if (squaredNorm === 0) continue;
      let lacking = violations[i];
      for (let j = 0; j < k; j++) if (j !== i) lacking -= gram[i * k + j] * multipliers[j];
      const before = multipliers[i];
      multipliers[i] = Math.max(0, lacking / squaredNorm);
      worst = Math.max(worst, Math.abs(multipliers[i] - before) * squaredNorm);
    }
    if (worst <= tolerance) return;
  }
}
