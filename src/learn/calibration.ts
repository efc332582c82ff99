import type { HeaderFields } from '../model/header-fields.ts';

/** A calibration as plain data: what raw figures, ascending, come to. */
export interface CalibrationData {
  readonly raw: readonly number[];
  readonly calibrated: readonly number[];
}

/**
 * Turns raw confidences into probabilities of being right: a function that never falls, straight between its knots
 * and level beyond the outermost.
 */
export class Calibration {
  constructor(readonly data: CalibrationData) {}

  /** Throws `InputError` where a header holds none. */
  static load(fields: HeaderFields): Calibration {
    const raw = fields.numbers('raw', 0, 1);
    const calibrated = fields.numbers('calibrated', 0, 1);
    const rises = (values: readonly number[]) =>
      values.every((value, k) => k === 0 || value >= values[k - 1]);
    if (raw.length === 0 || !rises(raw)) fields.refuse('raw', 'numbers that do not fall');
    if (calibrated.length !== raw.length || !rises(calibrated)) {
      fields.refuse('calibrated', 'as many numbers as in raw, that do not fall');
    }
    return new Calibration({ raw, calibrated });
  }

  of(confidence: number): number {
    const { raw, calibrated } = this.data;
    let above = 0;
    let end = raw.length;
    while (above < end) {
      const middle = (above + end) >> 1;
      if (raw[middle] < confidence) above = middle + 1;
      else end = middle;
    }
    if (above === 0) return calibrated[0];
    if (above === raw.length) return calibrated[above - 1];
    const share = (confidence - raw[above - 1]) / (raw[above] - raw[above - 1]);
    return calibrated[above - 1] + share * (calibrated[above] - calibrated[above - 1]);
  }

  /** Turns the confidences of a sentence's tokens, from 1 on, in place. */
  apply(confidences: Float64Array): void {
    for (let d = 1; d < confidences.length; d++) confidences[d] = this.of(confidences[d]);
  }
}

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
