import type { ComparedParser, PairTests, Ranking, Significance } from './comparison.ts';
import { type MetricName, metrics } from './metrics.ts';

/** Differences with a corrected p of at most this are significant. */
export const significanceLevel = 0.05;

/** Whether one parser of a pair is better than the other, by stratified shuffling. */
export function isSignificant({ shuffling }: Pick<PairTests, 'shuffling'>): boolean {
  return shuffling.corrected <= significanceLevel;
}

/** Two parsers, by number, and how their scores differ. */
export interface TestedPair {
  readonly a: number;
  readonly b: number;
  readonly test: Pick<PairTests, 'difference' | 'shuffling'>;
}

/** The parsers by LAS, where that is tested, else by the first metric that is. */
export function rankingOf(parsers: readonly ComparedParser[], significance: Significance): Ranking {
  const tested = testedMetrics(significance);
  const metric = tested.includes('las') ? 'las' : tested[0];
  const scores = parsers.map(({ report }) => metrics[metric].score(report));
  return { metric, ...ranked(scores, testsBy(metric, significance)) };
}

/** All metrics by which the parsers are tested, in the order asked for. */
export function testedMetrics({ pairs }: Significance): MetricName[] {
  return Object.keys(pairs[0].tests) as MetricName[];
}

export function testsBy(metric: MetricName, { pairs }: Significance): TestedPair[] {
  return pairs.map(({ a, b, tests }) => ({ a, b, test: tests[metric]! }));
}

/** Parsers by their scores, and which of them do not differ significantly. */
export function ranked(
  scores: readonly number[],
  pairs: readonly TestedPair[],
): Pick<Ranking, 'order' | 'groups'> {
  const order = [...scores.keys()].sort((i, j) => scores[j] - scores[i] || i - j);
  const differing = pairs.filter(({ test }) => isSignificant(test));
  return { order, groups: groupsOf(order, differing) };
}

/**
 * The largest sets of which no two members differ significantly, best first. Differences are inserted one by
 * one, and sets that are part of others absorbed (Piepho 2004, An algorithm for a letter-based representation
 * of all-pairwise comparisons, section 2). Two parsers share a set where, and only where, they do not differ.
 */
function groupsOf(
  order: readonly number[],
  differing: readonly { readonly a: number; readonly b: number }[],
): number[][] {
  let groups = [new Set(order)];
  for (const { a, b } of differing) {
    const split = groups.flatMap((group) =>
      group.has(a) && group.has(b) ? [without(group, a), without(group, b)] : [group],
    );
    groups = split.filter((group, i) => !split.some((other, j) => absorbs(other, group, j < i)));
  }
  const ranks = new Map(order.map((parser, rank) => [parser, rank]));
  const rank = (parser: number) => ranks.get(parser)!;
  return groups
    .map((group) => [...group].sort((i, j) => rank(i) - rank(j)))
    .sort((x, y) => rank(x[0]) - rank(y[0]) || rank(x.at(-1)!) - rank(y.at(-1)!));
}

function without(group: ReadonlySet<number>, parser: number): Set<number> {
  return new Set([...group].filter((each) => each !== parser));
}

/** Whether a set has all of another and more; of equal ones, the first absorbs the others. */
function absorbs(group: ReadonlySet<number>, other: ReadonlySet<number>, isBefore: boolean): boolean {
  if (group === other || group.size < other.size || (group.size === other.size && !isBefore)) return false;
  return [...other].every((parser) => group.has(parser));
}
