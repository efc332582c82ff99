import { type PrecisionRecall, precisionRecall } from '../percent.ts';
import type { BucketScores } from './breakdown.ts';

/** Minimum number of gold arcs in a bin: figures over fewer are mostly noise. */
export const leastArcs = 20;

/** Neighbouring numeric buckets, merged until they hold enough arcs. */
export interface Bin extends BucketScores {
  readonly from: number;
  readonly to: number;
}

/** Merges numeric buckets into the same bins for all parsers, each with at least `leastArcs` gold arcs; the last bin takes the rest. */
export function bins(breakdowns: readonly (readonly BucketScores[])[]): Bin[][] {
  const ranges = rangesOf(breakdowns[0]);
  return breakdowns.map((buckets) => {
    const within = ranges.map((): BucketScores[] => []);
    for (const scores of buckets) {
      const { from, to } = numbersOf(scores.bucket);
      const place = placeOf(from, ranges);
      if (place >= 0 && to <= ranges[place].to) within[place].push(scores);
    }
    return ranges.map((range, r) => ({ bucket: rangeText(range), ...range, ...together(within[r]) }));
  });
}

type Range = Pick<Bin, 'from' | 'to'>;

function rangesOf(buckets: readonly BucketScores[]): Range[] {
  const ranges: Range[] = [];
  let current: (Range & { gold: number }) | undefined;
  for (const { bucket, gold } of buckets) {
    const { from, to } = numbersOf(bucket);
    if (Number.isNaN(from) || gold === 0) continue;
    current = { from: current?.from ?? from, to, gold: gold + (current?.gold ?? 0) };
    if (current.gold < leastArcs) continue;
    ranges.push({ from: current.from, to });
    current = undefined;
  }
  if (current === undefined) return ranges;
  const last = ranges.pop();
  return [...ranges, { from: last?.from ?? current.from, to: current.to }];
}

/** The index of the last range that begins at or before a number; −1 if there is none, or for NaN. */
function placeOf(number: number, ranges: readonly Range[]): number {
  let [first, end] = [0, ranges.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    if (ranges[middle].from <= number) first = middle + 1;
    else end = middle;
  }
  return first - 1;
}

/** Reads the name of a bucket: `11-20` is 11 to 20, `7` is 7 to 7, `root` is NaN. */
export function numbersOf(bucket: string): Range {
  const [from, to = from] = bucket.split('-').map(Number);
  return { from, to };
}

const rangeText = ({ from, to }: Range): string => (from === to ? String(from) : `${from}-${to}`);

function together(buckets: readonly BucketScores[]): Omit<BucketScores, 'bucket'> {
  const sum = (of: (scores: BucketScores) => number) =>
    buckets.reduce((total, scores) => total + of(scores), 0);
  const gold = sum((scores) => scores.gold);
  const predicted = sum((scores) => scores.predicted);
  const scores = (kind: 'unlabelled' | 'labelled'): PrecisionRecall => {
    const found = sum((scores) => count(scores[kind].recall, scores.gold));
    const right = sum((scores) => count(scores[kind].precision, scores.predicted));
    return precisionRecall(found, gold, right, predicted);
  };
  return { gold, predicted, unlabelled: scores('unlabelled'), labelled: scores('labelled') };
}

const count = (share: number, total: number): number => (total === 0 ? 0 : Math.round((share * total) / 100));
