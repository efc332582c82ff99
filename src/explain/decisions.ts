import type { Alternative, Contribution, Decision } from './shared.ts';

export type FilledTemplate = { readonly template: string; readonly feature: string };

export function contributionsOf(
  features: readonly FilledTemplate[],
  weightOf: (place: number) => number,
): Contribution[] {
  return features
    .map(({ template, feature }, i) => ({ template, feature, weight: weightOf(i) }))
    .filter(({ weight }) => weight !== 0);
}

export const alternativeOf = (name: string, contributions: Contribution[]): Alternative => ({
  name,
  score: contributions.reduce((sum, { weight }) => sum + weight, 0),
  contributions,
});

export function decisionOf(
  against: 'gold' | 'runner-up',
  chosen: Alternative,
  other: Alternative | undefined,
): Decision {
  if (other === undefined) return { against: 'nothing', alternatives: [chosen], margin: null };
  return { against, alternatives: [chosen, other], margin: chosen.score - other.score };
}

/** The highest-scoring item other than the chosen one; ties go to the first. */
export function runnerUpOf<T>(all: Iterable<T>, chosen: T, scoreOf: (one: T) => number): T | undefined {
  let best: T | undefined;
  for (const one of all) {
    if (one !== chosen && (best === undefined || scoreOf(one) > scoreOf(best))) best = one;
  }
  return best;
}
