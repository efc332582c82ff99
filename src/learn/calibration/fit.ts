import { Calibration } from './calibration.ts';

/** Arcs from which on a calibration is worth more than the raw figures. */
const FEWEST = 200;

/** Arcs that are taken together at least, and into how many groups all of them are cut at most. */
const FEWEST_TOGETHER = 50;
const MOST_GROUPS = 60;

/** Arcs of the usual accuracy that are added to each group, so that none is always right. */
const SMOOTHING = 2;

interface Group {
  count: number;
  right: number;
  sum: number;
}

/** Arcs with their raw confidences, by which a calibration is fitted. */
export class ConfidenceSample {
  private readonly raw: number[] = [];
  private readonly right: boolean[] = [];

  add(raw: number, isRight: boolean): void {
    this.raw.push(raw);
    this.right.push(isRight);
  }

  get size(): number {
    return this.raw.length;
  }

  /**
   * The share of right arcs as a function of the raw confidence that does not fall: isotonic regression by pooling
   * adjacent violators (Zadrozny & Elkan 2002), of groups of neighbours; undefined where there are too few arcs.
   */
  fit(): Calibration | undefined {
    const count = this.raw.length;
    if (count < FEWEST) return undefined;
    const overall = this.right.filter(Boolean).length / count;
    const groups = pooled(this.groups(), overall);
    return new Calibration({
      raw: groups.map(({ sum, count }) => sum / count),
      calibrated: groups.map((group) => accuracyOf(group, overall)),
    });
  }

  /** Neighbours in the order of raw confidences; equal ones are never parted. */
  private groups(): Group[] {
    const { raw, right } = this;
    const order = [...raw.keys()].sort((a, b) => raw[a] - raw[b]);
    const least = Math.max(FEWEST_TOGETHER, raw.length / MOST_GROUPS);
    const groups: Group[] = [];
    let last: Group | undefined;
    order.forEach((arc, k) => {
      if (last === undefined || (last.count >= least && raw[arc] > raw[order[k - 1]])) {
        last = { count: 0, right: 0, sum: 0 };
        groups.push(last);
      }
      last.count += 1;
      last.sum += raw[arc];
      if (right[arc]) last.right += 1;
    });
    return groups;
  }
}

/** Joins neighbours of which the later one is the less accurate, until there are none. */
function pooled(groups: readonly Group[], overall: number): Group[] {
  const rising: Group[] = [];
  for (const next of groups) {
    let group = next;
    for (;;) {
      const before = rising.at(-1);
      if (before === undefined || accuracyOf(before, overall) < accuracyOf(group, overall)) break;
      rising.pop();
      group = {
        count: before.count + group.count,
        right: before.right + group.right,
        sum: before.sum + group.sum,
      };
    }
    rising.push(group);
  }
  return rising;
}

function accuracyOf({ count, right }: Group, overall: number): number {
  return (right + SMOOTHING * overall) / (count + SMOOTHING);
}
