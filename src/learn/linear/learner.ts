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
