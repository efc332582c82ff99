import type { ParseExplanation } from '../../explain/explanation.ts';
import type { ExplainedToken } from '../../explain/shared.ts';
import type { TitledTable } from '../tables/titled-table.ts';

/** A part of an explanation as readers see it: in a terminal, or on a page. */
export interface ExplanationSection {
  readonly title: string;
  /** What there is to say, a line each. */
  readonly lines: readonly string[];
  readonly tables: readonly TitledTable[];
}

/** `saw (3)`, or `the root`. */
export function named(tokens: readonly ExplainedToken[], d: number): string {
  return d === 0 ? 'the root' : `${tokens[d]?.form} (${d})`;
}

/** Several of these. */
export function namedAll(tokens: readonly ExplainedToken[], all: readonly number[]): string {
  return all.map((d) => named(tokens, d)).join(', ');
}

/** That some arcs are not those of the search. */
export function liftedLine({ tree, built }: Pick<ParseExplanation, 'tree' | 'built'>): string[] {
  if (built === undefined) return [];
  const moved = tree.heads.filter((head, d) => head !== built.heads[d]).length;
  return [
    `Arcs that the labels say were lifted for the tree to be projective were put back afterwards: ${moved}.`,
  ];
}

/** A score as readers want it: few digits, but never too few. */
export function shownScore(score: number): string {
  if (Number.isInteger(score) || Math.abs(score) >= 1000) return Math.round(score).toLocaleString('en-US');
  return score.toFixed(Math.abs(score) < 100 ? 3 : 1);
}
