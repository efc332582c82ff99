/**
 * How a linear structured model changes when its best answer is not the right one: weights move by `step`
 * times (features of the right answer − features of the answer found).
 */
export interface Learner {
  /** Parse with the mean of all weights that there have been, not with the last. */
  readonly averaged: boolean;
  /** Added for every wrong part (arc, label, transition) of an answer while learning: it makes the worst offence. */
  readonly cost: number;
  /**
   * The step, a whole number.
   * @param violation by how much the answer found, its cost included, scores above the right one; not above
   *   0 where the decoder cannot give the right answer (a projective decoder, a non-projective tree)
   * @param difference what the two answers' features differ by
   */
  step(violation: number, difference: { squaredNorm(): number }): number;
}

/** What a weight of 1 is written as by learners whose steps are fractions. */
export const UNIT = 1024;

const perceptron: Learner = { averaged: false, cost: 0, step: () => 1 };

/**
 * Single-best MIRA (Crammer & Singer 2003; McDonald, Crammer & Pereira 2005, with k = 1): the smallest change
 * after which the right answer scores above the one found by as many units as that has wrong parts.
 */
const mira: Learner = {
  averaged: true,
  cost: UNIT,
  step: (violation, difference) =>
    violation > 0 ? Math.round(violation / Math.max(1, difference.squaredNorm())) : 0,
};

/** The learners by name. */
export const learners = {
  'averaged-perceptron': { ...perceptron, averaged: true },
  perceptron,
  mira,
} satisfies Record<string, Learner>;
export type LearnerName = keyof typeof learners;
export const learnerNames = Object.keys(learners) as [LearnerName, ...LearnerName[]];

/** What is used where nothing else is asked for: the most accurate. */
export const DEFAULT_LEARNER: LearnerName = 'mira';

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
