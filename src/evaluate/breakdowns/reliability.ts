import { confidenceIn } from '../../treebank/columns/confidence.ts';
import type { Sentence } from '../../treebank/sentence.ts';
import { type Counterpart, isThere, type OwnWord } from '../alignment/counterpart.ts';
import { percent } from '../percent.ts';

/** Arcs of about the same confidence. Figures are percentages; NaN where there are no arcs. */
export interface ReliabilityBin {
  /** `0.9-1.0`. */
  readonly bucket: string;
  readonly arcs: number;
  /** Mean confidence. */
  readonly confidence: number;
  /** The share with the right head: as high as the confidence, if that is a probability. */
  readonly uas: number;
}

/** Whether what a parser says of how sure it is comes true. */
export interface Reliability {
  /** Scored arcs that have a confidence. */
  readonly arcs: number;
  readonly bins: readonly ReliabilityBin[];
  /**
   * The mean difference between confidence and accuracy, over bins weighted by their arcs, in points (expected
   * calibration error: Naeini, Cooper & Hauskrecht 2015).
   */
  readonly calibrationError: number;
  /** UAS of all these arcs, and of the tenths that are left when the tenth with the least confidence is left out. */
  readonly uas: number;
  readonly uasWithoutLeast: number;
}

const BINS = 10;

/** Confidences are told apart by so many steps. */
const STEPS = 10_000;

/** The share of arcs that is left out where the least sure are. */
const LEFT_OUT = 0.1;

/** Counts how often arcs are right by the confidences in the predicted trees' MISC. */
export class ReliabilityCounts {
  private readonly arcs = new Float64Array(STEPS + 1);
  private readonly right = new Float64Array(STEPS + 1);

  /** @param extra the parser's scored words that gold does not have */
  add(gold: Sentence, predicted: Counterpart, scored: Uint8Array, extra: readonly OwnWord[] = []): void {
    const { split } = predicted;
    const own = split && new Map(split.words.map((word) => [word.counterpart, word]));
    for (let d = 1; d <= gold.length; d++) {
      if (scored[d] === 0 || !isThere(predicted, d)) continue;
      const misc = own === undefined ? predicted.misc?.[d] : miscOf(own.get(d)!);
      this.count(misc, gold.heads[d] === predicted.heads[d]);
    }
    for (const word of extra) this.count(miscOf(word), false);
  }

  private count(misc: string | undefined, isRight: boolean): void {
    const confidence = misc === undefined ? undefined : confidenceIn(misc);
    if (confidence === undefined) return;
    const step = Math.round(STEPS * confidence);
    this.arcs[step] += 1;
    if (isRight) this.right[step] += 1;
  }

  /** Undefined where no arc has a confidence. */
  figures(): Reliability | undefined {
    const arcs = sum(this.arcs);
    if (arcs === 0) return undefined;
    const bins = Array.from({ length: BINS }, (_, b) => this.bin(b));
    const errors = bins.map((bin) => (bin.arcs === 0 ? 0 : bin.arcs * Math.abs(bin.confidence - bin.uas)));
    const calibrationError = errors.reduce((all, error) => all + error, 0) / arcs;
    const uas = percent(sum(this.right), arcs);
    return { arcs, bins, calibrationError, uas, uasWithoutLeast: this.uasWithoutLeast(LEFT_OUT * arcs) };
  }

  private bin(b: number): ReliabilityBin {
    const first = (b * STEPS) / BINS;
    const end = b === BINS - 1 ? STEPS + 1 : ((b + 1) * STEPS) / BINS;
    const arcs = sum(this.arcs.subarray(first, end));
    let confidences = 0;
    for (let step = first; step < end; step++) confidences += (step / STEPS) * this.arcs[step];
    return {
      bucket: `${(b / BINS).toFixed(1)}-${((b + 1) / BINS).toFixed(1)}`,
      arcs,
      confidence: percent(confidences, arcs),
      uas: percent(sum(this.right.subarray(first, end)), arcs),
    };
  }

  /** Of arcs that are equally sure as many are left out as there have to be, right ones and wrong ones alike. */
  private uasWithoutLeast(count: number): number {
    let left = count;
    let arcs = 0;
    let right = 0;
    for (let step = 0; step <= STEPS; step++) {
      const all = this.arcs[step];
      const out = Math.min(left, all);
      left -= out;
      arcs += all - out;
      if (all > 0) right += this.right[step] * (1 - out / all);
    }
    return percent(right, arcs);
  }
}

function miscOf({ of, number }: OwnWord): string {
  return of.sentence.misc[number];
}

function sum(values: Float64Array): number {
  return values.reduce((all, value) => all + value, 0);
}
