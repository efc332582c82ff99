/** What of the runs of a cell, one a seed, is shown. */
export const statistics = ['mean', 'best', 'worst'] as const;
export type Statistic = (typeof statistics)[number];

/**
 * The runs that a statistic speaks of, by number: all for the mean, one for the best and the worst by these
 * values (the first of equal ones).
 */
export function chosenRuns(
  values: readonly number[],
  statistic: Statistic,
  better: 'higher' | 'lower',
): number[] {
  if (statistic === 'mean') return values.map((_, i) => i);
  const highest = (statistic === 'best') === (better === 'higher');
  const extreme = highest ? Math.max(...values) : Math.min(...values);
  return [Math.max(values.indexOf(extreme), 0)];
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The sample standard deviation (over n − 1); undefined of fewer than two values. */
export function standardDeviation(values: readonly number[]): number | undefined {
  if (values.length < 2) return undefined;
  const centre = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}
