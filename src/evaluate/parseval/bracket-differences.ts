import type { Bracket } from './flat-tree.ts';
import type { SentenceScore } from './score-sentence.ts';

/** How a bracket may be in error: gold's is missing; a predicted one is wrong, or even crosses one of gold's. */
export const bracketErrorKinds = ['missing', 'wrong', 'crossing'] as const;

/** The brackets of a sentence that are in error; those that cross are wrong, too. */
export type BracketDifferences = Readonly<Record<(typeof bracketErrorKinds)[number], readonly Bracket[]>>;

export function bracketDifferences({
  gold,
  predicted,
  matched,
  crossing,
}: SentenceScore): BracketDifferences {
  const found = new Set(matched.map((match) => match.gold));
  const right = new Set(matched.map((match) => match.predicted));
  return {
    missing: gold.filter((bracket) => !found.has(bracket)),
    wrong: predicted.filter((bracket) => !right.has(bracket)),
    crossing,
  };
}

/** A gold bracket, and the label that a parser has over the same words instead. */
export interface RelabelledBracket {
  readonly bracket: Bracket;
  readonly given: string;
}

/** The missing brackets that have wrong ones over the same words; of several the outer ones first. */
export function relabelledBrackets({ missing, wrong }: BracketDifferences): RelabelledBracket[] {
  const left = [...wrong];
  return missing.flatMap((bracket) => {
    const at = left.findIndex(({ start, end }) => start === bracket.start && end === bracket.end);
    if (at < 0) return [];
    const [{ label: given }] = left.splice(at, 1);
    return [{ bracket, given }];
  });
}
