import type { Choices } from '../choices.ts';

/** The gradient of a part is that of all the choices that have it. */
export function sumOverParts(gradients: Float64Array, { members, sharing }: Choices): void {
  for (let p = 0; p < sharing.length; p++) {
    let sum = 0;
    for (let s = 0; s < sharing[p].length; s++) sum += gradients[sharing[p][s]];
    gradients[members.length + p] = sum;
  }
}

/**
 * Turns the scores of choices into the gradients of the log-likelihood of the right one: the choices' likelihoods,
 * less one for the right one. Returns how likely that was.
 */
export function toGradients(scores: Float64Array, length: number, right: number): number {
  let highest = scores[0];
  for (let c = 1; c < length; c++) highest = Math.max(highest, scores[c]);
  let sum = 0;
  for (let c = 0; c < length; c++) {
    scores[c] = Math.exp(scores[c] - highest);
    sum += scores[c];
  }
  for (let c = 0; c < length; c++) scores[c] /= sum;
  const likelihood = scores[right];
  scores[right] -= 1;
  return likelihood;
}
