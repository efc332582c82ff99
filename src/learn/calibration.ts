import type { HeaderFields } from '../model/header-fields.ts';

/** A calibration as plain data: the raw confidences (ascending) and calibrated values of its knots. */
export interface CalibrationData {
  readonly raw: readonly number[];
  readonly calibrated: readonly number[];
  /** The calibration of the probabilities of trees, for parsers that find several. */
  readonly trees?: CalibrationData | undefined;
  /** The calibration of the tags that a parser predicts. */
  readonly tags?: CalibrationData | undefined;
}

/** Maps raw confidences to probabilities of being right: monotone, piecewise linear between knots, constant beyond them. */
export class Calibration {
  private readonly trees: Calibration | undefined;
  readonly tags: Calibration | undefined;

  constructor(readonly data: CalibrationData) {
    this.trees = data.trees && new Calibration(data.trees);
    this.tags = data.tags && new Calibration(data.tags);
  }

  /** Reads a calibration from a header; throws `InputError` for a malformed one. */
  static load(fields: HeaderFields): Calibration {
    const raw = fields.numbers('raw', 0, 1);
    const calibrated = fields.numbers('calibrated', 0, 1);
    const rises = (values: readonly number[]) =>
      values.every((value, k) => k === 0 || value >= values[k - 1]);
    if (raw.length === 0 || !rises(raw)) fields.refuse('raw', 'ascending numbers');
    if (calibrated.length !== raw.length || !rises(calibrated))
      fields.refuse('calibrated', 'ascending numbers, one for each in raw');
    const own = (['trees', 'tags'] as const).filter((name) => fields.has(name));
    const further = own.map((name) => [name, Calibration.load(fields.fields(name)).data]);
    return new Calibration({ raw, calibrated, ...Object.fromEntries(further) });
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

  /**
   * Calibrates the probabilities of different trees of one sentence, in order. They sum to at most 1, and none depends
   * on later trees.
   */
  ofTrees(probabilities: readonly number[]): readonly number[] {
    const { trees } = this;
    if (trees === undefined) return probabilities;
    let left = 1;
    return probabilities.map((probability) => {
      const calibrated = Math.min(trees.fromZero(probability), left);
      left -= calibrated;
      return calibrated;
    });
  }

  /** As `of`, but falls to 0 below the first knot, where `of` would give all improbable trees the same probability. */
  private fromZero(probability: number): number {
    const { raw, calibrated } = this.data;
    return probability < raw[0] ? (probability / raw[0]) * calibrated[0] : this.of(probability);
  }

  /** Calibrates the confidences of tokens 1…n in place. */
  apply(confidences: Float64Array): void {
    for (let d = 1; d < confidences.length; d++) confidences[d] = this.of(confidences[d]);
  }
}

/** Minimum number of decisions (arcs, trees, tokens) for which a calibration is better than the raw confidences. */
const FEWEST = 200;
/** Minimum number of decisions in a group, and maximum number of groups. */
const FEWEST_TOGETHER = 50;
const MOST_GROUPS = 60;
/** Number of decisions with the overall accuracy added to each group, so that no group has accuracy 1. */
const SMOOTHING = 2;

type Group = { count: number; right: number; sum: number };

/** A sample of confidences, and whether each decision was right. */
export class ConfidenceSample {
  private readonly raw: number[] = [];
  private readonly right: boolean[] = [];

  /** Adds a decision, in single precision: engines differ in the last digits of `Math.exp`, the calibration must not. */
  add(raw: number, isRight: boolean): void {
    this.raw.push(Math.fround(raw));
    this.right.push(isRight);
  }

  get size(): number {
    return this.raw.length;
  }

  /** Fits a calibration by isotonic regression over groups (Zadrozny & Elkan 2002); undefined for too few decisions. */
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

  /** Groups decisions of similar raw confidence; equal confidences stay together. */
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

/** Merges groups until their accuracies rise (pool adjacent violators). */
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
