/** An update rule: weights change by `step` × (features of the gold structure − features of the predicted one). */
export interface Learner {
  /** Whether to parse with the average of all past weights instead of the last. */
  readonly averaged: boolean;
  /** Cost added to the score of every wrong part (arc, label, transition) in training. */
  readonly cost: number;
  /**
   * Typical root mean square of the nonzero weights after training, to which further training scales a model's weights.
   * Measured: 2.4 (perceptron) and 20 (mira) on UD English EWT, 1.7 and 13 on Hungarian; half or twice as much loses up to 1.4
   * LAS on GENIA, and 2.5 on EWT.
   */
  readonly usualSize: number;
  /** Difference of scores that makes a tree e times as probable as another, chosen for calibrated confidences. */
  readonly temperature: number;
  /** Weight of the current example: factor of its steps; default: 1. */
  readonly weight?: number | undefined;
  /**
   * The step, an integer.
   *
   * @param violation score of the prediction, cost included, minus score of the gold structure; may be negative or 0 if the
   *   decoder cannot find the gold structure (a projective decoder, a non-projective tree)
   * @param difference of the two structures' features
   */
  step(violation: number, difference: { squaredNorm(): number }): number;
}

/** Fixed-point representation of 1 in learners with fractional steps. */
export const UNIT = 1024;

const perceptron: Learner = { averaged: false, cost: 0, usualSize: 2, temperature: 24, step: () => 1 };

/** Single-best MIRA (Crammer & Singer 2003; McDonald et al. 2005, k = 1), with a margin of 1 for each wrong part. */
const mira: Learner = {
  averaged: true,
  cost: UNIT,
  usualSize: 16,
  temperature: 0.35 * UNIT,
  step: (violation, difference) =>
    violation > 0 ? Math.round(violation / Math.max(1, difference.squaredNorm())) : 0,
};

export const learners = {
  'averaged-perceptron': { ...perceptron, averaged: true },
  perceptron,
  mira,
} satisfies Record<string, Learner>;
export type LearnerName = keyof typeof learners;
export const learnerNames = Object.keys(learners) as [LearnerName, ...LearnerName[]];

/** Factor of perceptron steps, so that fractions of a step are integers as well. */
const STEP = 16;

/** A learner that scales its steps by the weight of the current example. */
export class WeighingLearner implements Learner {
  weight = 1;
  readonly averaged: boolean;
  readonly cost: number;
  readonly usualSize: number;
  readonly temperature: number;
  /** The factor of all steps. */
  readonly unit: number;

  constructor(private readonly learner: Learner) {
    this.averaged = learner.averaged;
    this.cost = learner.cost;
    this.usualSize = learner.usualSize;
    this.unit = learner.cost === 0 ? STEP : 1;
    this.temperature = learner.temperature * this.unit;
  }

  step(violation: number, difference: { squaredNorm(): number }): number {
    return Math.round(this.weight * this.unit * this.learner.step(violation, difference));
  }
}

/** The default learner: the most accurate. */
export const DEFAULT_LEARNER: LearnerName = 'mira';
/** Limit on passes: contradictory constraints have no solution. */
const PASSES = 1000;
/** Tolerated violation of a constraint, relative to the largest. */
const TOLERANCE = 1e-6;

/**
 * Hildreth's algorithm (Censor & Zenios 1997, Parallel Optimization, ch. 6): minimises |Δ|² subject to Δ·fᵢ ≥ bᵢ for
 * k constraints. The solution is Δ = Σ αᵢ fᵢ. Each multiplier αᵢ ≥ 0 in turn is set so that its constraint is just met,
 * or to 0 if it is met anyway.
 *
 * @param gram inner products fᵢ·fⱼ at i * k + j
 * @param violations the bᵢ, by which the constraints are violated before the change; negative if they are met
 * @param multipliers receives the k multipliers; 0 for a constraint with fᵢ = 0, which no change can meet
 */
export function hildreth(gram: Float64Array, violations: Float64Array, k: number, multipliers: Float64Array) {
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
