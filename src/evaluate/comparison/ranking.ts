import type { ComparedParser, PairTests, Ranking, Significance } from './comparison.ts';
import { type MetricName, metrics } from './metrics.ts';

/** Maximum corrected p-value of a significant difference. */
export const significanceLevel = 0.05;

export const isSignificant = ({ shuffling }: Pick<PairTests, 'shuffling'>): boolean =>
  shuffling.corrected <= significanceLevel;

/** The test of one metric for parsers a and b. */
export interface TestedPair<Test = Pick<PairTests, 'difference' | 'shuffling'>> {
  readonly a: number;
  readonly b: number;
  readonly test: Test;
}

/** The score of parser `row` minus the score of parser `column`; undefined for a parser and itself. */
export function differenceOf(pairs: readonly TestedPair[], row: number, column: number) {
  const pair = pairs.find(({ a, b }) => (a === row && b === column) || (a === column && b === row));
  if (pair === undefined) return undefined;
  const { difference } = pair.test;
  return { difference: pair.a === row ? difference : -difference, isClear: isSignificant(pair.test) };
}

/** Ranks the parsers by LAS if tested, else by the first tested metric. */
export function rankingOf(parsers: readonly ComparedParser[], significance: Significance): Ranking {
  const tested = testedMetrics(significance);
  const metric = tested.includes('las') ? 'las' : tested[0];
  const scores = parsers.map(({ report }) => metrics[metric].score(report));
  return { metric, ...ranked(scores, testsBy(metric, significance)) };
}

export const testedMetrics = ({ pairs }: Significance): MetricName[] =>
  Object.keys(pairs[0].tests) as MetricName[];

export const testsBy = (metric: MetricName, { pairs }: Significance): TestedPair<PairTests>[] =>
  pairs.map(({ a, b, tests }) => ({ a, b, test: tests[metric]! }));

/** Orders parsers by score, and finds the maximal sets without a significant difference. */
export function ranked(scores: readonly number[], pairs: readonly TestedPair[]) {
  const order = [...scores.keys()].sort((i, j) => scores[j] - scores[i] || i - j);
  const differing = pairs.filter(({ test }) => isSignificant(test));
  // Insert-and-absorb (Piepho 2004, section 2).
  let groups = [new Set(order)];
  for (const { a, b } of differing) {
    const split = groups.flatMap((group) =>
      group.has(a) && group.has(b) ? [without(group, a), without(group, b)] : [group],
    );
    groups = split.filter((group, i) => !split.some((other, j) => absorbs(other, group, j < i)));
  }
  const ranks = new Map(order.map((parser, rank) => [parser, rank]));
  const rank = (parser: number) => ranks.get(parser)!;
  return {
    order,
    groups: groups
      .map((group) => [...group].sort((i, j) => rank(i) - rank(j)))
      .sort((x, y) => rank(x[0]) - rank(y[0]) || rank(x.at(-1)!) - rank(y.at(-1)!)),
  };
}

const without = (group: ReadonlySet<number>, parser: number): Set<number> =>
  new Set([...group].filter((each) => each !== parser));

function absorbs(group: ReadonlySet<number>, other: ReadonlySet<number>, isBefore: boolean): boolean {
  if (group === other || group.size < other.size || (group.size === other.size && !isBefore)) return false;
  return [...other].every((parser) => group.has(parser));
}
