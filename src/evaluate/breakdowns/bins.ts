import { type PrecisionRecall, precisionRecall } from '../percent.ts';
import type { BucketScores } from './breakdown.ts';

/** Buckets with fewer gold arcs say little: chance rules in them. */
export const leastArcs = 20;

/** Neighbouring buckets taken together, so that there is enough in each to be looked at. */
export interface Bin extends BucketScores {
  /** The numbers that it is of. */
  readonly from: number;
  readonly to: number;
}

/**
 * The buckets of a breakdown by numbers, of several parsers, in the same bins for all: from the least number on as
 * many as have `least` gold arcs together; what is left at the end belongs to the last one. Buckets without a number
 * (`root`, `cycle`) are left out, as are those that gold does not have.
 */
export function bins(breakdowns: readonly (readonly BucketScores[])[], least = leastArcs): Bin[][] {
  const ranges = rangesOf(breakdowns[0], least);
  return breakdowns.map((buckets) =>
    ranges.map((range) => {
      const within = buckets.filter(({ bucket }) => {
        const { from, to } = numbersOf(bucket);
        return range.from <= from && to <= range.to;
      });
      return { bucket: rangeText(range), ...range, ...together(within) };
    }),
  );
}

type Range = Pick<Bin, 'from' | 'to'>;

function rangesOf(buckets: readonly BucketScores[], least: number): Range[] {
  const ranges: Range[] = [];
  let open: (Range & { gold: number }) | undefined;
  for (const { bucket, gold } of buckets) {
    const { from, to } = numbersOf(bucket);
    if (Number.isNaN(from) || gold === 0) continue;
    open = { from: open?.from ?? from, to, gold: gold + (open?.gold ?? 0) };
    if (open.gold < least) continue;
    ranges.push({ from: open.from, to });
    open = undefined;
  }
  if (open === undefined) return ranges;
  const last = ranges.pop();
  return [...ranges, { from: last?.from ?? open.from, to: open.to }];
}

/** 11 to 20 of `11-20`, 7 to 7 of `7`, NaN of `root`. */
export function numbersOf(bucket: string): Range {
  const [from, to = from] = bucket.split('-').map(Number);
  return { from, to };
}

function rangeText({ from, to }: Range): string {
  return from === to ? String(from) : `${from}-${to}`;
}

/** The scores of buckets as if they were one. */
function together(buckets: readonly BucketScores[]): Omit<BucketScores, 'bucket'> {
  const sum = (of: (scores: BucketScores) => number) =>
    buckets.reduce((total, scores) => total + of(scores), 0);
  const gold = sum((scores) => scores.gold);
  const predicted = sum((scores) => scores.predicted);
  const scores = (kind: 'unlabelled' | 'labelled'): PrecisionRecall =>
    precisionRecall(
      sum((scores) => count(scores[kind].recall, scores.gold)),
      gold,
      sum((scores) => count(scores[kind].precision, scores.predicted)),
      predicted,
    );
  return { gold, predicted, unlabelled: scores('unlabelled'), labelled: scores('labelled') };
}

/** The whole number that is so many percent of a total. */
function count(share: number, total: number): number {
  return total === 0 ? 0 : Math.round((share * total) / 100);
}
